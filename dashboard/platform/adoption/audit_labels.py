"""Audit labels of owners of other systems. Those of adopted businesses are in the app of businesses."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import register_labels

register_labels(
    "owner",
    title=_("Owners of other systems"),
    actions={
        "link": _("linked the owner %(target)s to %(person)s"),
        "unlink": _("removed the link of the owner %(target)s"),
    },
    fields={"person": _("person")},
)

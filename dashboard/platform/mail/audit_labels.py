"""Audit labels of mail."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import register_labels
from dashboard.platform.mail.fields import TEXT_FIELDS
from dashboard.platform.mail.items import STATE_LABELS

register_labels(
    "mail",
    title=_("Mail"),
    actions={
        "cancel": _("cancelled the mail to %(target)s"),
        "resend": _("sent the mail to %(target)s again"),
        "restore": _("put the mail to %(target)s back into the queue"),
    },
    fields={"mailState": _("state")},
    values={"mailState": STATE_LABELS},
    in_business=True,
)
register_labels(
    "mail_text",
    title=_("Mail texts"),
    actions={
        "save": _("changed the mail text %(target)s"),
        "reset": _("reset the mail text %(target)s to the default"),
    },
    fields=TEXT_FIELDS.audit_labels,
    in_business=True,
    on_platform=False,
)

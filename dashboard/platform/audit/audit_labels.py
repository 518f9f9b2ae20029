"""Audit labels of the audit trail itself."""

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import register_labels

register_labels(
    "sealing",
    title=_("Sealing"),
    actions={"begin": _("started sealing the trail of %(target)s")},
)

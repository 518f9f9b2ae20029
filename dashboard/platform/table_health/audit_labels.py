"""Audit labels of the table's pages."""

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import register_labels

register_labels(
    "item",
    title=_("Table item"),
    actions={"view": _("viewed the item %(target)s")},
)

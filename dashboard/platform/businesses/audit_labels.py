"""Audit labels of businesses and their members."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.permissions import BUSINESS_ROLE_LABELS
from dashboard.platform.audit.labels import register_labels, register_target_page
from dashboard.platform.businesses.fields import BUSINESS_FIELDS
from dashboard.platform.businesses.items import PLAN_LABELS, STATUS_LABELS
from dashboard.platform.businesses.permissions import Permission

_LABELS = BUSINESS_FIELDS.audit_labels
# An audit entry lists its changes in the order of the labels: these fields, then the others in the order of the form.
_LISTED_FIRST = ("name", "language", "timezone")

register_labels(
    "business",
    title=_("Businesses"),
    actions={
        "create": _("created the business %(target)s"),
        "adopt": _("adopted the business %(target)s"),
        "unadopt": _("undid the adoption of %(target)s"),
        "edit": _("edited the business %(target)s"),
        "activate": _("made %(target)s active"),
        "trial": _("set %(target)s to trial"),
        "suspend": _("suspended %(target)s: %(reason)s"),
        "cancel": _("cancelled %(target)s: %(reason)s"),
        "address_taken": _("found that %(target)s has an address that another business uses"),
    },
    fields={name: _LABELS[name] for name in _LISTED_FIRST} | _LABELS,
    values={
        "status": STATUS_LABELS,
        "plan": PLAN_LABELS,
    },
    in_business=True,
)

register_labels(
    "member",
    title=_("Members"),
    actions={
        "add": _("added %(target)s to %(business)s"),
        "invite": _("invited %(target)s to %(business)s"),
        "invite_again": _("created a new invitation link for %(target)s"),
        "role": _("changed the role of %(target)s"),
        "remove": _("removed %(target)s from %(business)s"),
    },
    fields={"business": _("business"), "role": _("role")},
    values={"role": BUSINESS_ROLE_LABELS},
    in_business=True,
)

register_target_page("business", "business", Permission.BUSINESS)

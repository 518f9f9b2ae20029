"""Audit labels of businesses and their members."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import register_labels, register_target_page
from dashboard.platform.businesses.items import PLAN_LABELS, STATUS_LABELS
from dashboard.platform.businesses.permissions import Permission

register_labels(
    "business",
    title=_("Businesses"),
    actions={
        "create": _("created the business %(target)s"),
        "edit": _("edited the business %(target)s"),
        "activate": _("made %(target)s active"),
        "trial": _("put %(target)s on trial"),
        "suspend": _("suspended %(target)s: %(reason)s"),
        "cancel": _("cancelled %(target)s: %(reason)s"),
    },
    fields={
        "name": _("name"),
        "language": _("language"),
        "timezone": _("time zone"),
        "slug": _("web address name"),
        "status": _("status"),
        "reason": _("reason"),
        "plan": _("plan"),
        "domain": _("domain"),
        "billing_email": _("billing e-mail"),
        "color": _("widget colour"),
        "position": _("widget position"),
    },
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
        "remove": _("removed %(target)s from %(business)s"),
    },
    fields={"business": _("business")},
    in_business=True,
)

register_target_page("business", "business", Permission.BUSINESS)

"""What is done to businesses, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.labels import register_labels, register_target_page
from dashboard.platform.businesses.items import PLAN_LABELS, STATUS_LABELS
from dashboard.platform.businesses.permissions import Permission

register_labels(
    inside=True,
    about={
        "business": _("Businesses"),
        "member": _("Members"),
    },
    sentences={
        "business.create": _("created the business %(target)s"),
        "business.edit": _("edited the business %(target)s"),
        "business.activate": _("made %(target)s active"),
        "business.trial": _("put %(target)s on trial"),
        "business.suspend": _("suspended %(target)s: %(reason)s"),
        "business.cancel": _("cancelled %(target)s: %(reason)s"),
        "member.add": _("added %(target)s to %(business)s"),
        "member.remove": _("removed %(target)s from %(business)s"),
    },
    fields={
        "slug": _("slug"),
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
)

register_target_page("business", "business", Permission.BUSINESS)

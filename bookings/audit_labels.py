"""Audit labels of bookings."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from bookings.actions import ACTIONS
from bookings.fields import CUSTOMER_FIELDS, PROVIDER_FIELDS, RULE_FIELDS, SERVICE_FIELDS
from bookings.permissions import Permission
from bookings.states import LAPSED_REASON, STATUSES, Payment
from dashboard.platform.audit.labels import register_labels, register_target_page

STATUS_LABELS = {status: spec.label for status, spec in STATUSES.items()}
PAYMENT_LABELS = {
    Payment.NONE: pgettext_lazy("booking", "Not paid"),
    Payment.PENDING: pgettext_lazy("booking", "Payment pending"),
    Payment.PAID: pgettext_lazy("booking", "Paid"),
}

register_labels(
    "booking",
    title=_("Bookings"),
    actions={
        "create": _("booked %(target)s"),
        **{action.name: action.audit_label for action in ACTIONS},
    },
    fields={
        "bookingStatus": _("status"),
        "paymentStatus": _("payment"),
        "starts": _("starts at"),
        "ends": _("ends at"),
        "provider": _("staff member"),
        "service": _("service"),
        "heldUntil": _("reserved until"),
        "cancelReason": _("reason"),
        "note": _("note"),
    },
    values={
        "bookingStatus": STATUS_LABELS,
        "paymentStatus": PAYMENT_LABELS,
        "cancelReason": {LAPSED_REASON: _("not confirmed in time")},
    },
    moments=("starts", "ends", "heldUntil"),
    show_new_values=("heldUntil",),
    in_business=True,
    on_platform=False,
)

register_labels(
    "service",
    title=_("Services"),
    actions={
        "create": _("added the service %(target)s"),
        "edit": _("changed the service %(target)s"),
        "deactivate": _("deactivated the service %(target)s"),
        "activate": _("activated the service %(target)s"),
        "remove": _("deleted the service %(target)s"),
        "restore": _("restored the service %(target)s"),
    },
    fields=SERVICE_FIELDS.audit_labels | {"active": _("active")},
    in_business=True,
    on_platform=False,
)

register_labels(
    "provider",
    title=_("Staff members"),
    actions={
        "create": _("added the staff member %(target)s"),
        "edit": _("changed the staff member %(target)s"),
        "deactivate": _("deactivated the staff member %(target)s"),
        "activate": _("activated the staff member %(target)s"),
        "remove": _("deleted the staff member %(target)s"),
        "restore": _("restored the staff member %(target)s"),
    },
    fields=PROVIDER_FIELDS.audit_labels | {"active": _("active")},
    in_business=True,
    on_platform=False,
)

register_labels(
    "hours",
    title=_("Hours"),
    actions={"save": _("changed the hours of %(target)s")},
    fields={
        "MON": _("Monday"),
        "TUE": _("Tuesday"),
        "WED": _("Wednesday"),
        "THU": _("Thursday"),
        "FRI": _("Friday"),
        "SAT": _("Saturday"),
        "SUN": _("Sunday"),
        "dates": _("special hours"),
    },
    in_business=True,
    on_platform=False,
)

register_labels(
    "customer",
    title=_("Customers"),
    actions={
        "create": _("added the customer %(target)s"),
        "edit": _("changed the customer %(target)s"),
        "remove": _("deleted the customer %(target)s"),
        "restore": _("restored the customer %(target)s"),
    },
    fields=CUSTOMER_FIELDS.audit_labels,
    in_business=True,
    on_platform=False,
)

register_labels(
    "conversation",
    title=_("Conversations"),
    actions={
        "take_over": _("took over the conversation with %(target)s"),
        "reply": _("replied to %(target)s"),
        "hand_back": _("handed the conversation with %(target)s back to the bot"),
        "close": _("closed the conversation with %(target)s"),
        "reopen": _("reopened the conversation with %(target)s"),
    },
    fields={},
    in_business=True,
    on_platform=False,
)

register_labels(
    "booking_rules",
    title=_("Booking rules"),
    actions={"save": _("changed the booking rules")},
    fields=RULE_FIELDS.audit_labels,
    in_business=True,
    on_platform=False,
)

register_target_page("booking", "booking", Permission.BOOKINGS, in_business=True)
register_target_page("service", "service", Permission.CATALOG, in_business=True)
register_target_page("provider", "provider", Permission.CATALOG, in_business=True)
register_target_page("hours", "provider_hours", Permission.CATALOG, in_business=True)
register_target_page("customer", "customer", Permission.BOOKINGS, in_business=True)
register_target_page("conversation", "conversation", Permission.CONVERSATIONS, in_business=True)

"""What is done to bookings, what is booked, with whom and by whom, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from bookings.permissions import Permission
from bookings.states import LAPSED, Payment, Status
from dashboard.platform.audit.labels import register_labels, register_target_page

# --- Bookings ------------------------------------------------------------------------------------
STATUS_LABELS = {
    Status.PENDING: pgettext_lazy("booking", "To confirm"),
    Status.CONFIRMED: pgettext_lazy("booking", "Confirmed"),
    Status.CANCELLED: pgettext_lazy("booking", "Cancelled"),
    Status.NO_SHOW: pgettext_lazy("booking", "No-show"),
}
PAYMENT_LABELS = {
    Payment.NONE: pgettext_lazy("booking", "Not paid"),
    Payment.PENDING: pgettext_lazy("booking", "Payment pending"),
    Payment.PAID: pgettext_lazy("booking", "Paid"),
}

register_labels(
    inside=True,
    outside=False,
    about={"booking": _("Bookings")},
    sentences={
        "booking.create": _("booked %(target)s"),
        "booking.confirm": _("confirmed the booking of %(target)s"),
        "booking.unconfirm": _("let the booking of %(target)s wait again"),
        "booking.cancel": _("cancelled the booking of %(target)s"),
        "booking.restore": _("restored the booking of %(target)s"),
        "booking.lapse": _("cancelled the booking of %(target)s: it was not confirmed in time"),
        "booking.reschedule": _("moved the booking of %(target)s"),
        "booking.no_show": _("noted that %(target)s did not come"),
        "booking.pay": _("changed the payment of %(target)s"),
    },
    fields={
        "bookingStatus": _("status"),
        "paymentStatus": _("payment"),
        "starts": _("starts at"),
        "ends": _("ends at"),
        "provider": _("staff member"),
        "service": _("service"),
        "cancelReason": _("reason"),
    },
    values={
        "bookingStatus": STATUS_LABELS,
        "paymentStatus": PAYMENT_LABELS,
        "cancelReason": {LAPSED: _("not confirmed in time")},
    },
    moments=("starts", "ends"),
)

# --- What can be booked, with whom, when, and who comes ------------------------------------------
register_labels(
    inside=True,
    outside=False,
    about={
        "service": _("Services"),
        "provider": _("Staff members"),
        "hours": _("Hours"),
        "customer": _("Customers"),
        "booking_rules": _("Booking rules"),
    },
    sentences={
        "service.create": _("added the service %(target)s"),
        "service.edit": _("changed the service %(target)s"),
        "service.deactivate": _("stopped offering %(target)s"),
        "service.activate": _("offers %(target)s again"),
        "service.remove": _("deleted the service %(target)s"),
        "service.restore": _("brought back the service %(target)s"),
        "provider.create": _("added %(target)s, who can be booked"),
        "provider.edit": _("changed what is said of %(target)s"),
        "provider.deactivate": _("took %(target)s out of what can be booked"),
        "provider.activate": _("lets %(target)s be booked again"),
        "provider.remove": _("deleted %(target)s, who could be booked"),
        "provider.restore": _("brought back %(target)s, who can be booked"),
        "hours.save": _("changed the hours of %(target)s"),
        "customer.create": _("added the customer %(target)s"),
        "customer.edit": _("changed the customer %(target)s"),
        "customer.remove": _("deleted the customer %(target)s"),
        "customer.restore": _("brought back the customer %(target)s"),
        "booking_rules.save": _("changed the booking rules"),
    },
    fields={
        "description": _("description"),
        "category": _("category"),
        "duration_minutes": _("minutes"),
        "buffer_before": _("minutes before"),
        "buffer_after": _("minutes after"),
        "price": _("price"),
        "currency": _("currency"),
        "active": _("can be booked"),
        "bio": _("about them"),
        "services": _("services"),
        "phone": _("phone"),
        "notice_minutes": _("notice in minutes"),
        "horizon_days": _("days ahead"),
        "step_minutes": _("step in minutes"),
        "MON": _("Monday"),
        "TUE": _("Tuesday"),
        "WED": _("Wednesday"),
        "THU": _("Thursday"),
        "FRI": _("Friday"),
        "SAT": _("Saturday"),
        "SUN": _("Sunday"),
        "dates": _("dates that differ"),
    },
)

register_target_page("booking", "booking", Permission.BOOKINGS, in_business=True)
register_target_page("service", "service", Permission.BOOKINGS, in_business=True)
register_target_page("provider", "provider", Permission.BOOKINGS, in_business=True)
register_target_page("hours", "provider_hours", Permission.BOOKINGS, in_business=True)
register_target_page("customer", "customer", Permission.BOOKINGS, in_business=True)

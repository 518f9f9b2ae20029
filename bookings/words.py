"""What is done to bookings, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from bookings.states import LAPSED, Payment, Status
from dashboard.audit.vocabulary import speak

# --- Bookings ------------------------------------------------------------------------------------
STATUS_LABELS = {
    Status.PENDING: pgettext_lazy("booking", "Waiting"),
    Status.CONFIRMED: pgettext_lazy("booking", "Confirmed"),
    Status.CANCELLED: pgettext_lazy("booking", "Cancelled"),
    Status.NO_SHOW: pgettext_lazy("booking", "Nobody came"),
}
PAYMENT_LABELS = {
    Payment.NONE: pgettext_lazy("booking", "Not paid"),
    Payment.PENDING: pgettext_lazy("booking", "Payment pending"),
    Payment.PAID: pgettext_lazy("booking", "Paid"),
}

speak(
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
        "provider": _("provider"),
        "service": _("service"),
        "cancelReason": _("reason"),
    },
    values={
        "bookingStatus": STATUS_LABELS,
        "paymentStatus": PAYMENT_LABELS,
        "cancelReason": {LAPSED: _("not confirmed in time")},
    },
)

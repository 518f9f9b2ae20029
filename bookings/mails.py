"""Mail to customers about their bookings: its kinds, and when it is queued."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from bookings.items import Booking
from bookings.mail_content import (
    CANCELLATION,
    CONFIRM_REQUEST,
    CONFIRMATION,
    REMINDER,
    RESCHEDULE,
    check_cancelled,
    check_confirmed,
    check_pending,
    check_same_start,
    load_content,
    load_sample,
)
from bookings.online.visits import VISITOR
from bookings.queries import bookings as queries
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.apikeys.items import KEY_ACTOR
from dashboard.platform.apikeys.queries import load_key
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.mail import queries as mail_queries
from dashboard.platform.mail.items import BY_VISITOR, CancelReason, MailState, OutgoingMail
from dashboard.platform.mail.kinds import MailKind, QueueChanges, mail_after, new_mail, register_mail
from dashboard.platform.mail.services.delivery import lead_time

LEAD_TIME = timedelta(hours=24)

PLACEHOLDERS = {
    "customer": _("the customer's name"),
    "business": _("the name of the business"),
    "service": _("the service"),
    "staff": _("the staff member"),
    "day": _("the day"),
    "time": _("the time, with the time zone"),
    "duration": _("the duration in minutes"),
    "change": _("a sentence with the link to move or cancel the booking, where customers book online"),
}
REQUEST_PLACEHOLDERS = {name: text for name, text in PLACEHOLDERS.items() if name != "change"} | {
    "link": _("the link that confirms the booking"),
    "deadline": _("until when the time is kept"),
}
_SHARED: dict[str, Any] = {
    "placeholders": PLACEHOLDERS,
    "load_sample": load_sample,
    "secrets": frozenset({"change", "link"}),
}

register_mail(
    MailKind(
        CONFIRM_REQUEST,
        label=_("Please confirm"),
        hint=_("When somebody books online and has to confirm"),
        subject=_("Confirm your booking at {business}: {day}, {time}"),
        body=_(
            "Hello {customer},\n\nPlease confirm your booking until {deadline}:\n\n{link}\n\n"
            "{service}\n{day}, {time}\nWith {staff}\n\nIf you did not book this, ignore this mail.\n{business}"
        ),
        load=partial(load_content, check_pending),
        **_SHARED | {"placeholders": REQUEST_PLACEHOLDERS},
    )
)
register_mail(
    MailKind(
        CONFIRMATION,
        label=_("Confirmation"),
        hint=_("When a booking is made or confirmed"),
        subject=_("Your booking at {business}: {day}, {time}"),
        body=_(
            "Hello {customer},\n\nYour booking is confirmed.\n\n{service}\n{day}, {time}\nWith {staff}\n\n"
            "{change}\n\nSee you soon,\n{business}"
        ),
        load=partial(load_content, check_confirmed),
        **_SHARED,
    )
)
register_mail(
    MailKind(
        RESCHEDULE,
        label=_("New time"),
        hint=_("When a booking is moved"),
        subject=_("New time for your booking at {business}: {day}, {time}"),
        body=_(
            "Hello {customer},\n\nYour booking has a new time.\n\n{service}\n{day}, {time}\nWith {staff}\n\n"
            "{change}\n\nSee you soon,\n{business}"
        ),
        load=partial(load_content, check_same_start),
        **_SHARED,
    )
)
register_mail(
    MailKind(
        CANCELLATION,
        label=_("Cancellation"),
        hint=_("When a booking is cancelled"),
        subject=_("Your booking at {business} is cancelled: {day}, {time}"),
        body=_(
            "Hello {customer},\n\nThis booking is cancelled.\n\n{service}\n{day}, {time}\n\n"
            "Contact us for another time.\n{business}"
        ),
        load=partial(load_content, check_cancelled),
        **_SHARED,
    )
)
register_mail(
    MailKind(
        REMINDER,
        label=_("Reminder"),
        hint=_("Before the booking starts"),
        subject=_("Reminder: {service} at {business}, {day}, {time}"),
        body=_(
            "Hello {customer},\n\nThis is a reminder of your booking.\n\n{service}\n{day}, {time}\nWith {staff}\n\n"
            "{change}\n\nSee you soon,\n{business}"
        ),
        load=partial(load_content, check_same_start),
        lead_time=LEAD_TIME,
        **_SHARED,
    )
)


# --- When it is queued ----------------------------------------------------------------------------
@mail_after("booking.create", "booking.confirm")
def queue_confirmation(entry: AuditEntry) -> QueueChanges:
    booking = _booking_of(entry)
    if booking is not None and booking.is_online and booking.status == Status.PENDING and booking.lapses_at:
        return QueueChanges([_new(entry, CONFIRM_REQUEST)])
    if booking is None or booking.status != Status.CONFIRMED:
        return QueueChanges()
    return QueueChanges([_new(entry, CONFIRMATION), *_reminders(entry, booking)])


@mail_after("booking.reschedule")
def queue_new_time(entry: AuditEntry) -> QueueChanges:
    booking = _booking_of(entry)
    if booking is None or booking.status != Status.CONFIRMED or "starts" not in (entry.after or {}):
        # Another staff member at the same time: the customer comes at that time anyway.
        return QueueChanges()
    mail = _new(entry, RESCHEDULE)
    mail.start = booking.start_time
    earlier = [each for each in _queued_reminders(entry) if each.start != booking.start_time]
    return QueueChanges([mail, *_reminders(entry, booking)], earlier, CancelReason.MOVED)


@mail_after("booking.cancel", "booking.lapse")
def queue_cancellation(entry: AuditEntry) -> QueueChanges:
    mail = _new(entry, CANCELLATION)
    return QueueChanges([mail], _queued_reminders(entry), CancelReason.BOOKING_CANCELLED)


@mail_after("booking.restore")
def queue_restored(entry: AuditEntry) -> QueueChanges:
    """A customer who was told about the cancellation gets a new confirmation."""
    booking = _booking_of(entry)
    if booking is None or booking.status != Status.CONFIRMED:
        return QueueChanges()
    about = mail_queries.mails_about(_business_of(entry), booking.id)
    cancellation = next((mail for mail in about if mail.kind == CANCELLATION), None)
    was_told = cancellation is not None and cancellation.state == MailState.SENT
    confirmation = [_new(entry, CONFIRMATION)] if was_told else []
    return QueueChanges([*confirmation, *_reminders(entry, booking)])


def _new(entry: AuditEntry, kind: str) -> OutgoingMail:
    mail = new_mail(entry, kind, _booking_id(entry), business=_business_of(entry))
    mail.cause = BY_VISITOR if _is_by_visitor(entry) else None
    return mail


def _is_by_visitor(entry: AuditEntry) -> bool:
    """Whether nobody known acted: a visitor of the booking page, or a program or website with a public key."""
    actor = str(entry.person.get("email") or "")
    if not actor.startswith(KEY_ACTOR):
        return actor == VISITOR.email
    try:
        return load_key(_business_of(entry), actor.removeprefix(KEY_ACTOR)).is_public
    except NotFound:
        return True


def _business_of(entry: AuditEntry) -> str:
    return entry.pk.partition("#")[2]


def _booking_of(entry: AuditEntry) -> Booking | None:
    try:
        return queries.load_booking(_business_of(entry), _booking_id(entry))
    except NotFound:
        return None


def _booking_id(entry: AuditEntry) -> str:
    return str(entry.target_data.get("id") or "").partition(":")[2]


def _reminders(entry: AuditEntry, booking: Booking) -> list[OutgoingMail]:
    """The reminder of a booking at its start. Its key contains both, so that there is one for each start."""
    start: datetime | None = booking.start_time
    if start is None:
        return []
    text = mail_queries.find_text(_business_of(entry), REMINDER)
    send_at = start - lead_time(LEAD_TIME, text)
    if send_at <= now():
        # Who books this late gets the confirmation only.
        return []
    mail = OutgoingMail.at(_business_of(entry), start, f"reminder-{booking.id}")
    mail.kind, mail.target, mail.title = REMINDER, booking.id, booking.title
    mail.start, mail.send_at = start, send_at
    mail.cause = BY_VISITOR if _is_by_visitor(entry) else None
    return [mail]


def _queued_reminders(entry: AuditEntry) -> list[OutgoingMail]:
    about = mail_queries.mails_about(_business_of(entry), _booking_id(entry))
    return [mail for mail in about if mail.kind == REMINDER and mail.state == MailState.QUEUED]

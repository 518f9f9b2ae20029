"""Mail about the demo bookings: sent, in the queue, failed and not sent."""

from __future__ import annotations

from datetime import timedelta

from bookings.demo.bookings import AFTER, BUSINESSES
from bookings.hours import DAY
from bookings.items import Booking
from bookings.mail_content import CONFIRMATION, REMINDER
from bookings.mails import LEAD_TIME
from bookings.queries.calendar import bookings_starting_between
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.platform.mail.compose import compose
from dashboard.platform.mail.items import BY_VISITOR, CancelReason, MailState, OutgoingMail
from dashboard.platform.mail.kinds import NotNeeded
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.transactions import Transaction, find_done

MOST = 12


def seed() -> int:
    """Add mail about upcoming bookings that have none, and return how many mails were added."""
    count = 0
    for business, _owner in BUSINESSES:
        found = bookings_starting_between(business, now(), now() + AFTER * DAY).bookings
        confirmed = [each for each in found if each.status == Status.CONFIRMED][:MOST]
        count += sum(_add(business, number, booking) for number, booking in enumerate(confirmed))
    return count


def _add(business: str, number: int, booking: Booking) -> int:
    command = Command(f"demo-mail-{booking.id}", SYSTEM)
    if booking.start_time is None or find_done(command) is not None:
        return 0
    confirmation = OutgoingMail.at(business, now(), f"{booking.id}-confirmation")
    confirmation.kind, confirmation.target, confirmation.title = CONFIRMATION, booking.id, booking.title
    confirmation.queue(now() - timedelta(days=1, minutes=17 * number))
    confirmation.created_at = confirmation.send_at
    if not _finish(confirmation, number):
        return 0
    mails = [confirmation]
    if booking.start_time - LEAD_TIME > now():
        reminder = OutgoingMail.at(business, booking.start_time, f"reminder-{booking.id}")
        reminder.kind, reminder.target, reminder.title = REMINDER, booking.id, booking.title
        reminder.start = booking.start_time
        reminder.queue(booking.start_time - LEAD_TIME)
        mails.append(reminder)
    transaction = Transaction(command)
    for mail in mails:
        transaction.create(mail)
    transaction.commit(None)
    return len(mails)


def _finish(mail: OutgoingMail, number: int) -> bool:
    """Give the mail its final state; False for a customer without an address."""
    try:
        composed = compose(mail, None)
    except NotNeeded:
        return False
    if number % 6 == 2:
        mail.error, mail.attempts = "SMTPRecipientsRefused 550", 1
        mail.leave_queue(MailState.FAILED)
    elif number % 6 == 4:
        mail.leave_queue(MailState.CANCELLED, CancelReason.PERSON)
    elif number % 12 == 9:
        mail.cause = BY_VISITOR
        mail.leave_queue(MailState.CANCELLED, CancelReason.TOO_MANY)
    else:
        mail.to, mail.subject, mail.body = composed.to, composed.subject, composed.shown_body
        mail.sent_at, mail.attempts = mail.send_at, 1
        mail.leave_queue(MailState.SENT)
    return True

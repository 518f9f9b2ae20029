"""Sends mail that is due: at least once, with the same Message-ID each time."""

from __future__ import annotations

import smtplib
from datetime import datetime, timedelta

from django.core.mail import BadHeaderError

from dashboard.core.clock import now
from dashboard.platform.accounts import throttle
from dashboard.platform.mail import queries
from dashboard.platform.mail.compose import ComposedMail, build_message, compose
from dashboard.platform.mail.items import BY_VISITOR, CancelReason, MailState, MailText, OutgoingMail
from dashboard.platform.mail.kinds import MAIL_KINDS, NotNeeded
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.transactions import Transaction

# With the waits of due tasks, the last attempt is after about five hours.
MAX_ATTEMPTS = 11
MAX_BODY = 20_000
# Mail that visitors cause to one address in one day (UTC), for each business: anybody can type any address.
MAX_OF_VISITORS, DAY = 10, 86_400
# A lead time that a business changed applies to reminders that are in the queue.
TOLERANCE = timedelta(minutes=1)


class DeliveryFailed(Exception):
    """The mail server did not accept the mail. The text has no address: it is logged."""


def send(mail: OutgoingMail) -> str:
    """Send a mail of the queue. Raises DeliveryFailed if it is to be tried again."""
    if mail.state != MailState.QUEUED or mail.kind not in MAIL_KINDS:
        mail.leave_queue(MailState.CANCELLED if mail.state == MailState.QUEUED else MailState(mail.state))
        _save(mail)
        return "not sent"
    text = queries.find_text(mail.business, mail.kind) if mail.business else None
    try:
        composed = compose(mail, text)
    except NotNeeded as obsolete:
        mail.leave_queue(MailState.CANCELLED, obsolete.reason)
        _save(mail)
        return f"not sent: {obsolete.reason}"
    later = _later_time(mail, text)
    if later is not None:
        mail.queue(later)
        _save(mail)
        return "moved to the time that the business has chosen since"
    if not _may_send(mail, composed.to):
        mail.leave_queue(MailState.CANCELLED, CancelReason.TOO_MANY)
        _save(mail)
        return f"not sent: {CancelReason.TOO_MANY}"
    try:
        build_message(mail, composed).send()
    except (OSError, smtplib.SMTPException, BadHeaderError, UnicodeError) as error:
        return _handle_failure(mail, error)
    _mark_sent(mail, composed)
    return "sent"


def _may_send(mail: OutgoingMail, to: str) -> bool:
    """Whether visitors have not caused too much mail to this address today. What people send again is not limited."""
    if mail.cause != BY_VISITOR or mail.resends:
        return True
    name = f"mail of visitors of {mail.business} to {to}"
    return throttle.is_among_first(name, mail.place, limit=MAX_OF_VISITORS, seconds=DAY)


def _later_time(mail: OutgoingMail, text: MailText | None) -> datetime | None:
    """The time of a reminder that is not due yet, because the business has chosen a shorter lead time since."""
    kind = MAIL_KINDS[mail.kind]
    if kind.lead_time is None or mail.start is None or mail.resends:
        return None
    at = mail.start - lead_time(kind.lead_time, text)
    return at if at > now() + TOLERANCE else None


def lead_time(default: timedelta, text: MailText | None) -> timedelta:
    return timedelta(hours=int(text.lead_hours)) if text is not None and text.lead_hours else default


def _mark_sent(mail: OutgoingMail, composed: ComposedMail) -> None:
    mail.to, mail.subject, mail.body = composed.to, composed.subject, composed.shown_body[:MAX_BODY]
    mail.sent_at = now()
    mail.attempts = int(mail.attempts or 0) + 1
    mail.error = None
    mail.leave_queue(MailState.SENT)
    _save(mail)


def _handle_failure(mail: OutgoingMail, error: Exception) -> str:
    mail.attempts = int(mail.attempts or 0) + 1
    mail.error = _description(error)
    if _is_permanent(error) or mail.attempts >= MAX_ATTEMPTS:
        mail.leave_queue(MailState.FAILED)
        _save(mail)
        return f"failed: {mail.error}"
    _save(mail)
    raise DeliveryFailed(mail.error) from None


def _save(mail: OutgoingMail) -> None:
    """In a command of its own for each attempt, so that a lost reply is recognised."""
    command = Command(f"mail-{mail.revision}-{int(mail.resends or 0)}", SYSTEM).part(repr(mail.key))
    transaction = Transaction(command)
    transaction.save(mail, revision=mail.revision)
    transaction.commit(mail)


def _is_permanent(error: Exception) -> bool:
    """Whether another attempt is of no use. Wrong settings of ours can be corrected, so they are not permanent."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _text in error.recipients.values())
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code >= 500
    return isinstance(error, BadHeaderError | UnicodeError)


def _description(error: Exception) -> str:
    """Without the address and the text of the server, which may repeat it."""
    codes: list[object] = []
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _text in error.recipients.values()]
    elif isinstance(error, smtplib.SMTPResponseException):
        codes = [error.smtp_code]
    return " ".join([type(error).__name__, *map(str, codes)])

"""What people do with mail: cancel it, send it again, put it back into the queue."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.audit.services import record
from dashboard.platform.due.leases import is_not_leased, refuse_leased
from dashboard.platform.mail import queries
from dashboard.platform.mail.items import CancelReason, MailState, OutgoingMail
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent

_BEING_SENT = _("This mail is being sent right now. Reload the page in a moment.")


@idempotent
def cancel(business: str, place: str, *, revision: int, command: Command) -> OutgoingMail:
    """Take mail out of the queue, unless it is being sent right now."""

    def change(mail: OutgoingMail) -> None:
        if mail.state != MailState.QUEUED:
            raise Refused(_("This mail is not in the queue any more."))
        mail.leave_queue(MailState.CANCELLED, CancelReason.PERSON)

    return _change(business, place, "mail.cancel", change, revision, command)


@idempotent
def resend(business: str, place: str, *, revision: int, command: Command) -> OutgoingMail:
    """Send mail again, as a new message with the current content."""

    def change(mail: OutgoingMail) -> None:
        if mail.state == MailState.QUEUED:
            raise Refused(_("This mail is in the queue already."))
        mail.resends = int(mail.resends or 0) + 1
        mail.queue(now())

    return _change(business, place, "mail.resend", change, revision, command)


@idempotent
def restore(business: str, place: str, *, revision: int, command: Command) -> OutgoingMail:
    """Undo a cancellation: the mail is sent at its time, or now if that has passed."""

    def change(mail: OutgoingMail) -> None:
        if mail.state != MailState.CANCELLED:
            raise Refused(_("This mail is not cancelled."))
        mail.queue(max(mail.send_at, now()))

    return _change(business, place, "mail.restore", change, revision, command)


def _change(
    business: str,
    place: str,
    action: str,
    change: Callable[[OutgoingMail], None],
    revision: int,
    command: Command,
) -> OutgoingMail:
    mail = queries.load_mail(business, place)
    before = {"mailState": mail.state}
    change(mail)
    transaction = Transaction(command)
    transaction.save(
        mail, revision=revision, condition=is_not_leased(), on_failure=refuse_leased(revision, _BEING_SENT)
    )
    record(
        transaction,
        action,
        target=f"mail:{mail.place}",
        kind="mail",
        title=mail.title or mail.target,
        before=before,
        after={"mailState": mail.state},
        business=business or None,
    )
    return transaction.commit(mail, before)

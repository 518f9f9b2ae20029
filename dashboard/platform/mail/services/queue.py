"""Puts mail into the queue. It follows from the audit entry of the action (dashboard/platform/outbox/)."""

from __future__ import annotations

from dashboard.core.clock import now
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.mail import queries
from dashboard.platform.mail.items import CancelReason, MailState, OutgoingMail
from dashboard.platform.mail.kinds import DERIVATIONS, QueueChanges
from dashboard.platform.outbox.records import OutboxRecord
from dashboard.table.transactions import Transaction

# An entry that nobody has processed for so long leads to no mail: a confirmation after a day is of no use.
TOO_LATE_HOURS = 24


def add_mail(entry: OutboxRecord, transaction: Transaction) -> str:
    """Add the mail of an action to the transaction in which its entry leaves the outbox."""
    if not isinstance(entry, AuditEntry):
        return "no audit entry"
    derive = DERIVATIONS.get(entry.action or "")
    is_late = entry.due_at is not None and (now() - entry.due_at).total_seconds() > TOO_LATE_HOURS * 3600
    changes = derive(entry) if derive is not None and not is_late else QueueChanges()
    count = _add_new(transaction, changes.new)
    # Where the steps do not suffice, the check before sending cancels the rest.
    for mail in changes.cancelled[: transaction.free_steps - 1]:
        mail.leave_queue(MailState.CANCELLED, changes.reason)
        transaction.save(mail, revision=mail.revision)
    return f"queued {count}" if not is_late else "too late, nothing was queued"


def _add_new(transaction: Transaction, new: list[OutgoingMail]) -> int:
    count = 0
    for mail, current in zip(new, queries.current_mails(new) if new else [], strict=True):
        if current is None:
            mail.queue(mail.send_at)
            transaction.create(mail)
        elif current.reason in {CancelReason.MOVED, CancelReason.BOOKING_CANCELLED}:
            # The reminder of a booking that was moved and moved back, or cancelled and restored.
            current.queue(mail.send_at)
            transaction.save(current, revision=current.revision)
        else:
            continue
        count += 1
    return count

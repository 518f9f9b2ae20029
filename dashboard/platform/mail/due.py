"""The due tasks of mail: audit entries that lead to mail, and mail that is to be sent."""

from __future__ import annotations

from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.due.registry import due
from dashboard.platform.mail.items import OutgoingMail
from dashboard.platform.mail.services import delivery, queueing


@due("audit entry")
def queue_mail_of(entry: AuditEntry) -> str:
    return queueing.queue_mail_of(entry)


@due("outgoing mail")
def send(mail: OutgoingMail) -> str:
    return delivery.send(mail)

"""The due task of mail: to send it."""

from __future__ import annotations

from dashboard.platform.due.registry import due
from dashboard.platform.mail.items import OutgoingMail
from dashboard.platform.mail.services import delivery


@due("outgoing mail")
def send(mail: OutgoingMail) -> str:
    return delivery.send(mail)

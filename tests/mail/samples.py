"""Mail for tests that request every page."""

from __future__ import annotations

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.mail.items import OutgoingMail
from dashboard.table.commands import new_command
from dashboard.table.transactions import Transaction
from tests.conftest import ACTOR


def put_mail(business: str, mail_id: str, *, kind: str = "booking.confirmation", **values: object) -> OutgoingMail:
    """Mail in the queue. It is due in a minute."""
    mail = OutgoingMail.at(business, now(), mail_id)
    mail.kind, mail.target, mail.title = kind, "gone", "Juan Pérez"
    mail.queue(now())
    for name, value in values.items():
        setattr(mail, name, value)
    transaction = Transaction(new_command(ACTOR))
    transaction.create(mail)
    return transaction.commit(mail)


def create_mail_samples(business: str = "andina") -> tuple[str, str]:
    """Mail of a business and of the platform with the same name in URLs, and a kind of mail."""
    mail_id = new_id()
    mail = put_mail(business, mail_id)
    put_mail("", mail_id, kind="account.invitation")
    return mail.place, mail.kind

"""Saves the texts of a business."""

from __future__ import annotations

from typing import Any

from dashboard.core.errors import Conflict
from dashboard.platform.audit.services import record
from dashboard.platform.mail import queries
from dashboard.platform.mail.fields import TEXT_FIELDS
from dashboard.platform.mail.items import MailText
from dashboard.platform.mail.kinds import MAIL_KINDS
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, report_unchanged


@idempotent
def save(business: str, kind: str, values: dict[str, Any], *, revision: int, command: Command) -> MailText:
    """Save the texts. They apply to mail that is not sent yet."""
    return _save(business, kind, values, "mail_text.save", revision, command)


@idempotent
def reset(business: str, kind: str, *, revision: int, command: Command) -> MailText:
    """Use the default texts, time and sending again."""
    return _save(business, kind, dict.fromkeys(TEXT_FIELDS.names), "mail_text.reset", revision, command)


def _save(business: str, kind: str, values: dict[str, Any], action: str, revision: int, command: Command) -> MailText:
    text = queries.load_text(business, kind)
    before = _audit_values(text)
    TEXT_FIELDS.apply(text, values)
    after = _audit_values(text)
    if after == before:
        return report_unchanged(text, {"before": before, "after": before}, command)
    transaction = Transaction(command)
    if text.revision:
        transaction.save(text, revision=revision)
    elif revision:
        raise Conflict(None)
    else:
        transaction.create(text)
    title = MAIL_KINDS[kind].default_text("label", "en")
    record(
        transaction,
        action,
        target=f"mail_text:{kind}",
        kind="mail_text",
        title=title,
        before=before,
        after=after,
        business=business,
    )
    return transaction.commit(text, {"before": before, "after": after})


def _audit_values(text: MailText) -> dict[str, Any]:
    return {name: getattr(text, name) for name in TEXT_FIELDS.names}

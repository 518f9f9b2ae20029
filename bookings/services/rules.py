"""The booking rules, stored in the settings of the business."""

from __future__ import annotations

from typing import Any

from bookings.fields import RULE_FIELDS
from dashboard.platform.audit.services import record
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, report_unchanged


@idempotent
def save(business: str, values: dict[str, Any], *, revision: int, command: Command) -> Business:
    """Save the rules. They apply to new bookings."""
    current = queries.load_business(business)
    before = audit_values(current)
    RULE_FIELDS.apply(current, values)
    after = audit_values(current)
    if after == before:
        return report_unchanged(current, {"before": before, "after": before}, command)
    transaction = Transaction(command)
    transaction.save(current, revision=revision)
    record(
        transaction,
        "booking_rules.save",
        target=current.id,
        kind="booking_rules",
        title=current.title,
        before=before,
        after=after,
        business=business,
    )
    return transaction.commit(current, {"before": before, "after": after})


def audit_values(business: Business) -> dict[str, Any]:
    return {name: getattr(business, name) for name in RULE_FIELDS.names}

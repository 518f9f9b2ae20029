"""What a business asks of those who book, in its settings beside what other services keep there."""

from __future__ import annotations

from dashboard.platform.audit.services import record
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Tenant
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, unchanged

FIELDS = ("notice_minutes", "horizon_days", "step_minutes")


@idempotent
def save(tenant: str, values: dict[str, int | None], *, revision: int, command: Command) -> Tenant:
    """Holds from the next booking on; what is booked stays."""
    business = queries.business(tenant)
    before = audit_values(business)
    for name in FIELDS:
        if name in values:
            setattr(business, name, values[name])
    after = audit_values(business)
    if after == before:
        return unchanged(business, {"before": before, "after": before}, command)
    transaction = Transaction(command)
    transaction.save(business, revision=revision)
    record(
        transaction,
        "booking_rules.save",
        target=business.id,
        kind="booking_rules",
        title=business.title,
        before=before,
        after=after,
        tenant=tenant,
    )
    return transaction.commit(business, {"before": before, "after": after})


def audit_values(business: Tenant) -> dict[str, int | None]:
    return {name: getattr(business, name) for name in FIELDS}

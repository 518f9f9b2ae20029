"""Writes a business, its unique addresses and the audit entries in one transaction."""

from __future__ import annotations

from typing import Any

from dashboard.platform.audit.services import record
from dashboard.platform.businesses.fields import BUSINESS_FIELDS
from dashboard.platform.businesses.items import CLOSED, Business, BusinessStatus
from dashboard.platform.businesses.services import member_copies, unique_addresses
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, report_unchanged

# The audit action of each new status; any other change is an edit.
ACTIONS: dict[str, str] = {
    BusinessStatus.ACTIVE: "business.activate",
    BusinessStatus.TRIAL: "business.trial",
    BusinessStatus.SUSPENDED: "business.suspend",
    BusinessStatus.CANCELLED: "business.cancel",
}


def audit_values(business: Business) -> dict[str, Any]:
    """The values for the audit trail and for Undo. Unlike those of `Fields.audit_values`, they include None."""
    return BUSINESS_FIELDS.values_of(business)


def apply(business: Business, values: dict[str, str]) -> None:
    """Set the given values; an empty value becomes None. Only a closed business has a reason."""
    for field in BUSINESS_FIELDS:
        if field.name in values:
            setattr(business, field.item_attribute, values[field.name] or None)
    if business.status not in CLOSED:
        business.status_reason = None


def save(business: Business, before: dict[str, Any], *, revision: int, command: Command, on_platform: bool) -> Business:
    """Write what changed. Without a change nothing is written, so that other open forms do not get a conflict."""
    after = audit_values(business)
    if after == before:
        saved = report_unchanged(business, {"before": before, "after": before}, command)
        if not saved.outcome.is_no_change:
            # A repeated command: after its first attempt the copies may not have been updated.
            member_copies.update_for_business(saved)
        return saved
    transaction = Transaction(command)
    transaction.save(business, revision=revision)
    unique_addresses.reserve(transaction, business, slug=before["slug"], domain=before["domain"])
    action = "business.edit" if before["status"] == after["status"] else ACTIONS.get(business.status, "business.edit")
    record_change(transaction, action, business, before=before, after=after, on_platform=on_platform)
    saved = transaction.commit(business, {"before": before, "after": after})
    if (before["name"], before["status"]) != (after["name"], after["status"]):
        member_copies.update_for_business(saved)
    return saved


def record_change(
    transaction: Transaction, action: str, business: Business, *, on_platform: bool, **states: Any
) -> None:
    """Record it in the audit trail of the business, and a change by an admin also in that of the platform."""
    entry: dict[str, Any] = {"target": business.id, "kind": "business", "title": business.title, **states}
    record(transaction, action, business=business.id, **entry)
    if on_platform:
        record(transaction, action, **entry)

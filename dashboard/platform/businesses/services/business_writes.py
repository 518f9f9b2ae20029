"""How a business is written: with what it is called, and told in the trails, in one transaction."""

from __future__ import annotations

from typing import Any

from dashboard.platform.audit.services import record
from dashboard.platform.businesses.items import CLOSED, Business, Status
from dashboard.platform.businesses.services import claims, copies
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, unchanged

# What people set, as forms, the trail and Undo call it, where the item's name differs.
ATTRIBUTES = {"reason": "status_reason"}
FIELDS = (
    "name",
    "slug",
    "status",
    "reason",
    "plan",
    "domain",
    "billing_email",
    "language",
    "timezone",
    "color",
    "position",
)
# A change of status is told as what it is; any other is an edit.
ACTIONS: dict[str, str] = {
    Status.ACTIVE: "business.activate",
    Status.TRIAL: "business.trial",
    Status.SUSPENDED: "business.suspend",
    Status.CANCELLED: "business.cancel",
}


def snapshot(business: Business) -> dict[str, Any]:
    """What the trail says of a business, and what Undo goes back to."""
    return {name: getattr(business, ATTRIBUTES.get(name, name)) for name in FIELDS}


def apply(business: Business, values: dict[str, str]) -> None:
    """Set what is given; empty is none. Why it is closed is only said of one that is."""
    for name, value in values.items():
        setattr(business, ATTRIBUTES.get(name, name), value or None)
    if business.status not in CLOSED:
        business.status_reason = None


def save(business: Business, before: dict[str, Any], *, revision: int, command: Command, on_platform: bool) -> Business:
    """Write what changed; nothing where nothing did, since a trail of nothing makes colleagues' forms collide."""
    after = snapshot(business)
    if after == before:
        told = unchanged(business, {"before": before, "after": before}, command)
        if not told.outcome.nothing:
            copies.follow(told)  # The reply was lost, and perhaps what comes after the commit too.
        return told
    transaction = Transaction(command)
    transaction.save(business, revision=revision)
    claims.take(transaction, business, slug=before["slug"], domain=before["domain"])
    action = "business.edit" if before["status"] == after["status"] else ACTIONS.get(business.status, "business.edit")
    record_change(transaction, action, business, before=before, after=after, on_platform=on_platform)
    saved = transaction.commit(business, {"before": before, "after": after})
    if (before["name"], before["status"]) != (after["name"], after["status"]):
        copies.follow(saved)
    return saved


def record_change(
    transaction: Transaction, action: str, business: Business, *, on_platform: bool, **states: Any
) -> None:
    """In the business's own trail; what an admin did also in the platform's."""
    about: dict[str, Any] = {"target": business.id, "kind": "business", "title": business.title, **states}
    record(transaction, action, business=business.id, **about)
    if on_platform:
        record(transaction, action, **about)

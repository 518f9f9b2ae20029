"""Schedule a page, cancel that, and publish it at its time."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from content.items import Content, PageSchedule
from content.queries.pages import find_page, load_page
from content.queries.schedules import find_schedule
from content.services.audit import record_page_change
from content.services.publishing import CANCELLED, set_status
from content.statuses import PageStatus
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.platform.businesses.queries import find_business
from dashboard.table.commands import SYSTEM, Actor, Command
from dashboard.table.retries import retry_on
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, idempotent

# Why a page was not published at its time.
MISSED_REASONS = {
    "gone": _("The page no longer exists."),
    "archived": _("The page was archived."),
    "closed": _("The business was suspended or cancelled."),
    "address": _("Another page has its address."),
}


@idempotent
def schedule(business: str, node: str, due_at: datetime, zone: str, *, revision: int, command: Command) -> PageSchedule:
    """Publish a page at a time, as it is saved then. An earlier schedule of the page is replaced."""
    page, existing = load_page(business, node), find_schedule(business, node)
    if page.revision != revision:
        raise Conflict(page)
    if page.state == PageStatus.PUBLISHED:
        raise Conflict(page, _("This page is already published."))
    if due_at <= now():
        raise Refused(_("This is in the past."), "time")
    made = existing or PageSchedule.new(tenant=business, node=node)
    before = _audit_values(made) if existing else None
    made.due_at, made.timezone, made.title, made.missed = due_at, zone, page.display_title, None
    made.created_by, made.created_by_name = command.by.email, command.by.name or None
    transaction = Transaction(command)
    if existing is None:
        transaction.create(made)
    else:
        transaction.save(made, revision=existing.revision)
    transaction.check(page.key, page.unchanged("version"), Conflict)
    record_page_change(transaction, "schedule", page, before, _audit_values(made))
    return transaction.commit(made)


@idempotent
def cancel(business: str, node: str, *, revision: int, command: Command) -> None:
    """Cancel a schedule, or dismiss one that was missed. `revision` is that of the schedule."""
    page, existing = load_page(business, node), find_schedule(business, node)
    if existing is None:
        raise Conflict(page, CANCELLED)
    transaction = Transaction(command)
    transaction.delete(existing, revision=revision)
    record_page_change(transaction, "unschedule", page, _audit_values(existing), None)
    transaction.commit(None)


def publish_due(due: PageSchedule) -> str:
    """Publish a page at its time; return the result as text.

    The command is derived from the schedule, so that it is published once, however many processes try.
    """
    business, node = str(due.key_parts["tenant"]), str(due.key_parts["node"])
    found = find_business(business)
    if found is None or found.is_closed:
        return _miss(due, "closed")

    def attempt() -> str:
        page = find_page(business, node)
        if page is None:
            return _miss(due, "gone")
        if page.state == PageStatus.ARCHIVED:
            return _miss(due, "archived")
        if page.state == PageStatus.PUBLISHED:
            _forget(due)
            return "it is published already"
        return _publish(due, page)

    return retry_on(StaleRevision, attempt)


def _publish(due: PageSchedule, page: Content) -> str:
    business, node = str(due.key_parts["tenant"]), str(due.key_parts["node"])
    by = Actor(due.created_by, due.created_by_name or "") if due.created_by else SYSTEM
    try:
        command = Command(_command_id(due), by)
        revision = page.revision
        set_status(business, node, PageStatus.PUBLISHED, revision=revision, is_scheduled=True, command=command)
    except Refused:
        return _miss(due, "address")
    except Conflict as conflict:
        # Somebody saved, published, scheduled or cancelled it at the same moment.
        current = find_schedule(business, node)
        if current is None or current.revision != due.revision:
            return "it was cancelled, published or scheduled for another time meanwhile"
        raise StaleRevision(conflict.item) from conflict
    return f"published {node}"


def _command_id(due: PageSchedule) -> str:
    identity = repr((due.pk, due.sk, due.due_at, due.revision))
    return f"page-schedule-{hashlib.sha256(identity.encode()).hexdigest()[:32]}"


@idempotent
def _record_miss(due: PageSchedule, reason: str, *, command: Command) -> PageSchedule:
    """It stays with the page, with the reason, but is not due any more."""
    due.missed = reason
    transaction = Transaction(command)
    transaction.save(due, revision=due.revision)
    return transaction.commit(due)


def _miss(due: PageSchedule, reason: str) -> str:
    _record_miss(due, reason, command=Command(f"{_command_id(due)}-{reason}", SYSTEM))
    return f"could not publish it: {reason}"


def _forget(due: PageSchedule) -> None:
    transaction = Transaction(Command(f"{_command_id(due)}-over", SYSTEM))
    transaction.delete(due, revision=due.revision)
    transaction.commit(None)


def _audit_values(made: PageSchedule) -> dict[str, str]:
    return {"due_at": to_wire(made.due_at) if made.due_at else "", "timezone": made.timezone or ""}

"""Counting people by domain. Outside writers create people, so the count follows the index of people."""

from __future__ import annotations

from datetime import datetime, timedelta

from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.platform.audit.services import record
from dashboard.table import keys, write
from dashboard.table.commands import SYSTEM, Command, new_command
from dashboard.table.due_times import LEASE_FOR, LEASE_UNTIL
from dashboard.table.timestamps import from_wire
from dashboard.table.transactions import Transaction, idempotent, report_unchanged
from rooms.configs.domains import DOMAINS
from rooms.domain_counts import add_people, valid_counts
from rooms.items import DomainCount
from rooms.queries import domains as queries
from rooms.queries.domains import PeoplePage

# The index may lag: people who registered less than this ago are counted later.
LAG = timedelta(minutes=2)
# `run_due` runs every minute, so this means every five minutes. It must be shorter than its lease.
EVERY = timedelta(minutes=4, seconds=50)
# Pages of people in one call; the rest is due again at once.
MAX_PAGES = 5
# The attributes that must be unchanged since they were read.
_POSITION = ("upTo", "freshUpTo", "freshSince", "corrections")


def start() -> bool:
    """Create the item of the count."""
    count = DomainCount.new()
    count.due_at = now()
    transaction = Transaction(new_command(SYSTEM))
    transaction.create(count)
    try:
        transaction.commit(count)
    except Conflict:
        return False  # Another run has created it.
    return True


@idempotent
def recount(*, command: Command) -> DomainCount:
    """Count everyone from the start. The old counts are shown until that is finished."""
    count = queries.find_domain_count()
    if count is not None and count.is_recounting:
        return report_unchanged(count, {}, command)
    transaction = Transaction(command)
    if count is None:
        count = DomainCount.new()
        count.due_at = now()
        transaction.create(count)
    else:
        count.recount_counts, count.recount_up_to = {}, None
        count.recount_since = count.due_at = now()
        transaction.save(count, revision=count.revision)
    record(transaction, "domains.recount", target=DOMAINS.name, kind="config", title=DOMAINS.name)
    try:
        return transaction.commit(count)
    except Conflict as other:
        # Someone else has requested a recount, or the first count has started.
        if not isinstance(other.item, DomainCount):
            raise
        return report_unchanged(other.item, {}, command)


def count_next(count: DomainCount) -> int:
    """Count the next people, at most `MAX_PAGES` pages, and return their number."""
    done = 0
    for number in range(1, MAX_PAGES + 1):
        until = now() - LAG
        page = queries.people_after(count.recount_up_to if count.is_recounting else count.up_to, until)
        saved = _save_step(count, page, until, last=not page.has_more or number == MAX_PAGES)
        if saved is not None:
            done += len(page.people)
            if not page.has_more:
                break
        # Another run was faster, or our reply was lost: continue from the stored position.
        current = saved or queries.find_domain_count()
        if current is None:
            break
        count = current
    return done


def _save_step(count: DomainCount, page: PeoplePage, until: datetime, *, last: bool) -> DomainCount | None:
    """Write counts and position in one update if the position is unchanged, so that everyone counts once."""
    recounting, more = count.is_recounting, page.has_more
    numbers, up_to = (count.recount_counts, count.recount_up_to) if recounting else (count.counts, count.up_to)
    people = [parts["email"] for raw in page.people if (parts := keys.PERSON.read(raw["PK"]["S"], raw["SK"]["S"]))]
    numbers = add_people(valid_counts(numbers), map(str, people))
    up_to = page.position or up_to
    if recounting and more:
        count.recount_counts, count.recount_up_to = numbers, up_to
    else:
        count.counts, count.up_to, count.counted_at = numbers, up_to, now()
        count.through = until if not more else _registered_at(up_to) or count.through
        count.recount_counts = count.recount_up_to = count.recount_since = None
    if last:
        count.due_at = now() if more else now() + EVERY
        count.set_index_keys()
    attributes = count.get_attributes()
    actions = [
        attributes[name].remove() if value is None else attributes[name].set(value)
        for name, value in count.changes().items()
    ]
    if not actions:
        return count  # Nobody has registered within this second.
    if last:
        # It may be due again within this second: the next run needs no end of the lease.
        actions += [Path([name]).remove() for name in (LEASE_UNTIL, LEASE_FOR)]
    saved = write.update(count.key, actions, Path(["PK"]).exists() & count.unchanged(*_POSITION))
    return DomainCount.of(saved) if saved is not None else None


def _registered_at(position: dict[str, str] | None) -> datetime | None:
    """When the last counted person registered, if that is readable."""
    try:
        return from_wire(queries.registered_until(position))
    except (ValueError, OverflowError):
        return None

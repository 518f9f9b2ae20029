"""People as outside writers store them, and reads of the count by domain."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from dashboard.core.clock import now
from dashboard.platform.due import runner
from dashboard.table import connection, keys
from dashboard.table.timestamps import to_wire
from rooms.domain_counts import DomainTotals
from rooms.items import DomainCount
from rooms.queries.domains import find_domain_count
from rooms.services import domain_counts
from tests.audit.entries import put_all

ONE_HOUR = timedelta(hours=1)


def raw_person(email: str, registered_at: datetime | str, **more: Any) -> dict[str, Any]:
    at = registered_at if isinstance(registered_at, str) else to_wire(registered_at)
    pk, sk = keys.PERSON.key(email=email)
    index_keys = {"GSITypePK": {"S": keys.PEOPLE_BY_AGE.collection().pk}, "GSITypeSK": {"S": at}}
    return {"PK": {"S": pk}, "SK": {"S": sk}, "email": {"S": email}, "createdAt": {"S": at}, **index_keys, **more}


def register_people(domains: Iterable[str], since: datetime | None = None, name: str = "p") -> None:
    """Write one person for each of these domains, each one second after the previous one."""
    first = since or now() - ONE_HOUR
    put_all(
        raw_person(f"{name}{number}@{domain}", first + timedelta(seconds=number))
        for number, domain in enumerate(domains)
    )


def delete_person(email: str) -> None:
    pk, sk = keys.PERSON.key(email=email)
    connection.table().delete_item(pk, sk)


def stored_count() -> DomainCount:
    count = find_domain_count()
    assert count is not None
    return count


def stored_counts() -> dict[str, int]:
    """The people counted by domain."""
    totals = DomainTotals.from_item(find_domain_count())
    return dict(totals.counts) if totals else {}


def count_all() -> None:
    """Start the count if it has not started, and count everyone."""
    domain_counts.start()
    while True:
        before = stored_count().raw
        domain_counts.count_next(stored_count())
        after = stored_count()
        if after.raw.get("upTo") == before.get("upTo") and not after.is_recounting:
            return


def run_due() -> list[str]:
    """Run the due tasks, and return the texts of the count by domain; no task may fail."""
    results = list(runner.run())
    assert [each for each in results if each.failed] == []
    return [each.text for each in results if each.task.startswith(("domain count", "ensure_domain_count"))]

"""People of the event as other services write them, by the hundred, and what is counted of them."""

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

A_WHILE = timedelta(hours=1)


def raw_person(email: str, came: datetime | str, **more: Any) -> dict[str, Any]:
    at = came if isinstance(came, str) else to_wire(came)
    pk, sk = keys.PERSON.key(email=email)
    place = {"GSITypePK": {"S": keys.PEOPLE_BY_AGE.collection().pk}, "GSITypeSK": {"S": at}}
    return {"PK": {"S": pk}, "SK": {"S": sk}, "email": {"S": email}, "createdAt": {"S": at}, **place, **more}


def register_people(domains: Iterable[str], since: datetime | None = None, name: str = "p") -> None:
    """One person of each of these domains, a second after the other."""
    first = since or now() - A_WHILE
    put_all(
        raw_person(f"{name}{number}@{domain}", first + timedelta(seconds=number))
        for number, domain in enumerate(domains)
    )


def delete_person(email: str) -> None:
    pk, sk = keys.PERSON.key(email=email)
    connection.table().delete_item(pk, sk)


def stored_count() -> DomainCount:
    found = find_domain_count()
    assert found is not None
    return found


def stored_counts() -> dict[str, int]:
    """The numbers as they stand."""
    found = DomainTotals.from_item(find_domain_count())
    return dict(found.counts) if found else {}


def count_all() -> None:
    """Begin where nobody has, and count to the end."""
    domain_counts.start()
    while True:
        before = stored_count().raw
        domain_counts.count_next(stored_count())
        after = stored_count()
        if after.raw.get("upTo") == before.get("upTo") and not after.is_recounting:
            return


def run() -> list[str]:
    """What is due, and what is said of the count."""
    told = list(runner.run())
    assert [each for each in told if each.failed] == []
    return [each.text for each in told if each.task.startswith(("domain count", "ensure_domain_count"))]

"""Measures the list of people, as ratios within one run: `make bench`.

Times of different machines cannot be compared, so each time is divided by another time of the same run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from tests import demo

from django.test import Client  # isort: skip

from dashboard.core.clock import now
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people, sessions
from dashboard.table import connection, keys, read
from dashboard.table.commands import SYSTEM, new_command
from tests.bulk_people import write_people


def median_ms(action: Callable[[], Any], times: int = 40) -> float:
    """The median time of an action, in milliseconds."""
    durations = []
    for _ in range(times):
        started = time.perf_counter()
        action()
        durations.append((time.perf_counter() - started) * 1000)
    return statistics.median(durations)


def plain_client() -> Any:
    """A client of botocore with its own parser, without our changes."""
    import botocore.session

    return botocore.session.Session().create_client("dynamodb", config=connection.CONFIG)


def measure_page_of_items() -> None:
    """Compares reading a page of 50 people with botocore alone."""
    collection = keys.ACCOUNTS.collection(state=Role.MODERATOR)
    raw = plain_client()
    query = {
        "TableName": connection.table().table_name,
        "IndexName": collection.index,
        "KeyConditionExpression": "GSIStatusPK = :pk",
        "ExpressionAttributeValues": {":pk": {"S": collection.pk}},
        "Limit": 50,
    }
    base = median_ms(lambda: raw.query(**query))
    full = median_ms(lambda: read.page(collection, Person, limit=50))
    card = median_ms(lambda: read.page(collection, Person, limit=50, attributes=queries.IN_LISTS))
    print_ratio("a page of 50 items, all attributes", full / base, "of botocore alone")
    print_ratio("a page of 50 items, only the attributes of a list", card / base, "of botocore alone")


def measure_people_page(client: Client, count: int) -> tuple[int, float, int, float]:
    """Calls, capacity units, round trips and milliseconds of the list of people."""
    response = client.get("/people/")
    log = response.wsgi_request.oplog  # type: ignore[attr-defined]
    milliseconds = median_ms(lambda: client.get("/people/"), 15)
    print(f"  /people/ at {count:>6} people: {len(log.calls)} calls, {log.units} units, {log.trips} trips")
    return len(log.calls), log.units, log.trips, milliseconds


def print_ratio(what: str, ratio: float, of: str) -> None:
    print(f"  {what}: x{ratio:.2f} {of}")


def main() -> None:
    with demo.engine() as engine:
        print(f"Engine: {engine}")
        admin = people.create(
            "admin@example.com", name="Alma", role=Role.ADMIN, password_hash="!", command=new_command(SYSTEM)
        )
        client = Client()
        cookie = sessions.open_session(admin, address="127.0.0.1", agent="bench")
        client.cookies["session"] = cookie
        write_people(100, since=now())
        few = measure_people_page(client, 100)
        measure_page_of_items()
        write_people(10_000, since=now())
        many = measure_people_page(client, 10_000)
        print_ratio("the list of people at 10,000, time", many[3] / few[3], "of its time at 100")
        assert few[:3] == many[:3], "The list of people costs more as people are added."


if __name__ == "__main__":
    main()

"""The events of a country on a day."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from activity.events import SHARDS, Event
from activity.queries.merge import Period, Source, merged_page
from dashboard.table import keys
from dashboard.table.items import Raw
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern


@access_pattern("What did people of a country do on a day?", keys.ACTIVITY_BY_COUNTRY)
def events_by_country(country: str, day: date, start_key: Raw | None = None, *, limit: int = 50) -> Page[Event]:
    """A page of the events of a country on a day (UTC), newest first, from all shards in parallel.

    The country is written as in the events; "unknown" are those without one.
    """
    start = datetime.combine(day, time(), UTC)
    period = Period(start, start + timedelta(days=1)).continued(start_key)
    return merged_page(sources_of(country, day.isoformat(), limit // SHARDS * 2 + 5), period, limit=limit)


def sources_of(country: str, day: str, per_shard: int) -> list[Source]:
    """The partitions of a country on a day."""
    return [
        Source.of_month(keys.ACTIVITY_BY_COUNTRY.collection(country=country, date=day, shard=shard), day[:7], per_shard)
        for shard in range(SHARDS)
    ]

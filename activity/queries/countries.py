"""The partitions of the index by country."""

from __future__ import annotations

from activity.events import SHARDS
from activity.queries.merge import EventPartition
from dashboard.table import keys
from dashboard.table.keypattern import Collection


def sources_of(country: str, day: str, per_shard: int) -> list[EventPartition]:
    """The partitions of a country on a day (UTC), one for each shard. A page reads up to `per_shard` events of each.

    The country is written as in the events; "unknown" are those without one.
    """

    def collection(shard: int) -> Collection:
        return keys.ACTIVITY_BY_COUNTRY.collection(country=country, date=day, shard=shard)

    return [EventPartition.of_month(collection(shard), day[:7], per_shard) for shard in range(SHARDS)]

"""The timeline of a person."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from activity.events import SHARDS, Event, fold_user
from activity.queries.merge import EventPartition, Period, merged_page
from dashboard.table import keys
from dashboard.table.items import Raw
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern


@access_pattern("What did a person do, newest first?", keys.ACTIVITY, keys.OUTSIDE_ACTIVITY, partition=True)
def person_events(
    user: str,
    start: datetime,
    end: datetime,
    start_key: Raw | None = None,
    *,
    limit: int = 50,
    spellings: Iterable[str] = (),
) -> Page[Event]:
    """A page of a person's events in all months of a period, from all shards in parallel.

    `spellings` are other forms of the address, as the event service has it in the key of the profile.
    """
    period, user = Period(start, end).continued(start_key), fold_user(user)
    names = dict.fromkeys([user, *spellings])
    # The shards are equally full: a tenth each, and a margin so that a page is usually full.
    per_shard = limit // SHARDS * 2 + 5
    sharded = [keys.ACTIVITY.collection(user=user, shard=shard) for shard in range(SHARDS)]
    outside = [keys.OUTSIDE_ACTIVITY.collection(user=name) for name in names]
    sources = [
        *(EventPartition.of_month(each, month, per_shard) for month in period.months for each in sharded),
        *(EventPartition.of_month(each, month, limit) for month in period.months for each in outside),
    ]
    return merged_page(sources, period, limit=limit)

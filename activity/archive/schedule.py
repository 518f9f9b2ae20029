"""When a day is sealed: after its end, when the followers have archived what was logged until then."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time

import duckdb
import pyarrow as pa

from activity.archive import manifest, sealing
from activity.archive.files import remove_file
from activity.archive.months import stream_of
from activity.archive.schema import day_of
from activity.archive.storage import Storage
from activity.items import table_of_month
from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.platform.stream.items import StreamShard
from dashboard.platform.stream.queries import shard_states, totals
from dashboard.platform.stream.source import NoStream, Stream

logger = logging.getLogger("trastienda.activity")

# The clocks of servers differ, and a write takes a moment to appear in the stream.
MARGIN = timedelta(minutes=5)
# A Lambda function says nothing while nothing happens: its batches come within this time.
FUNCTION_MARGIN = timedelta(hours=1)
# Days without events are sealed as well; so many days back.
EMPTY_DAYS = 7


class NotSealed(Exception):
    """Some days could not be sealed. `manage.py archive_activity --verify` tells why."""


def seal_due(storage: Storage, max_seconds: float = 120.0) -> list[date]:
    """Seal the days that are complete, and again those for which late events have arrived. Returns which.

    Raises NotSealed if a day could not be sealed, after the others.
    """
    ends, done, failed = time.monotonic() + max_seconds, list[date](), dict[date, Exception]()
    for day in _days_to_seal(storage):
        if time.monotonic() > ends:
            break
        try:
            sealing.seal_day(storage, day)
        except (sealing.LostFile, Conflict, duckdb.Error, pa.ArrowException) as error:
            logger.exception("a day could not be sealed", extra={"day": day.isoformat()})
            failed[day] = error
        else:
            done.append(day)
    if failed:
        raise NotSealed("; ".join(f"{day.isoformat()}: {type(error).__name__}" for day, error in failed.items()))
    return done


def _days_to_seal(storage: Storage) -> Iterator[date]:
    moment = now()
    arrived = set[date]()
    for file in manifest.incoming():
        days = manifest.days_of(file)
        arrived |= set(days)
        if not days:
            remove_file(storage, file)  # A sealing was interrupted before it.
    today = day_of(moment)
    recent = {today - timedelta(days=number) for number in range(1, EMPTY_DAYS + 1)}
    sealed = manifest.sealed_days(min(recent), today)
    followed: dict[str, datetime | None] = {}
    for day in sorted(arrived | (recent - sealed.keys())):
        if moment < _end_of(day) + MARGIN:
            continue
        table = table_of_month(f"{day:%Y-%m}")
        if table not in followed:
            followed[table] = followed_until(table, moment)
        until = followed[table]
        if until is not None and until >= _end_of(day) + MARGIN:
            yield day


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), clock_time(), UTC)


def followed_until(table: str, moment: datetime) -> datetime | None:
    """Until when all changes of a log table are archived; None if nobody has ever followed it.

    Of a table that does not exist or has no stream nothing more can come.
    """
    try:
        stream = stream_of(table)
    except NoStream:
        stream = None
    if stream is None:
        return moment
    states = [each for each in shard_states(table) if each.stream_arn == stream.arn]
    batch_at: datetime | None = totals(table).batch_at
    if batch_at is not None and not any(each.caught_up_at and each.caught_up_at >= batch_at for each in states):
        return moment - FUNCTION_MARGIN
    return _caught_up(stream, states, moment)


def _caught_up(stream: Stream, states: list[StreamShard], moment: datetime) -> datetime | None:
    by_shard = {str(each.key_parts["shard"]): each for each in states}
    oldest = moment
    for shard in stream.shards():
        state = by_shard.get(shard.id)
        if state is not None and state.is_finished:
            continue
        if state is None or state.caught_up_at is None:
            return None
        oldest = min(oldest, state.caught_up_at)
    return oldest

"""The log tables that are followed: those of the months from which changes can still come."""

from __future__ import annotations

from datetime import date, datetime

from botocore.exceptions import ClientError

from activity.items import table_of_month
from dashboard.core.errors import Unavailable
from dashboard.platform.stream.source import NoStream, Stream
from dashboard.table.retries import code_of

# Events stay 90 days in the log tables, and DynamoDB deletes them up to some days later.
PAST_MONTHS = 4


def months_around(day: date) -> list[str]:
    """The next month, this one and the past ones whose table may still have events, the newest first."""
    number = day.year * 12 + day.month
    return [f"{each // 12:04d}-{each % 12 + 1:02d}" for each in range(number, number - PAST_MONTHS - 2, -1)]


def log_tables(moment: datetime) -> list[str]:
    """The names of the tables that may exist, the newest first."""
    return [table_of_month(month) for month in months_around(moment.date())]


def stream_of(table: str) -> Stream | None:
    """The stream of a table; None if there is no such table. Raises NoStream if it has none."""
    try:
        return Stream.of_table(table)
    except Unavailable as error:
        cause = error.__cause__
        if isinstance(cause, ClientError) and code_of(cause) == "ResourceNotFoundException":
            return None
        raise


def has_stream(table: str) -> bool:
    try:
        return stream_of(table) is not None
    except NoStream:
        return False

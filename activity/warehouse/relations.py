"""The relations that questions select from, as common table expressions in DuckDB's SQL.

A question names what it uses; what that needs is added. `archive` is the only one that an engine provides: the columns
of the Parquet files with `date` and `country`. All texts are constants; values are always named parameters.
"""

from __future__ import annotations

from collections.abc import Iterable

ARCHIVE = "archive"
# The conditions of each filter. They are part of the statement only if the filter is set.
ARCHIVE_CONDITIONS = {
    "country": "country = $country",
    "domain": "domain = $domain",
    "room": "room = $room",
    # The archive may know a person by an address and by pseudonyms.
    "person": '"user" IN ($person, $person_second, $person_third, $person_fourth)',
}
EVENT_CONDITIONS = {"action": "action = $action"}
HOUR_CONDITIONS = {"hour": "hour = $hour"}

# Minutes count from the start of the range. A change of the clocks within several days shifts the local time after it;
# of one day hours are counted as they pass ($cycle is longer than any day), so that a day can have 23 or 25.
_TIMED = """
SELECT event_id, "user" AS person, "at" AS moment, action, room, country, domain, metadata,
  DATE_DIFF('minute', CAST($start AS TIMESTAMP), "at") AS minute,
  DATE_DIFF('minute', CAST($start AS TIMESTAMP), "at") + CASE
    WHEN "at" >= CAST($second_change AS TIMESTAMP) THEN $second_shift
    WHEN "at" >= CAST($first_change AS TIMESTAMP) THEN $first_shift
    ELSE 0
  END AS local_minute
FROM archive
WHERE "date" >= $first_date AND "date" <= $last_date
  AND "at" >= CAST($start AS TIMESTAMP) AND "at" < CAST($end AS TIMESTAMP)
"""
_CLOCKED = """
SELECT event_id, person, moment, action, room, country, domain, metadata, minute,
  CAST(FLOOR(local_minute / 1440) AS INTEGER) AS day,
  CAST(FLOOR((local_minute % $cycle) / 60) AS INTEGER) AS hour
FROM timed
"""
# What a person did in a room, whatever the action that the page filters by: a visit consists of all of them.
_ROOM_EVENTS = """
SELECT room, country, person, minute,
  CASE WHEN action = 'room_enter' AND JSON_EXTRACT_STRING(metadata, '$.open') = 'false' THEN 0 ELSE 1 END AS entered,
  CASE WHEN action = 'room_completed' THEN 1 ELSE 0 END AS completed,
  CASE WHEN action = 'time_spent'
    THEN TRY_CAST(JSON_EXTRACT_STRING(metadata, '$.duration') AS DOUBLE) ELSE 0 END AS duration
FROM all_actions
WHERE room IS NOT NULL
"""
# One row per room and person, and one more for each of their countries. A duration over a day is no duration.
_VISITS = """
SELECT room, country, person, GROUPING(country) AS is_total,
  MAX(entered) AS entered, MAX(completed) AS completed,
  CASE WHEN MAX(completed) = 1 OR SUM(
    CASE WHEN duration > 0 AND duration <= 86400 THEN CAST(FLOOR(duration) AS BIGINT) ELSE 0 END
  ) >= $stay_seconds THEN 1 ELSE 0 END AS stayed
FROM room_events
GROUP BY GROUPING SETS ((room, person), (room, country, person))
"""
_PRESENT_MINUTES = """
SELECT DISTINCT room, person, minute FROM room_events WHERE entered = 1
"""
_PRESENT_SPANS = """
SELECT room, minute, LEAD(minute) OVER (PARTITION BY room, person ORDER BY minute) AS next_minute FROM present_minutes
"""
# People come with an event and leave after $present_minutes without another.
_CROWD_CHANGES = """
SELECT room, minute, 1 AS change FROM present_spans
UNION ALL
SELECT room,
  CASE WHEN next_minute < minute + $present_minutes THEN next_minute ELSE minute + $present_minutes END AS minute,
  -1 AS change
FROM present_spans
"""
_CROWD_STEPS = """
SELECT room, minute, SUM(change) AS change FROM crowd_changes GROUP BY room, minute
"""
_CROWD = """
SELECT room, minute,
  SUM(change) OVER (PARTITION BY room ORDER BY minute ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS people
FROM crowd_steps
"""
_CROWD_RANKS = """
SELECT room, minute, people, ROW_NUMBER() OVER (PARTITION BY room ORDER BY people DESC, minute) AS place FROM crowd
"""
_OTHER_EVENTS = """
SELECT "user" AS person, action
FROM archive
WHERE "date" >= $other_first_date AND "date" <= $other_last_date
  AND "at" >= CAST($other_start AS TIMESTAMP) AND "at" < CAST($other_end AS TIMESTAMP)
"""

# In the order in which they are written. The conditions of filters are added to some of them.
RELATIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "timed": (_TIMED, ()),
    "clocked": (_CLOCKED, ("timed",)),
    "all_actions": ("SELECT * FROM clocked", ("clocked",)),
    "events": ("SELECT * FROM all_actions", ("all_actions",)),
    "other_events": (_OTHER_EVENTS, ()),
    "room_events": (_ROOM_EVENTS, ("all_actions",)),
    "visits": (_VISITS, ("room_events",)),
    "present_minutes": (_PRESENT_MINUTES, ("room_events",)),
    "present_spans": (_PRESENT_SPANS, ("present_minutes",)),
    "crowd_changes": (_CROWD_CHANGES, ("present_spans",)),
    "crowd_steps": (_CROWD_STEPS, ("crowd_changes",)),
    "crowd": (_CROWD, ("crowd_steps",)),
    "crowd_ranks": (_CROWD_RANKS, ("crowd",)),
}
_CONDITIONS = {
    "timed": ARCHIVE_CONDITIONS,
    "other_events": ARCHIVE_CONDITIONS | EVENT_CONDITIONS,
    "all_actions": HOUR_CONDITIONS,
    "events": EVENT_CONDITIONS,
}
FILTERS = frozenset(ARCHIVE_CONDITIONS | EVENT_CONDITIONS | HOUR_CONDITIONS)


def needed(names: Iterable[str]) -> set[str]:
    """These relations and all that they need."""
    found: set[str] = set()
    for name in names:
        found |= {name} | needed(RELATIONS[name][1])
    return found


def common_tables(names: Iterable[str], filters: Iterable[str]) -> list[str]:
    """The common table expressions of these relations, with the conditions of the filters that are set."""
    wanted, given = needed(names), set(filters)
    return [_common_table(name, given) for name in RELATIONS if name in wanted]


def _common_table(name: str, filters: set[str]) -> str:
    sql = RELATIONS[name][0].strip()
    conditions = [text for filter_name, text in _CONDITIONS.get(name, {}).items() if filter_name in filters]
    for count, condition in enumerate(conditions):
        sql += f"{' AND' if count or 'WHERE' in sql else ' WHERE'} {condition}"
    return f"{name} AS (\n{sql}\n)"

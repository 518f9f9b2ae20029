"""The questions, in SQL that DuckDB and Athena both understand (docs/activity-warehouse.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from activity.warehouse.relations import common_tables

PAGE_ROWS = 50
_PARAMETER = re.compile(r"\$([a-z_]+)")
# Columns by the names of their types, which both engines return.
INTEGER, TEXT, TIME = "integer", "text", "time"
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Statement:
    """SQL with named parameters, their values, and the columns of its rows."""

    sql: str
    values: Values
    columns: Mapping[str, str]


@dataclass(frozen=True)
class Question:
    """One question: what it selects, from which relations, and the types of the columns."""

    name: str
    uses: tuple[str, ...]
    select: str
    columns: Mapping[str, str]
    # Relations of its own, after those that it uses.
    tables: Mapping[str, str] = field(default_factory=dict)

    def sql(self, filters: frozenset[str] = frozenset()) -> str:
        own = (f"{name} AS (\n{sql.strip()}\n)" for name, sql in self.tables.items())
        return "WITH " + ",\n".join([*common_tables(self.uses, filters), *own]) + f"\n{self.select.strip()}"

    def statement(self, values: Values, filters: Values) -> Statement:
        """The statement with the values that it needs. Empty filters are left out."""
        given = {name: value for name, value in filters.items() if value not in {None, ""}}
        sql = self.sql(frozenset(given))
        used, all_values = parameters_of(sql), {**values, **given}
        return Statement(sql, {name: all_values[name] for name in used}, self.columns)


def parameters_of(sql: str) -> list[str]:
    """The names of the parameters of a statement, in the order of their first use."""
    return list(dict.fromkeys(_PARAMETER.findall(sql)))


QUESTIONS: dict[str, Question] = {}


def question(
    name: str, uses: tuple[str, ...], select: str, columns: Mapping[str, str], tables: Mapping[str, str] | None = None
) -> Question:
    """Register a question. Its columns are in the order of the select."""
    found = QUESTIONS[name] = Question(name, uses, select, columns, tables or {})
    return found


# The bits of `part` are 0 for the columns that a row is grouped by.
DAY = question(
    "day",
    ("events",),
    """
SELECT GROUPING(hour, day, country, action, room) AS part, hour, day, country, action, room,
  COUNT(*) AS events, COUNT(DISTINCT person) AS people
FROM events
GROUP BY GROUPING SETS ((), (hour), (day), (country), (action), (room))
ORDER BY people DESC, events DESC, part, hour NULLS LAST, day NULLS LAST, country NULLS LAST, action NULLS LAST,
  room NULLS LAST
""",
    {
        "part": INTEGER,
        "hour": INTEGER,
        "day": INTEGER,
        "country": TEXT,
        "action": TEXT,
        "room": TEXT,
        "events": INTEGER,
        "people": INTEGER,
    },
)

ROOMS = question(
    "rooms",
    ("events", "visits", "crowd_ranks"),
    """
SELECT 'visits' AS part, room, CASE WHEN is_total = 0 THEN country END AS country, NULL AS time, COUNT(*) AS came,
  SUM(entered) AS entered, SUM(stayed) AS stayed, SUM(completed) AS completed
FROM visits
GROUP BY room, is_total, CASE WHEN is_total = 0 THEN country END
UNION ALL
SELECT 'hour' AS part, room, NULL AS country, hour AS time, COUNT(DISTINCT person) AS came, COUNT(*) AS entered,
  NULL AS stayed, NULL AS completed
FROM events WHERE room IS NOT NULL
GROUP BY room, hour
UNION ALL
SELECT 'peak' AS part, room, NULL AS country, minute AS time, people AS came, NULL AS entered, NULL AS stayed,
  NULL AS completed
FROM crowd_ranks WHERE place = 1
ORDER BY came DESC, part, room, country NULLS FIRST, time NULLS FIRST
""",
    {
        "part": TEXT,
        "room": TEXT,
        "country": TEXT,
        "time": INTEGER,
        "came": INTEGER,
        "entered": INTEGER,
        "stayed": INTEGER,
        "completed": INTEGER,
    },
)

COUNTRIES = question(
    "countries",
    ("events", "visits"),
    """
SELECT counts.country AS country, counts.events AS events, counts.people AS people,
  COALESCE(visitors.entered, 0) AS entered, COALESCE(visitors.completed, 0) AS completed
FROM (SELECT country, COUNT(*) AS events, COUNT(DISTINCT person) AS people FROM events GROUP BY country) AS counts
LEFT JOIN (
  SELECT country, COUNT(DISTINCT CASE WHEN entered = 1 THEN person END) AS entered,
    COUNT(DISTINCT CASE WHEN completed = 1 THEN person END) AS completed
  FROM visits WHERE is_total = 0 GROUP BY country
) AS visitors ON visitors.country = counts.country
ORDER BY people DESC, events DESC, country
""",
    {"country": TEXT, "events": INTEGER, "people": INTEGER, "entered": INTEGER, "completed": INTEGER},
)

_PERSON = {
    "person": TEXT,
    "country": TEXT,
    "events": INTEGER,
    "first_at": TIME,
    "last_at": TIME,
    "total": INTEGER,
}
_PERSON_COLUMNS = """
SELECT person, MAX(country) AS country, COUNT(*) AS events, MIN(moment) AS first_at, MAX(moment) AS last_at
"""
_PERSON_PAGE = f"""
SELECT person, country, events, first_at, last_at, (SELECT COUNT(*) FROM everyone) AS total
FROM everyone WHERE person > $after
ORDER BY person LIMIT {PAGE_ROWS + 1}
"""  # noqa: S608 - constants only
_PEOPLE_OF_STEP = f"""
{_PERSON_COLUMNS} FROM all_actions WHERE room IS NOT NULL AND person IN (
  SELECT person FROM visits WHERE is_total = 1 AND CASE
    WHEN $step = 'came' THEN 1
    WHEN $step = 'not_open' THEN 1 - entered
    WHEN $step = 'entered' THEN entered
    WHEN $step = 'left' THEN entered - stayed
    WHEN $step = 'stayed' THEN stayed
    WHEN $step = 'unfinished' THEN stayed - completed
    WHEN $step = 'completed' THEN completed
    ELSE 0
  END = 1
)
GROUP BY person
"""  # noqa: S608 - constants only

PEOPLE = question(
    "people", ("events",), _PERSON_PAGE, _PERSON, {"everyone": f"{_PERSON_COLUMNS} FROM events GROUP BY person"}
)
PEOPLE_OF_STEP = question(
    "people of a step", ("all_actions", "visits"), _PERSON_PAGE, _PERSON, {"everyone": _PEOPLE_OF_STEP}
)

_EVENT = {
    "event_id": TEXT,
    "person": TEXT,
    "moment": TIME,
    "action": TEXT,
    "room": TEXT,
    "domain": TEXT,
    "country": TEXT,
    "metadata": TEXT,
}
_EVENT_COLUMNS = "SELECT event_id, person, moment, action, room, domain, country, metadata FROM events"

EVENTS = question(
    "events",
    ("events",),
    f"""{_EVENT_COLUMNS}
WHERE moment < CAST($before AS TIMESTAMP) OR (moment = CAST($before AS TIMESTAMP) AND event_id < $before_id)
ORDER BY moment DESC, event_id DESC LIMIT {PAGE_ROWS + 1}
""",
    _EVENT,
)

EVENTS_EXPORT = question("events export", ("events",), f"{_EVENT_COLUMNS} ORDER BY moment, event_id", _EVENT)

RETURNING = question(
    "returning people",
    ("events", "other_events"),
    """
SELECT COUNT(days.person) AS people, COUNT(others.person) AS other,
  COALESCE(SUM(CASE WHEN days.person = others.person THEN 1 ELSE 0 END), 0) AS both_days
FROM (SELECT DISTINCT person FROM events) AS days
FULL OUTER JOIN (SELECT DISTINCT person FROM other_events) AS others ON days.person = others.person
""",
    {"people": INTEGER, "other": INTEGER, "both_days": INTEGER},
)

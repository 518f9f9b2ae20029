"""Each question is SQL that DuckDB and Athena understand in the same way.

Athena itself cannot run here. What can be tested: the question is written in Athena's dialect without losing anything,
is read again, uses nothing but the constructs below, and means the same to DuckDB after the way there and back.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import sqlglot
from sqlglot import ErrorLevel, exp

from activity.events import Event
from activity.params import DayRange, Filters
from activity.visits import VisitStep
from activity.warehouse.dialect import to_athena
from activity.warehouse.engines import local
from activity.warehouse.questions import QUESTIONS, Question, Statement, parameters_of
from activity.warehouse.relations import FILTERS, RELATIONS
from activity.warehouse.values import other_values, to_sql, values_of
from tests.activity.warehouse.strategies import ACTIONS, COUNTRIES, METADATA, ROOMS, USERS, in_memory

ZONE = ZoneInfo("America/Santiago")
DAYS = DayRange(date(2026, 4, 3), date(2026, 4, 6), ZONE)
ALL = frozenset(FILTERS)
VARIANTS = [(question, filters) for question in QUESTIONS.values() for filters in (frozenset(), ALL)]
# Equal in both engines for the values that the questions give them:
# - DATE_DIFF: sqlglot cuts both times to the unit for Athena, which then counts what DuckDB counts
# - JSON_EXTRACT_SCALAR: of texts, numbers and booleans; of an object DuckDB gives its text and Athena NULL, and neither
#   is `false` or a number. The archive contains valid JSON only
# - FLOOR of a double; MAX, MIN, SUM and COUNT, also DISTINCT, which is exact in both; GROUPING has one bit per column
FUNCTIONS = {
    exp.Case, exp.If, exp.Cast, exp.TryCast, exp.Coalesce, exp.Count, exp.DateDiff, exp.Floor, exp.Grouping,
    exp.JSONExtractScalar, exp.Lead, exp.Max, exp.Min, exp.RowNumber, exp.Sum, exp.And, exp.Or, exp.TimestampTrunc,
    exp.DateTrunc,
}  # fmt: skip
TYPES = {"TIMESTAMPNTZ", "DOUBLE", "BIGINT", "INT"}
# What may follow a relation: no sampling, lateral joins, unnesting or functions as tables.
FORBIDDEN = (exp.Lateral, exp.Unnest, exp.TableSample, exp.Qualify, exp.Pivot, exp.Interval, exp.ILike, exp.RegexpLike)


def names(each: tuple[Question, frozenset[str]]) -> str:
    return f"{each[0].name}{' filtered' if each[1] else ''}"


@pytest.fixture(params=VARIANTS, ids=names)
def variant(request: pytest.FixtureRequest) -> tuple[Question, frozenset[str]]:
    found: tuple[Question, frozenset[str]] = request.param
    return found


def parse(sql: str, dialect: str = "duckdb") -> Any:
    return sqlglot.parse_one(sql, read=dialect)


def test_it_is_written_in_athenas_dialect_and_read_again(variant: tuple[Question, frozenset[str]]) -> None:
    sql = variant[0].sql(variant[1])
    for dialect in ("athena", "trino"):
        written = parse(sql).sql(dialect=dialect, identify=True, unsupported_level=ErrorLevel.RAISE)
        again = parse(written, dialect).sql(dialect=dialect, identify=True, unsupported_level=ErrorLevel.RAISE)
        assert again == written


def test_it_uses_only_constructs_with_equal_semantics(variant: tuple[Question, frozenset[str]]) -> None:
    tree = parse(variant[0].sql(variant[1]))
    functions = {type(each) for each in tree.find_all(exp.Func)}
    assert functions <= FUNCTIONS, functions - FUNCTIONS
    assert {each.this.name for each in tree.find_all(exp.DataType)} <= TYPES
    assert not list(tree.find_all(*FORBIDDEN))
    # Division of integers: FLOOR(a / b) of doubles in both, never `//`, and a remainder only of positive numbers.
    assert not list(tree.find_all(exp.IntDiv))
    for division in tree.find_all(exp.Div):
        assert isinstance(division.parent, exp.Floor)
    # LIMIT without ORDER BY gives any rows.
    for select in tree.find_all(exp.Select):
        assert not select.args.get("limit") or select.args.get("order")
    assert all(literal.name.find(":") < 0 for literal in tree.find_all(exp.Literal))


@pytest.mark.parametrize(
    ("name", "columns"), [("day", ("hour", "day", "country", "action", "room")), ("rooms", ("country", "time"))]
)
def test_columns_that_can_be_null_say_where_they_are_sorted(name: str, columns: tuple[str, ...]) -> None:
    order = QUESTIONS[name].sql().rpartition("ORDER BY")[2]
    for column in columns:
        assert f"{column} NULLS " in order


def test_every_parameter_is_passed_in_the_order_of_the_text(variant: tuple[Question, frozenset[str]]) -> None:
    sql = variant[0].sql(variant[1])
    written, passed = to_athena(sql, "data_base", "events")
    assert written.count("?") == len(passed)
    assert set(passed) == set(parameters_of(sql))
    assert '"data_base"."events"' in written
    assert '"archive"' not in written
    assert ":" not in written


def test_it_means_the_same_after_the_way_to_athena_and_back(variant: tuple[Question, frozenset[str]]) -> None:
    question, filters = variant
    sql = question.sql(filters)
    written = parse(sql).sql(dialect="athena", identify=True, unsupported_level=ErrorLevel.RAISE)
    back = parse(written, "athena").sql(dialect="duckdb", unsupported_level=ErrorLevel.RAISE)
    assert back != sql
    is_empty = True
    for values in parameter_values(VisitStep if "$step" in sql else [VisitStep.CAME]):
        given = {name: values[name] for name in parameters_of(sql)}
        rows = [local.fetch_rows(Statement(each, given, question.columns), EVENTS)[0] for each in (sql, back)]
        assert rows[0] == rows[1]
        is_empty = is_empty and not rows[0]
    assert not is_empty


def parameter_values(steps: Iterable[VisitStep]) -> Iterator[dict[str, Any]]:
    other = DayRange.of_day(date(2026, 4, 4), ZONE)
    for days in (DAYS, DayRange.of_day(date(2026, 4, 4), ZONE)):
        for step in steps:
            yield {
                **values_of(days),
                **other_values(other),
                **Filters("mexico", "uno.test", "sala1", "room_enter")._asdict(),
                "person": "ana@uno.test",
                "person_second": "p-1",
                "person_third": "p-2",
                "person_fourth": "bea@uno.test",
                "hour": 9,
                "after": "a",
                "step": step.value,
                "before": to_sql(days.end - timedelta(hours=5)),
                "before_id": "e1",
            }


def _events() -> list[Event]:
    chance = random.Random(7)
    found = []
    for number in range(1500):
        at = DAYS.start + timedelta(milliseconds=chance.randrange(4 * 24 * 3600 * 1000))
        user, country = chance.choice(USERS), chance.choice(COUNTRIES)
        found.append(
            Event(
                f"e{number}", user, at, chance.choice(ACTIONS), chance.choice(ROOMS), country, chance.choice(METADATA)
            )
        )
    return found


EVENTS = in_memory(_events())


def test_every_relation_is_used_by_a_question() -> None:
    used = {name for question in QUESTIONS.values() for name in RELATIONS if f"{name} AS (" in question.sql()}
    assert used == set(RELATIONS)

"""Athena's answers: read page by page, bounded, and with values as parameters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from activity.warehouse.engines import athena
from activity.warehouse.errors import TooSlow, Unanswered
from activity.warehouse.questions import Statement


class PagedAthena:
    """Answers in pages of a few rows, as Athena does."""

    def __init__(self, rows: int, state: str = "SUCCEEDED", submitted: datetime | None = None) -> None:
        self.rows = [["person", "events"], *([f"p{number}", str(number)] for number in range(rows))]
        self.status = {"State": state, "SubmissionDateTime": submitted}
        self.stopped: list[str] = []

    def get_query_execution(self, **_: Any) -> Any:
        return {"QueryExecution": {"Status": self.status}}

    def get_query_results(self, MaxResults: int, NextToken: str = "0", **_: Any) -> Any:
        first = int(NextToken)
        page = self.rows[first : first + min(MaxResults, 7)]
        found = {"ResultSet": {"Rows": [{"Data": [{"VarCharValue": cell} for cell in row]} for row in page]}}
        following = first + len(page)
        return found | ({"NextToken": str(following)} if following < len(self.rows) else {})

    def stop_query_execution(self, QueryExecutionId: str) -> None:
        self.stopped.append(QueryExecutionId)


STATEMENT = Statement("SELECT 1", {}, {"person": "text", "events": "integer"})


def fetch(client: Any, monkeypatch: pytest.MonkeyPatch, limit: int = 100) -> Any:
    monkeypatch.setattr(athena, "_client", lambda: client)
    return athena.fetch_rows("id", STATEMENT, limit)


def test_results_are_read_page_by_page_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fetch(PagedAthena(0), monkeypatch) == ([], False)
    assert fetch(PagedAthena(40), monkeypatch) == ([(f"p{n}", n) for n in range(40)], False)
    assert fetch(PagedAthena(40), monkeypatch, limit=40)[1] is False
    assert fetch(PagedAthena(41), monkeypatch, limit=40) == ([(f"p{n}", n) for n in range(40)], True)


def test_a_query_that_runs_for_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    young = PagedAthena(1, "RUNNING", datetime.now(UTC))
    assert fetch(young, monkeypatch) is None
    old = PagedAthena(1, "RUNNING", datetime.now(UTC) - timedelta(hours=1))
    with pytest.raises(TooSlow):
        fetch(old, monkeypatch)
    assert old.stopped == ["id"]


def test_other_columns_than_those_of_the_question_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    client = PagedAthena(3)
    client.rows[0] = ["events", "person"]
    with pytest.raises(Unanswered):
        fetch(client, monkeypatch)


def test_a_parameter_is_one_literal() -> None:
    assert athena.literal("d'angelo' OR ''='") == "'d''angelo'' OR ''''='''"
    assert athena.literal("back\\slash") == "'back\\slash'"
    assert athena.literal(7) == "7"
    for value in ("a\nb", "a\x00b"):
        with pytest.raises(Unanswered):
            athena.literal(value)
    for other in (None, True, 1.5, SimpleNamespace()):
        with pytest.raises(TypeError):
            athena.literal(other)
    assert sqlglot.parse_one(athena.literal("x' OR 1=1 --"), read="athena") == exp.Literal.string("x' OR 1=1 --")

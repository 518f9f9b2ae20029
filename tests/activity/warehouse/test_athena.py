"""Athena: what is sent to it, and what becomes of its answers.

moto accepts queries and executes none. So DuckDB answers what was really sent: the query that Athena received, with its
parameters, is translated back.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
import sqlglot
from moto.athena.models import QueryResults, athena_backends
from sqlglot import exp

from activity.archive.storage import Storage
from activity.events import Event
from activity.params import Filters
from activity.warehouse import calculation
from activity.warehouse.answers import load
from activity.warehouse.engines import athena, local
from activity.warehouse.errors import TooSlow, Unanswered
from activity.warehouse.questions import Statement
from activity.warehouse.reports import Report, day_report, people_report, rooms_report
from activity.warehouse.results import Source, State
from dashboard.core.errors import Refused
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import Step
from dashboard.table.commands import SYSTEM, new_command
from tests.activity.warehouse import reference
from tests.activity.warehouse.conftest import DAY
from tests.activity.warehouse.strategies import in_memory
from tests.activity.warehouse.test_answers import TODAY, answer, calculate, seal, some_events
from tests.conftest import as_on_aws

pytestmark = as_on_aws
HOSTILE = Filters(room="x' OR '1'='1", country="perú'; DROP TABLE events; --")


@pytest.fixture
def backend(archive: Storage, settings: Any) -> Any:
    """moto's Athena with the workgroup of the settings."""
    settings.ACTIVITY_WAREHOUSE = "athena"
    athena._client.cache_clear()
    boto3.client("athena", region_name="us-east-1").create_work_group(Name=settings.ATHENA_WORKGROUP)
    yield athena_backends["123456789012"]["us-east-1"]
    athena._client.cache_clear()


def answer_of_duckdb(execution: Any, columns: Any, events: list[Event]) -> QueryResults:
    """What Athena would answer to an execution, with every value as a text."""
    pieces = execution.query.split("?")
    literals = [*(execution.execution_parameters or []), ""]
    tree = sqlglot.parse_one("".join(a + b for a, b in zip(pieces, literals, strict=True)), read="athena")
    for table in tree.find_all(exp.Table):
        if table.db:
            table.replace(exp.to_table("archive"))
    statement = Statement(tree.sql(dialect="duckdb"), {}, columns)
    rows, _ = local.fetch_rows(statement, in_memory(events))
    cells = [[{"VarCharValue": name} for name in columns], *([_cell(value) for value in row] for row in rows)]
    return QueryResults(rows=[{"Data": each} for each in cells], column_info=[])


def _cell(value: Any) -> dict[str, str]:
    if value is None:
        return {}
    return {"VarCharValue": value.isoformat(sep=" ", timespec="milliseconds") if hasattr(value, "year") else str(value)}


def finish_job(job: Job, backend: Any, report: Report[Any], events: list[Event]) -> list[Step]:
    """Run the steps of a job; DuckDB answers each query that is started."""
    steps: list[Step] = []
    answered: set[str] = set()
    while not steps or steps[-1].cursor is not None:
        steps.append(calculation.run_step(job))
        job.cursor = steps[-1].cursor
        for name, execution in backend.executions.items():
            if name not in answered:
                answered.add(name)
                columns = report.kind.question.columns
                backend.query_results[name] = answer_of_duckdb(execution, columns, events)
        assert len(steps) < 20
    return steps


def start(report: Report[Any]) -> Job:
    return calculation.start([report], "Activity", url="/activity/day/", command=new_command(SYSTEM))


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculation, "POLL_SECONDS", 0)
    # One look per step, so that the test answers between the start and the end.
    monkeypatch.setattr(calculation, "POLLS", 1)


@pytest.mark.parametrize("filters", [Filters(), Filters(country="mexico", domain="uno.test"), HOSTILE], ids=str)
def test_a_question_is_answered_in_a_job_and_stored(archive: Storage, backend: Any, filters: Filters) -> None:
    events = some_events(150, DAY)
    if filters == HOSTILE:
        events += [Event("h1", "h@uno.test", DAY.start, "room_enter", HOSTILE.room, HOSTILE.country)]
    seal(archive, events)
    for report in (day_report(DAY, filters), rooms_report(DAY, filters)):
        assert answer(report).state == State.CALCULATING
        steps = finish_job(start(report), backend, report, events)
        assert [step.done for step in steps if step.done] == [1]
        found = answer(report)
        assert (found.state, found.source) == (State.READY, Source.STORED)
        expected = reference.day_summary if report.name == "day" else reference.rooms_summary
        wanted = expected(events, DAY, filters)
        assert [sorted(part, key=str) if isinstance(part, list) else part for part in found.result] == [
            sorted(part, key=str) if isinstance(part, list) else part for part in wanted
        ]
    # The values were parameters, not part of the SQL.
    for execution in backend.executions.values():
        assert "DROP" not in execution.query
        assert "mexico" not in execution.query
        assert execution.query.count("?") == len(execution.execution_parameters)
        assert '"trastienda_activity"."events"' in execution.query
    # A second job finds the stored answer and asks nothing.
    count = len(backend.executions)
    assert [step.done for step in finish_job(start(report), backend, report, events)] == [1]
    assert len(backend.executions) == count


def test_a_page_never_waits_for_athena(archive: Storage, backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    events = some_events(80, DAY)
    seal(archive, events)

    def refuse() -> Any:
        raise AssertionError("a page called Athena")

    monkeypatch.setattr(athena, "_client", refuse)
    answers, _ = load([day_report(DAY), day_report(TODAY), people_report(DAY)])
    assert [each.state for each in answers] == [State.CALCULATING, State.READY, State.READY]
    # Today comes from the log, and a list of one day from copies of its files.
    assert [each.source for each in answers[1:]] == [Source.LOG, Source.ARCHIVE]
    assert answers[2].result.total == len(reference.people_of(events))


def test_the_usual_results_are_calculated_by_the_due_task(
    archive: Storage, backend: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = some_events(80, DAY)
    seal(archive, events)
    begin = athena.start

    def start_and_answer(statement: Statement, purpose: str) -> str:
        name = begin(statement, purpose)
        backend.query_results[name] = answer_of_duckdb(backend.executions[name], statement.columns, events)
        return name

    monkeypatch.setattr(athena, "start", start_and_answer)
    assert calculate() == "calculated 1 days of activity"
    assert len(backend.executions) == 3
    assert answer(day_report(DAY)).result == reference.day_summary(events, DAY)
    assert calculate() == "calculated 0 days of activity"
    assert len(backend.executions) == 3


def test_a_query_that_fails_is_a_failure_with_a_reason(
    archive: Storage, backend: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal(archive, some_events(20, DAY))
    job = start(day_report(DAY))
    step = calculation.run_step(job)
    for execution in backend.executions.values():
        execution.status = "FAILED"
        execution._transitions = []
    job.cursor = step.cursor
    failed = calculation.run_step(job)
    assert failed.cursor is None
    assert failed.failed[0].reason.startswith("Athena could not answer this question.")
    assert answer(day_report(DAY)).state == State.CALCULATING


def test_without_the_workgroup_the_reason_says_what_to_check(archive: Storage, backend: Any, settings: Any) -> None:
    seal(archive, some_events(20, DAY))
    settings.ATHENA_WORKGROUP = "another"
    step = calculation.run_step(start(day_report(DAY)))
    assert "check the workgroup" in step.failed[0].reason


def test_days_that_are_not_closed_are_not_calculated(archive: Storage, backend: Any) -> None:
    with pytest.raises(Refused):
        start(day_report(TODAY))


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
    for value in (None, True, 1.5, SimpleNamespace()):
        with pytest.raises(TypeError):
            athena.literal(value)
    assert sqlglot.parse_one(athena.literal("x' OR 1=1 --"), read="athena") == exp.Literal.string("x' OR 1=1 --")

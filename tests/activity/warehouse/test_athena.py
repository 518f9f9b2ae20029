"""Athena: what is sent to it, and what becomes of its answers.

moto accepts queries and executes none. So DuckDB answers what was really sent: the query that Athena received, with its
parameters, is translated back.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

import boto3
import pytest
import sqlglot
from django.test import Client
from moto.athena.models import QueryResults, athena_backends
from moto.moto_api import state_manager
from sqlglot import exp

from activity.archive.storage import Storage
from activity.events import Event
from activity.params import Filters
from activity.warehouse import calculation
from activity.warehouse.answers import load
from activity.warehouse.engines import athena, local
from activity.warehouse.questions import Statement
from activity.warehouse.reports import Report, day_report, people_report, rooms_report
from activity.warehouse.results import AnswerSource, AnswerState
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
    made = athena._client
    made.cache_clear()
    boto3.client("athena", region_name="us-east-1").create_work_group(Name=settings.ATHENA_WORKGROUP)
    # Each query runs for two looks.
    state_manager.set_transition("athena::execution", {"progression": "manual", "times": 1})
    yield athena_backends["123456789012"]["us-east-1"]
    state_manager.unset_transition("athena::execution")
    made.cache_clear()


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


@pytest.fixture
def duckdb_answers(backend: Any, monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """The events that DuckDB reads to answer whatever Athena is asked."""
    events: list[Event] = []
    begin = athena.start

    def start_and_answer(statement: Statement, purpose: str) -> str:
        name = begin(statement, purpose)
        backend.query_results[name] = answer_of_duckdb(backend.executions[name], statement.columns, events)
        return name

    monkeypatch.setattr(athena, "start", start_and_answer)
    return events


def finish(job: Job) -> list[Step]:
    """Run the steps of a job to its end."""
    steps: list[Step] = []
    while not steps or steps[-1].cursor is not None:
        steps.append(calculation.run_step(job))
        job.cursor = steps[-1].cursor
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
def test_a_question_is_answered_in_a_job_and_stored(
    archive: Storage, backend: Any, duckdb_answers: list[Event], filters: Filters
) -> None:
    events = some_events(150, DAY)
    if filters == HOSTILE:
        events += [Event("h1", "h@uno.test", DAY.start, "room_enter", HOSTILE.room, HOSTILE.country)]
    seal(archive, events)
    duckdb_answers += events
    for report in (day_report(DAY, filters), rooms_report(DAY, filters)):
        assert answer(report).state == AnswerState.CALCULATING
        steps = finish(start(report))
        # The first step starts the query and does not wait for it.
        assert [step.done for step in steps] == [0, 1]
        found = answer(report)
        assert (found.state, found.source) == (AnswerState.READY, AnswerSource.STORED)
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
    assert [step.done for step in finish(start(report))] == [1]
    assert len(backend.executions) == count


def test_a_page_never_waits_for_athena(archive: Storage, backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    events = some_events(80, DAY)
    seal(archive, events)

    def refuse() -> Any:
        raise AssertionError("a page called Athena")

    monkeypatch.setattr(athena, "_client", refuse)
    answers, _ = load([day_report(DAY), day_report(TODAY), people_report(DAY)])
    assert [each.state for each in answers] == [AnswerState.CALCULATING, AnswerState.READY, AnswerState.READY]
    # Today comes from the log, and a list of one day from copies of its files.
    assert [each.source for each in answers[1:]] == [AnswerSource.LOG, AnswerSource.ARCHIVE]
    assert answers[2].result.total == len(reference.people_of(events))


def test_the_usual_results_are_calculated_by_the_due_task(
    archive: Storage, backend: Any, duckdb_answers: list[Event]
) -> None:
    events = some_events(80, DAY)
    seal(archive, events)
    duckdb_answers += events
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
        execution._transitions, execution._status = [], "FAILED"
    job.cursor = step.cursor
    failed = calculation.run_step(job)
    assert failed.cursor is None
    assert failed.failed[0].reason.startswith("Athena could not answer this question.")
    assert answer(day_report(DAY)).state == AnswerState.CALCULATING


def test_without_the_workgroup_the_reason_says_what_to_check(archive: Storage, backend: Any, settings: Any) -> None:
    seal(archive, some_events(20, DAY))
    settings.ATHENA_WORKGROUP = "another"
    step = calculation.run_step(start(day_report(DAY)))
    assert "check the workgroup" in step.failed[0].reason


def test_days_that_are_not_closed_are_not_calculated(archive: Storage, backend: Any) -> None:
    with pytest.raises(Refused):
        start(day_report(TODAY))


def calculate_fields(page: str) -> dict[str, str]:
    """The fields of the form that starts the calculation; none if the page has no such form."""
    form = page.partition('action="/activity/calculate/"')[2].partition("</form>")[0]
    inputs = (dict(re.findall(r'(\w+)="([^"]*)"', each)) for each in re.findall(r"<input[^>]*>", form))
    return {each["name"]: unescape(each["value"]) for each in inputs}


def test_a_person_starts_the_calculation_from_the_page(
    archive: Storage, backend: Any, duckdb_answers: list[Event], as_staff: Client
) -> None:
    events = some_events(60, DAY)
    seal(archive, events)
    duckdb_answers += events
    url = f"/activity/day/?day={DAY.first}&room=sala1"
    page = as_staff.get(url)
    assert page.status_code == 200
    # The form works without JavaScript.
    fields = calculate_fields(page.content.decode())
    assert set(fields) >= {"question", "page", "operation"}
    started = as_staff.post("/activity/calculate/", fields)
    assert started.status_code == 303
    job = started["Location"]
    # The same form sent again is the same job.
    assert as_staff.post("/activity/calculate/", fields)["Location"] == job
    assert "Activity from 2026-03-10 to 2026-03-10" in as_staff.get(job).content.decode()
    for _ in range(4):
        assert as_staff.post(f"{job}next/").status_code in {200, 303}
    assert f'href="{escape(fields["page"])}"' in as_staff.get(job).content.decode()
    total = reference.day_summary(events, DAY, Filters(room="sala1")).total
    shown = as_staff.get(fields["page"])
    assert not calculate_fields(shown.content.decode())
    assert f">{total.people}<" in "".join(shown.content.decode().split())


def test_a_forged_question_is_refused(archive: Storage, backend: Any, as_staff: Client) -> None:
    for fields in ({"question": "forged"}, {}):
        assert as_staff.post("/activity/calculate/", fields).status_code == 422
    assert not backend.executions

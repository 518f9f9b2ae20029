"""Long work gets on in steps, is counted exactly, and can be stopped, continued and tried again."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest

from dashboard.core.clock import shifted
from dashboard.core.errors import NotFound, Refused, Unavailable
from dashboard.platform.jobs import kinds, queries, runner, services
from dashboard.platform.jobs.items import Job, State
from dashboard.platform.jobs.kinds import Failed, Step
from dashboard.platform.jobs.permissions import Permission
from dashboard.table import keys, tenancy, write
from dashboard.table.commands import Actor, new_command
from tests.conftest import ALMA, every_engine
from tests.jobs import counting
from tests.jobs.counting import begun, lines, noted
from tests.jobs.driving import finish, now_is
from tests.ui.walk import values


def counts(work: Job) -> tuple[str, int, int, int]:
    return work.state, int(work.total or 0), int(work.done), int(work.failed)


@every_engine
def test_from_beginning_to_end(table: str) -> None:
    given = lines(55, fails=(3, 53))
    work = begun(ALMA, *given)
    assert counts(work) == ("running", 55, 0, 0)
    after = runner.advance(work, seconds=0)
    assert counts(after) == ("running", 55, 7, 1), "one step, side by side"
    assert not now_is(work).is_leased, "it is free at once for the next request"
    end = finish(after)
    assert counts(end) == counts(now_is(work)) == ("done", 55, 53, 2)
    assert values(now_is(work), "cursor", "lease_by", "lease_until") == (None, None, None)
    assert now_is(work).finished_at is not None
    assert set(counting.tried.values()) == {1}
    assert [noted(line["name"]) for line in given] == [0 if line["fails"] else 1 for line in given]
    failed = queries.failures(work.id).items
    assert [(each.target, each.reason) for each in failed] == sorted(
        (line["name"], f"{line['name']} cannot be counted.") for line in given if line["fails"]
    )
    assert counts(runner.advance(end)) == counts(end), "what is finished does nothing more"


def test_nothing_to_do_is_done(table: str) -> None:
    assert counts(runner.advance(begun(ALMA))) == ("done", 0, 0, 0)


def test_a_request_does_as_much_as_its_time_allows(table: str) -> None:
    work = runner.advance(begun(ALMA, *lines(20)), seconds=60)
    assert counts(work) == ("done", 20, 20, 0)


def test_the_same_form_twice_is_the_same_work_with_the_inputs_of_the_first(table: str) -> None:
    command = new_command(ALMA)
    first = services.start(counting.COUNT, "Count", command=command, inputs=lines(3))
    again = services.start(counting.COUNT, "Count", command=command, inputs=lines(5))
    assert again.id == first.id and counts(again) == ("running", 3, 0, 0)
    assert len(queries.all_lines(first.id, 100)) == 3
    assert [each.id for each in queries.works_of(ALMA.email).items] == [first.id]


def test_waiting_work_does_nothing_until_it_is_begun(table: str) -> None:
    work = services.start(counting.COUNT, "Count", command=new_command(ALMA), inputs=lines(3), waiting=True)
    assert counts(runner.advance(work)) == ("waiting", 3, 0, 0)
    assert values(now_is(work), "cut_off") == (None,)
    services.begin(work)
    services.begin(work)
    assert values(now_is(work), "cut_off") != (None,)
    assert counts(runner.advance(work)) == ("done", 3, 3, 0)
    services.begin(work)
    assert now_is(work).state == State.DONE, "it is not begun again"


def test_stopping_during_a_step_counts_the_step_and_is_the_end(table: str) -> None:
    given = lines(40)
    work = begun(ALMA, *given)
    counting.after.append(lambda name: services.stop(work) if name == given[10]["name"] else None)
    stopped = runner.advance(work, seconds=60)
    assert counts(now_is(work)) == ("stopped", 40, 16, 0)
    assert not stopped.is_leased
    assert counts(runner.advance(work)) == ("stopped", 40, 16, 0), "a page that still asks does not resume it"
    services.resume(work)
    assert counts(finish(now_is(work))) == ("done", 40, 40, 0)
    assert set(counting.tried.values()) == {1}
    services.stop(work)
    services.resume(work)
    assert now_is(work).state == State.DONE


def test_stopping_during_the_last_step_leaves_it_finished(table: str) -> None:
    work = begun(ALMA, *lines(3))
    counting.after.append(lambda name: services.stop(work))
    runner.advance(work, seconds=0)
    assert counts(now_is(work)) == ("done", 3, 3, 0)


def test_trying_the_failed_ones_again(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "PAGE", 10)
    given = lines(20, fails=tuple(range(15)))
    work = finish(begun(ALMA, *given))
    assert counts(work) == ("done", 20, 5, 15)
    assert len(queries.failures(work.id).items) == 10 and queries.failures(work.id).next
    counting.mended.update(line["name"] for line in given[:9])
    services.try_failed_again(work)
    assert counts(now_is(work)) == ("running", 20, 5, 15)
    assert values(now_is(work), "finished_at") == (None,)
    after = finish(now_is(work))
    assert counts(after) == ("done", 20, 14, 6)
    left = [each.target for each in queries.failures(work.id).items]
    assert left == sorted(line["name"] for line in given[9:15])
    assert [noted(line["name"]) for line in given] == [1] * 9 + [0] * 6 + [1] * 5
    assert all(counting.tried[line["name"]] == (2 if line["fails"] else 1) for line in given)


def test_nothing_failed_nothing_to_try_again(table: str) -> None:
    work = finish(begun(ALMA, *lines(2)))
    services.try_failed_again(work)
    assert now_is(work).state == State.DONE


def test_a_line_that_breaks_is_its_own_failure(table: str, caplog: pytest.LogCaptureFixture) -> None:
    given = [*lines(4), {"name": "bad", "breaks": True}]
    with caplog.at_level(logging.ERROR, "trastienda.operations"):
        work = finish(begun(ALMA, *given))
    assert counts(work) == ("done", 5, 4, 1)
    assert [each.reason for each in queries.failures(work.id).items] == ["Something broke on our side."]
    assert "a target broke" in caplog.text


def test_a_step_that_breaks_interrupts_the_work_and_it_can_be_continued(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fine: list[bool] = []

    @kinds.work("test.replay", permission=Permission.OPERATIONS)
    def replay(work: Job) -> Step:
        if work.cursor == 2 and not fine:
            raise ZeroDivisionError
        at = int(work.cursor or 0) + 1
        return Step(at if at < 5 else None, done=1, result={"sum": (work.result or {}).get("sum", 0) + at})

    work = services.start("test.replay", "Replay", command=new_command(ALMA), total=5)
    assert counts(runner.advance(work)) == ("failed", 5, 2, 0)
    assert not now_is(work).is_leased
    fine.append(True)
    services.resume(work)
    end = runner.advance(now_is(work))
    assert counts(end) == ("done", 5, 5, 0) and now_is(work).result == {"sum": 15}
    with pytest.raises(Refused, match="cannot be tried again"):
        services.try_failed_again(end)
    del kinds.KINDS["test.replay"]
    assert counts(runner.advance(end)) == counts(end)


def test_too_many_failures_in_a_step_are_a_mistake_and_change_nothing(table: str) -> None:
    @kinds.work("test.greedy", permission=Permission.OPERATIONS)
    def greedy(work: Job) -> Step:
        return Step(1, failed=tuple(Failed(str(n), "no") for n in range(9)))

    work = services.start("test.greedy", "Greedy", command=new_command(ALMA), total=9)
    assert counts(runner.advance(work)) == ("failed", 9, 0, 0)
    assert queries.failures(work.id).items == []
    del kinds.KINDS["test.greedy"]


def test_the_table_does_not_answer_and_it_is_nobodys_failure(table: str) -> None:
    given, calls = lines(8), [True]

    def away(name: str) -> None:
        if name == given[5]["name"] and calls:
            calls.clear()
            raise Unavailable

    counting.before.append(away)
    work = begun(ALMA, *given)
    with pytest.raises(Unavailable):
        runner.advance(work)
    assert counts(now_is(work)) == ("running", 8, 0, 0) and not now_is(work).is_leased
    assert counts(runner.advance(work)) == ("done", 8, 8, 0)
    assert [noted(line["name"]) for line in given] == [1] * 8


def test_only_one_works_on_it_and_a_lapsed_lease_frees_it(table: str) -> None:
    work = begun(ALMA, *lines(8))
    held = runner._take(work, "someone")
    assert held is not None and held.is_leased
    looked = runner.advance(work)
    assert counts(looked) == ("running", 8, 0, 0) and looked.is_leased and not counting.tried
    with shifted(timedelta(seconds=31)):
        assert counts(runner.advance(work)) == ("done", 8, 8, 0)
    # The one that had fallen silent comes back: what it has to say counts no more.
    with pytest.raises(runner.LeaseLost):
        runner._save(held, Step(8, done=8, failed=(Failed("x", "no"),)), "someone", free=True, running=True)
    assert counts(now_is(work)) == ("done", 8, 8, 0)
    assert queries.failures(work.id).items == []


def test_work_is_gone_after_thirty_days_and_so_are_its_lines(table: str) -> None:
    work = begun(ALMA, *lines(8))
    with shifted(timedelta(days=29)):
        assert queries.own_job(work.id, ALMA.email).id == work.id
    with shifted(timedelta(days=30)):
        with pytest.raises(NotFound):
            queries.own_job(work.id, ALMA.email)
        assert queries.find_part(work.id, 0) == []
        assert queries.works_of(ALMA.email).items == []
        with pytest.raises(NotFound):
            runner.advance(work)


def test_work_inside_a_business_stays_inside(table: str) -> None:
    owner = Actor("olivia@example.com", "Olivia")
    work = services.start(counting.COUNT, "Count", command=new_command(owner), inputs=lines(3), business="andina")
    assert queries.own_job(work.id, owner.email, "andina").business_id == "andina"
    for business in (None, "harbour"):
        with pytest.raises(NotFound):
            queries.own_job(work.id, owner.email, business)
    with tenancy.bind(tenancy.Binding("harbour", owner.email)), pytest.raises(NotFound):
        queries.find_job(work.id)
    with tenancy.bind(tenancy.Binding("andina", "other@example.com")), pytest.raises(NotFound):
        queries.find_part(work.id, 0)
    with tenancy.bind(tenancy.Binding("andina", owner.email)):
        held = runner._take(work, "mine")
        assert held is not None
        runner._save(held, Step(3, done=2, failed=(Failed("x", "no"),)), "mine", free=True, running=True)
        assert [each.reason for each in queries.failures(work.id).items] == ["no"]
        assert [each.id for each in queries.works_of(owner.email).items] == [work.id]


def test_a_kind_that_is_gone_interrupts(table: str) -> None:
    work = begun(ALMA, *lines(2))
    write.touch(keys.OPERATION.key(operation=work.id), [Job.kind.set("no.such.kind")])
    assert counts(runner.advance(work)) == ("failed", 2, 0, 0)

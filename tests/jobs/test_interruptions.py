"""The list of everybody's interrupted jobs: when a job enters and leaves it, who sees it, and how it is dismissed."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from dashboard.platform.accounts.permissions import Role
from dashboard.platform.jobs import interruptions, kinds, queries, runner, services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.table import tenancy, write
from tests.home.home_pages import lines as home_lines
from tests.jobs import count_job
from tests.jobs.count_job import lines, start_count
from tests.jobs.execution import finish, reloaded
from tests.ui.html import form_to, parse, toasts
from tests.ui.walk import calls_of
from tests.ui.world import World

URL = "/operations/interrupted/"


@pytest.fixture(autouse=True)
def empty_list(world: World) -> None:
    """Other tests of this world interrupt jobs too."""
    for job in queries.interrupted_jobs().items:
        services.resume(job)


def interrupt(job: Job, monkeypatch: pytest.MonkeyPatch) -> Job:
    """An unexpected error in a step."""

    def break_down(job: Job) -> kinds.Step:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        kind = kinds.KINDS[count_job.COUNT]
        patch.setitem(kinds.KINDS, count_job.COUNT, kinds.JobKind(kind.name, kind.permission, break_down))
        return runner.advance(job, seconds=0)


def listed(response: Any) -> list[str]:
    """The ids of the jobs in the list."""
    return [each.text.split(" ")[0] for each in parse(response).by_class("row-sub")]


def test_admins_see_the_interrupted_jobs_of_everybody(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    moderator, owner = world.people["moderator"], world.people["owner"]
    mine = interrupt(start_count(moderator.actor, *lines(3)), monkeypatch)
    inside = start_count(owner.actor, *lines(3), business="andina")
    with tenancy.bind(tenancy.Binding("andina", owner.email)):
        interrupt(inside, monkeypatch)
    start_count(moderator.actor, *lines(3))
    admin = world.browser("admin")
    home = admin.get("/")
    assert home_lines(home)["2 jobs of other people were interrupted"] == URL
    assert calls_of(home).trips <= 2
    page = admin.get(URL)
    assert listed(page) == [inside.id, mine.id]
    assert calls_of(page).trips == 2
    assert moderator.name in parse(page).text and "andina" in parse(page).text
    for who in ("moderator", "staff", "owner"):
        assert world.browser(who).get(URL).status_code == 403
        assert not [text for text in home_lines(world.browser(who).get("/")) if "of other people" in text]


def test_a_continued_job_leaves_the_list_and_enters_it_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    job = interrupt(start_count(world.people["moderator"].actor, *lines(3)), monkeypatch)
    admin = world.browser("admin")
    assert listed(admin.get(URL)) == [job.id]
    interruptions.dismiss(job, world.actor("admin"))
    services.resume(job)
    assert listed(admin.get(URL)) == []
    assert {"GSIStatusPK", "GSIStatusSK", "dismissedAt", "dismissedBy"}.isdisjoint(reloaded(job).raw)
    assert interrupt(reloaded(job), monkeypatch).state == JobState.FAILED
    assert listed(admin.get(URL)) == [job.id], "it was dismissed before it failed again"
    services.resume(job)
    assert finish(reloaded(job)).state == JobState.DONE
    assert "No interrupted jobs" in parse(admin.get(URL)).text


def test_a_job_is_dismissed_for_admins_only_and_the_dismissal_can_be_undone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.people["interrupted"] = person = world.add(Role.STAFF)
    job = interrupt(start_count(person.actor, *lines(3)), monkeypatch)
    admin, own = world.browser("admin"), world.browser("interrupted")
    form = form_to(admin.get(URL), f"/operations/{job.id}/dismiss/")
    page = form.send(admin, follow=True)
    assert toasts(page) == ["Count: removed from this list."] and listed(page) == []
    assert reloaded(job).dismissed_by == world.people["admin"].email
    assert f"/operations/{job.id}/" in home_lines(own.get("/")).values(), "its person can still continue it"
    assert toasts(form.send(admin, follow=True)) == ["Nothing was changed."]
    restored = form_to(page, f"/operations/{job.id}/dismiss/undo/").send(admin, follow=True)
    assert toasts(restored) == ["Count: back in this list."] and listed(restored) == [job.id]
    assert admin.post("/operations/nothing-here/dismiss/").status_code == 404
    del world.people["interrupted"]


def test_reindex_lists_jobs_that_were_interrupted_before(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    job = interrupt(start_count(world.actor("moderator"), *lines(3)), monkeypatch)
    write.update(job.key, interruptions.unlisting())
    assert queries.interrupted_jobs().items == []
    call_command("reindex", table=settings.DYNAMODB_TABLE, checkpoint=tmp_path / "c", stdout=StringIO())
    assert [each.id for each in queries.interrupted_jobs().items] == [job.id]


def test_run_job_continues_an_interrupted_job(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    job, output = interrupt(start_count(world.actor("moderator"), *lines(3)), monkeypatch), StringIO()
    call_command("run_job", job.id, stdout=output)
    assert output.getvalue() == "done: 3 done, 0 failed of 3.\n"
    assert queries.interrupted_jobs().items == []

"""The pages of jobs: who sees them, what they show, and how they continue with and without JavaScript."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from dashboard.core.clock import shifted
from dashboard.platform.accounts import queries as people
from dashboard.platform.accounts.permissions import Permission, Role
from dashboard.platform.accounts.services.people import edit
from dashboard.platform.jobs import kinds, queries, runner, services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.table.commands import new_command
from tests.conftest import ACTOR
from tests.jobs import count_job
from tests.jobs.count_job import lines, start_count, unfinished_job
from tests.jobs.execution import finish, reloaded
from tests.ui.html import Element, form_to, forms, parse, toasts
from tests.ui.walk import calls_of, new_browser
from tests.ui.world import World

HTMX = {"HX-Request": "true", "HX-Target": "operation"}


@pytest.fixture(autouse=True)
def one_step_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "TIME_BOX", 0)


def url(job: Job, act: str = "") -> str:
    return f"/operations/{job.id}/{act}"


def progress(response: Any) -> tuple[str, str, str]:
    """The value and maximum of the progress bar, and its text."""
    page = parse(response)
    bar = page.one("progress")
    (line,) = page.by_class("progress-line")
    return bar.attrs["value"], bar.attrs["max"], line.text


def driving_forms(page: Element | Any) -> list[Any]:
    return [form for form in forms(page) if "data-run-job" in form.element.attrs]


def test_without_javascript_a_button_continues_until_the_job_is_finished(world: World) -> None:
    browser, job = world.browser("admin"), start_count(ACTOR, *lines(20, fails=(1,)))
    progress_lines = []
    for _ in range(10):
        page = browser.get(url(job))
        progress_lines.append(progress(page))
        driving = driving_forms(page)
        if not driving:
            break
        (button,) = driving[0].buttons
        assert button.text == "Continue" and button.inside("noscript")
        response = driving[0].send(browser)
        assert (response.status_code, response.headers["Location"]) == (303, url(job))
    assert progress_lines == [
        ("0", "20", "0 of 20 done In progress"),
        ("8", "20", "7 of 20 done · 1 failed In progress"),
        ("16", "20", "15 of 20 done · 1 failed In progress"),
        ("20", "20", "19 of 20 done · 1 failed Finished"),
    ]
    assert "cannot be counted." in parse(page).text


def test_with_javascript_the_page_requests_the_next_step_until_the_job_is_done(world: World) -> None:
    browser, job = world.browser("admin"), start_count(ACTOR, *lines(10))
    answers = [browser.post(url(job, "next/"), headers=HTMX) for _ in range(3)]
    assert [progress(answer)[0] for answer in answers] == ["8", "10", "10"]
    assert [len(driving_forms(answer)) for answer in answers] == [1, 0, 0]
    (form,) = driving_forms(answers[0])
    assert form.element.attrs["hx-trigger"] == "load delay:50ms, again, submit"
    assert form.element.attrs["hx-post"] == form.action == url(job, "next/")
    assert all(not parse(answer).all("html") for answer in answers)
    # Announced at each quarter and at the end, not at each step.
    announced = [[each.text for each in parse(answer).all(id="operation-status")] for answer in answers]
    assert announced == [["8 of 10 done In progress"], ["10 of 10 done Finished"], []]
    assert len(set(count_job.tried.values())) == 1


def test_a_small_step_is_not_announced(world: World) -> None:
    browser, job = world.browser("admin"), start_count(ACTOR, *lines(100))
    assert parse(browser.post(url(job, "next/"), headers=HTMX)).all(id="operation-status") == []


def test_the_second_tab_watches_and_runs_nothing(world: World) -> None:
    browser, job = world.browser("admin"), start_count(ACTOR, *lines(10))
    assert runner._acquire_lease(job, "the first tab") is not None
    answer = browser.post(url(job, "next/"), headers=HTMX)
    assert progress(answer)[0] == "0" and not count_job.tried
    (form,) = driving_forms(answer)
    assert form.element.attrs["hx-trigger"].startswith("load delay:2s")
    with shifted(timedelta(seconds=31)):
        assert progress(browser.post(url(job, "next/"), headers=HTMX))[0] == "8"


def test_stop_and_continue(world: World) -> None:
    browser, job = world.browser("admin"), start_count(ACTOR, *lines(20))
    stale = form_to(browser.get(url(job)), url(job, "next/"))
    stale.send(browser)
    stopped = form_to(browser.get(url(job)), url(job, "stop/")).send(browser, follow=True)
    assert toasts(stopped) == ["Stopped. Completed changes are kept."]
    assert progress(stopped) == ("8", "20", "8 of 20 done Stopped") and not driving_forms(stopped)
    stale.send(browser)
    assert reloaded(job).done == 8, "a tab that still asks does not continue it"
    form_to(browser.get(url(job)), url(job, "continue/")).send(browser)
    assert reloaded(job).state == JobState.RUNNING
    assert finish(reloaded(job)).done == 20


def test_failed_targets_are_listed_in_pages_of_fifty_and_retried(world: World) -> None:
    given = lines(56, fails=tuple(range(56)))
    browser, job = world.browser("admin"), finish(start_count(ACTOR, *given))
    page = browser.get(url(job))
    assert len(parse(page).all("tr", data_row="")) == 50
    (more,) = [a for a in parse(page).all("a") if "data-more" in a.attrs]
    rest = browser.get(more.attrs["href"])
    assert len(parse(rest).all("tr", data_row="")) == 6
    assert world.browser("admin2").get(more.attrs["href"]).status_code in {400, 404}
    count_job.resolved.update(line["name"] for line in given)
    form_to(page, url(job, "retry/")).send(browser)
    assert reloaded(job).state == JobState.RUNNING
    fragment = browser.post(url(job, "next/"), headers=HTMX)
    # "Load more" in a fragment links to the page, not to the fragment.
    assert all(a.attrs["href"].startswith(f"{url(job)}?") for a in parse(fragment).all("a") if "data-more" in a.attrs)
    finish(reloaded(job))
    assert parse(browser.get(url(job))).all("tr", data_row="") == []
    assert progress(browser.get(url(job)))[2] == "56 of 56 done Finished"


def test_a_job_is_visible_only_to_its_owner(world: World) -> None:
    job = start_count(ACTOR, *lines(3))
    for who in ("admin2", "moderator", "owner"):
        browser = world.browser(who)
        assert browser.get(url(job)).status_code == 404
        for act in ("next/", "stop/", "continue/", "retry/"):
            assert browser.post(url(job, act)).status_code == 404
        assert job.id not in browser.get("/operations/").content.decode()
    assert (reloaded(job).state, reloaded(job).done) == (JobState.RUNNING, 0)


def test_a_step_without_the_csrf_token_is_refused(world: World) -> None:
    job = start_count(ACTOR, *lines(3))
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = world.browser("admin").cookies
    assert browser.post(url(job, "next/")).status_code == 403
    assert reloaded(job).done == 0


def test_a_person_who_lost_the_permission_cannot_continue_the_job(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = world.add(Role.ADMIN, "Short")
    kind = kinds.KINDS[count_job.COUNT]
    monkeypatch.setitem(kinds.KINDS, count_job.COUNT, kinds.JobKind(kind.name, Permission.PEOPLE_MANAGE, kind.step))
    job = start_count(person.actor, *lines(3))
    edit(person.email, name="Short", role=Role.STAFF, revision=person.revision, command=new_command(ACTOR))
    world.people["short"] = people.load_person(person.email)
    browser = world.browser("short")
    page = browser.get(url(job))
    assert page.status_code == 200 and not driving_forms(page)
    assert "Your role no longer allows this job" in parse(page).text
    for act in ("next/", "stop/", "continue/", "retry/"):
        assert browser.post(url(job, act)).status_code == 403
    with pytest.raises(CommandError):
        call_command("run_job", job.id)
    assert reloaded(job).done == 0
    del world.people["short"]


def test_the_list_has_own_jobs_newest_first_in_two_trips(world: World) -> None:
    person = world.add(Role.STAFF)
    world.people["lister"] = person
    browser = world.browser("lister")
    assert "No jobs yet" in parse(browser.get("/operations/")).text
    jobs = []
    for number in range(3):
        with shifted(timedelta(minutes=number)):
            jobs.append(start_count(person.actor, *lines(2)))
    page = browser.get("/operations/")
    links = [a.attrs["href"] for a in parse(page).all("a") if "row-link" in a.attrs.get("class", "")]
    assert links == [url(job) for job in reversed(jobs)]
    assert calls_of(page).trips == 2 and calls_of(browser.get(url(jobs[0]))).trips == 2
    menu = [a.attrs["href"] for a in parse(page).by_class("menu-item") if a.tag == "a"]
    assert "/operations/" in menu
    del world.people["lister"]


@pytest.mark.parametrize("address", ["nothing-here", "0" * 80, "x" * 81, "A", "a%23b", "%00"])
def test_an_unknown_job_is_not_found(world: World, address: str) -> None:
    browser = world.browser("admin")
    assert browser.get(f"/operations/{address}/").status_code == 404
    assert browser.post(f"/operations/{address}/next/").status_code == 404
    assert browser.get(f"/people/import/{address}/").status_code == 404
    assert browser.post(f"/people/import/{address}/confirm/").status_code == 404


def test_a_step_after_the_session_ended_gets_401_and_changes_no_page(world: World) -> None:
    answer = new_browser().post(url(unfinished_job(ACTOR), "next/"), headers=HTMX)
    assert answer.status_code == 401 and answer.headers["HX-Reswap"] == "none"


def test_the_command_finishes_an_abandoned_job(world: World) -> None:
    job, output = start_count(ACTOR, *lines(20, fails=(3,))), StringIO()
    call_command("run_job", job.id, stdout=output)
    assert output.getvalue() == "done: 19 done, 1 failed of 20.\n"
    stopped = start_count(ACTOR, *lines(3))
    services.stop(stopped)
    call_command("run_job", stopped.id, stdout=StringIO())
    assert reloaded(stopped).done == 0
    with pytest.raises(CommandError):
        call_command("run_job", "nothing#here")
    assert queries.find_job("nothing#here") is None


def test_a_job_of_a_business_runs_inside_it(world: World) -> None:
    owner, job = world.browser("owner"), start_count(world.people["owner"].actor, *lines(10), business="andina")
    assert job.url() == f"/b/andina/jobs/{job.id}/"
    assert job.url() in owner.get("/operations/").content.decode(), "the list of jobs leads into the business"
    assert owner.get(url(job)).status_code == 404
    assert owner.get(f"/b/harbour/jobs/{job.id}/").status_code == 404
    assert world.browser("admin").get(job.url()).status_code == 404, "nobody else can see it"
    for _ in range(10):
        driving = driving_forms(owner.get(job.url()))
        if not driving:
            break
        assert driving[0].send(owner).status_code == 303
    assert (reloaded(job).state, int(reloaded(job).done)) == (JobState.DONE, 10)


def test_run_job_executes_a_job_of_a_business_only_for_its_members(world: World) -> None:
    owner = world.people["owner"].actor
    foreign, own = (start_count(owner, *lines(3), business=business) for business in ("harbour", "andina"))
    with pytest.raises(CommandError, match="no longer has the permission"):
        call_command("run_job", foreign.id)
    call_command("run_job", own.id, stdout=StringIO())
    assert reloaded(own).state == JobState.DONE

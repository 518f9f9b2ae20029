"""A page and a theme that are published together: both or neither."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from branding.items import Theme
from branding.public import load_publishable_theme
from content import joint_publication
from content.items import Content
from content.queries.pages import load_page
from content.queries.schedules import find_schedule
from content.services import schedules
from content.statuses import PageStatus
from content.views import joint_publication as publication_view
from content.views import page_preview
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import KINDS
from dashboard.platform.jobs.permissions import Permission as SystemPermission
from dashboard.table import read
from dashboard.table.commands import Actor, Command, new_command
from tests.branding.theme_factory import LOW_CONTRAST, create_draft, create_published, live_version
from tests.branding.theme_factory import publish as publish_theme
from tests.conftest import ACTOR, every_engine, real_engines
from tests.content.site import BUSINESS, a_page, page_url, publish, save_page, set_status_of
from tests.ui.html import form_to, parse


def begin(page: Content, theme: Theme, command: Command | None = None) -> Job:
    choice = load_publishable_theme(BUSINESS, theme.number)
    return joint_publication.begin(BUSINESS, page, choice, command=command or new_command(ACTOR))


def finish(job: Job) -> Job:
    """Run all steps, and load the job as it is then."""
    while job.state == JobState.RUNNING:
        job = runner.advance(job)
    return job


def status_of(page: Content) -> str:
    return load_page(BUSINESS, page.node).state


def reasons(job: Job) -> dict[str, str]:
    return {each.target: each.reason for each in job_queries.failures(job.id).items}


@every_engine
def test_both_are_published_and_undone(table: str) -> None:
    live, draft, page = create_published(BUSINESS, "Now"), create_draft(BUSINESS, "Next"), a_page()
    job = finish(begin(page, draft))
    assert (job.done, job.failed, status_of(page), live_version(BUSINESS)) == (2, 0, "Published", draft.number)
    undone = finish(joint_publication.begin_undo(job, command=new_command(ACTOR)))
    assert (undone.done, undone.failed, status_of(page), live_version(BUSINESS)) == (2, 0, "Draft", live.number)
    assert load_page(BUSINESS, page.node).number == 3


def test_the_undo_of_a_first_publication_leaves_no_theme_live(table: str) -> None:
    page = a_page()
    job = finish(begin(page, create_draft(BUSINESS)))
    finish(joint_publication.begin_undo(job, command=new_command(ACTOR)))
    assert (status_of(page), live_version(BUSINESS)) == ("Draft", None)


def test_a_page_that_somebody_saved_meanwhile_publishes_neither(table: str) -> None:
    page, draft = a_page(), create_draft(BUSINESS)
    job = begin(page, draft)
    save_page(page, title="Changed")
    job = finish(job)
    assert (job.done, status_of(page), live_version(BUSINESS)) == (0, "Draft", None)
    assert list(reasons(job)) == ["page"]


def test_a_refused_theme_takes_the_page_back_with_its_schedule(table: str) -> None:
    page, draft, other = a_page(), create_draft(BUSINESS, "Next"), create_draft(BUSINESS, "Other")
    due_at = now() + timedelta(days=1)
    command = new_command(ACTOR)
    schedules.schedule(BUSINESS, page.node, due_at, "America/Bogota", revision=page.revision, command=command)
    job = begin(page, draft)
    publish_theme(other)
    job = finish(job)
    assert (status_of(page), live_version(BUSINESS)) == ("Draft", other.number)
    assert job.done == 0 and "Another version was published" in reasons(job)["theme"]
    found = find_schedule(BUSINESS, page.node)
    assert found is not None and found.due_at == due_at.replace(microsecond=0)
    with pytest.raises(Refused):
        joint_publication.begin_undo(job, command=new_command(ACTOR))


def test_what_others_save_before_the_page_is_taken_back_stays(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page, draft = a_page(), create_draft(BUSINESS)
    job = begin(page, draft)

    def save_and_refuse(*_args: Any, **_values: Any) -> None:
        save_page(load_page(BUSINESS, page.node), title="Corrected")
        raise Refused("No")

    monkeypatch.setattr(joint_publication, "publish_theme", save_and_refuse)
    finish(job)
    current = load_page(BUSINESS, page.node)
    assert (current.state, current.title) == ("Draft", "Corrected")


class Killed(BaseException):
    """The process ends here."""


@every_engine
@pytest.mark.parametrize("is_refused", [False, True])
@pytest.mark.parametrize("saves", [0, 1, 2, 3])
def test_a_process_that_is_killed_before_it_saves_the_progress_leaves_a_job_that_continues(
    table: str, monkeypatch: pytest.MonkeyPatch, saves: int, *, is_refused: bool
) -> None:
    page, draft, other = a_page(), create_draft(BUSINESS, "Next"), create_draft(BUSINESS, "Other")
    job = begin(page, draft)
    if is_refused:
        publish_theme(other)
    left = saves
    save: Callable[..., None] = runner._save

    def save_or_die(*args: Any, **values: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        save(*args, **values)

    with monkeypatch.context() as patched:
        patched.setattr(runner, "_save", save_or_die)
        try:
            finish(job)
        except Killed:
            monkeypatch.setattr(runner, "LEASE", timedelta(0))
    found = read.get(Job, job.key)
    assert found is not None
    # The lease of the killed process ends.
    monkeypatch.setattr(runner, "now", lambda: now() + timedelta(minutes=1))
    finish(found)
    published = (status_of(page), live_version(BUSINESS))
    assert published == (("Draft", other.number) if is_refused else ("Published", draft.number))
    assert load_page(BUSINESS, page.node).number == (3 if is_refused else 2)


@real_engines
def test_jobs_that_race_for_the_live_theme_leave_one_of_them(table: str) -> None:
    create_published(BUSINESS, "Now")
    pairs = [(a_page(f"Page {n}"), create_draft(BUSINESS, f"Theme {n}")) for n in range(8)]
    jobs = [begin(page, theme) for page, theme in pairs]
    with ThreadPoolExecutor(8) as pool:
        # Two requests for each job, as two tabs send them.
        list(pool.map(lambda job: runner.advance(job), [*jobs, *jobs]))
    ended = [finish(job) for job in map(_reload, jobs)]
    live = live_version(BUSINESS)
    winners = [page for page, theme in pairs if theme.number == live]
    assert len(winners) == 1 and status_of(winners[0]) == "Published"
    assert [status_of(page) for page, _theme in pairs].count("Draft") == 7
    assert [int(job.done) for job in ended].count(2) == 1


def _reload(job: Job) -> Job:
    found = read.get(Job, job.key)
    assert found is not None
    return found


# --- Pages ---
def url_of(page: Content, theme: Theme) -> str:
    return f"{page_url(page)}publish/{theme.number}/"


def test_a_person_publishes_both_from_the_preview_and_undoes_it(table: str, as_owner: Client) -> None:
    page, draft = a_page("About us"), create_draft(BUSINESS, "Autumn")
    preview = parse(as_owner.get(f"{page_url(page)}preview/?theme={draft.number}"))
    assert url_of(page, draft) in [each.attrs.get("href") for each in preview.all("a")]
    form = form_to(as_owner.get(url_of(page, draft)), url_of(page, draft))
    job_url = form.send(as_owner).headers["Location"]
    shown = parse(as_owner.get(job_url)).one("main")
    assert "The page “About us” is published and v1 Autumn is live." in " ".join(shown.text.split())
    # The same form again is the same job.
    assert form.send(as_owner).headers["Location"] == job_url
    (undo,) = [each.attrs["action"] for each in shown.all("form") if each.attrs.get("action", "").endswith("/undo/")]
    undone = as_owner.get(form_to(shown, undo).send(as_owner).headers["Location"])
    assert "Undone" in parse(undone).one("main").text
    assert (status_of(page), live_version(BUSINESS)) == ("Draft", None)


def test_the_button_is_only_shown_where_both_can_be_published(table: str, as_owner: Client) -> None:
    live, draft, page = create_published(BUSINESS), create_draft(BUSINESS), a_page()
    for version, is_shown in ((draft.number, True), (live.number, False), (99, False)):
        text = as_owner.get(f"{page_url(page)}preview/?theme={version}").content.decode()
        assert ("Publish page and theme" in text) == is_shown
    page = publish(page)
    assert (
        "Publish page and theme" not in as_owner.get(f"{page_url(page)}preview/?theme={draft.number}").content.decode()
    )
    for theme, reason in ((draft, "already published"), (live, "already published")):
        shown = parse(as_owner.get(url_of(page, theme))).one("main")
        assert reason in shown.text and not [each for each in shown.all("button") if "Publish" in each.text]


def test_low_contrast_is_shown_before_both_are_published(table: str, as_owner: Client) -> None:
    page, draft = a_page(), create_draft(BUSINESS, "Pale", LOW_CONTRAST)
    shown = parse(as_owner.get(url_of(page, draft))).one("main")
    assert "too little contrast" in shown.text and "Publish anyway" in shown.text
    form_to(shown, url_of(page, draft)).send(as_owner)
    assert live_version(BUSINESS) == draft.number


def test_what_changed_since_the_page_opened_is_shown_and_nothing_is_published(table: str, as_owner: Client) -> None:
    page, draft, other = a_page(), create_draft(BUSINESS, "Next"), create_draft(BUSINESS, "Other")
    form = form_to(as_owner.get(url_of(page, draft)), url_of(page, draft))
    publish_theme(other)
    refused = form.send(as_owner)
    assert refused.status_code == 422 and "The theme has changed" in parse(refused).one("main").text
    form = form_to(as_owner.get(url_of(page, draft)), url_of(page, draft))
    save_page(page, title="Changed")
    assert form.send(as_owner).status_code == 409
    assert (status_of(page), live_version(BUSINESS)) == ("Draft", other.number)
    for bad in ({"expected": "x"}, {"theme_revision": "-1"}, {"revision": "x"}):
        assert as_owner.post(url_of(page, draft), bad).status_code == 422
    assert as_owner.post(url_of(page, draft), {}).status_code in {409, 422}


def test_an_archived_page_and_a_discarded_draft(table: str, as_owner: Client) -> None:
    archived = set_status_of(a_page("Old", slug="/old"), PageStatus.ARCHIVED)
    draft = create_draft(BUSINESS)
    job = finish(begin(archived, draft))
    assert job.done == 2
    finish(joint_publication.begin_undo(job, command=new_command(ACTOR)))
    assert status_of(archived) == "Archived"
    assert as_owner.get(f"{page_url(archived)}publish/99/").status_code == 404


def test_both_permissions_are_needed_also_while_the_job_runs(
    table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, draft = a_page(), create_draft(BUSINESS)
    job = begin(page, draft, new_command(Actor("olivia@example.com")))
    without_brand = replace(KINDS[joint_publication.PUBLISH], further_permissions=(SystemPermission.ALL_OPERATIONS,))
    monkeypatch.setitem(KINDS, joint_publication.PUBLISH, without_brand)
    assert as_owner.post(f"{job.url()}next/").status_code == 403
    assert status_of(page) == "Draft"
    for view in (publication_view, page_preview):
        monkeypatch.setattr(view, "THEME_PERMISSION", SystemPermission.ALL_OPERATIONS)
    assert as_owner.get(url_of(page, draft)).status_code == 403
    assert as_owner.post(f"/b/{BUSINESS}/site/publications/{job.id}/undo/").status_code == 403
    assert "Publish page and theme" not in as_owner.get(f"{page_url(page)}preview/?theme=1").content.decode()

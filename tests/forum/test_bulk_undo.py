"""Undo of a whole bulk job, and of all bans by one version of the filter."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.core.errors import Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import runner, services
from dashboard.platform.jobs.items import JobState
from dashboard.platform.jobs.kinds import KINDS
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from forum.actions import Action
from forum.bulk.requests import BulkRequest
from forum.items import Post
from forum.log_presenters import url_of
from forum.queries import posts as queries
from forum.services import bulk
from forum.targets import ForumTarget
from tests.conftest import ACTOR, sign_in
from tests.forum.bulk_jobs import (
    ANA,
    URL,
    confirm_and_finish,
    create_comments,
    create_posts,
    log_entries_of_job,
    press_continue,
    progress_of,
    start_on_list,
    start_on_selection,
    start_undo,
    stored_values,
)
from tests.forum.config_versions import save_filter_version, save_reasons_version
from tests.forum.factories import (
    CLEAN_TEXT,
    MARCO,
    TEXT_TO_BAN,
    create_comment,
    create_post,
    decide,
    entries_of,
    reload_item,
)
from tests.forum.filter_pages import SEED, put_filter
from tests.jobs.execution import finish, reloaded
from tests.ui.html import form_to, parse


def test_undo_restores_each_post_to_its_previous_state(table: str) -> None:
    posts = create_posts(10)
    comments = create_comments(posts[:2], 4)
    decide(decide(posts[9], Action.BAN, "insult"), Action.RESTORE)
    before = [stored_values(each) for each in [*posts, *comments]]
    order = [ForumTarget.of(each).id for each in queries.posts_to_review().items]
    job = confirm_and_finish(start_on_list(author=ANA))
    assert progress_of(job) == ("done", 18, 18, 0)
    assert [reload_item(each).comments_count for each in posts[:2]] == [0, 0]
    assert queries.posts_to_review().items == []

    undone = finish(start_undo(job))

    assert progress_of(undone) == ("done", 18, 18, 0)
    assert [stored_values(each) for each in [*posts, *comments]] == before
    assert [ForumTarget.of(each).id for each in queries.posts_to_review().items] == order
    entries = log_entries_of_job(undone)
    assert len(entries) == 18
    assert {(each.metadata or {})["undoes"] for each in entries} == {each.address for each in log_entries_of_job(job)}


@pytest.mark.parametrize("action", ["delete", "restore", "approve"])
def test_undo_of_each_other_action_restores_the_posts(table: str, action: str) -> None:
    posts: list[Post] = create_posts(4)
    if action == "restore":
        for post in posts:
            decide(post, Action.BAN, "insult")
    before = [stored_values(each) for each in posts]
    show = "banned" if action == "restore" else "review"
    job = confirm_and_finish(start_on_list(action=action, show=show, kind="posts"))
    assert progress_of(job) == ("done", 4, 4, 0)
    assert progress_of(finish(start_undo(job))) == ("done", 4, 4, 0)
    assert [stored_values(each) for each in posts] == before


def test_a_post_decided_after_the_job_is_not_undone_and_listed_as_failed(table: str) -> None:
    posts = create_posts(4)
    job = finish(start_on_selection(posts))
    restored = decide(reload_item(posts[2]), Action.RESTORE)
    undone = finish(start_undo(job))
    assert progress_of(undone) == ("done", 4, 3, 1)
    (failed,) = job_queries.failures(undone.id).items
    assert failed.target == ForumTarget.of(restored).path
    assert failed.reason.startswith("Marco Peña approved it")
    assert len(entries_of(restored)) == 2


def test_undo_of_a_stopped_job_restores_only_what_it_changed(table: str) -> None:
    posts = create_posts(30)
    job = start_on_selection(posts)
    runner.advance(job, seconds=0)
    services.stop(job)
    before = [reload_item(each).status for each in posts]
    assert (before.count("banned"), before.count("active")) == (8, 22)
    undone = finish(start_undo(job))
    assert progress_of(undone) == ("done", 8, 8, 0)
    assert {reload_item(each).status for each in posts} == {"active"}

    # The job can be resumed for the other posts, and that can be undone, too.
    services.resume(job)
    assert progress_of(finish(reloaded(job))) == ("done", 30, 30, 0)
    assert [reload_item(each).status for each in posts].count("banned") == 22
    assert progress_of(finish(start_undo(job))) == ("done", 30, 30, 0)
    assert {reload_item(each).status for each in posts} == {"active"}
    assert max(len(entries_of(each)) for each in posts) == 2, "no post is undone twice"


def test_undo_stops_the_running_job_and_waits_for_its_current_step(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    posts = create_posts(20)
    job = start_on_selection(posts)
    leased = runner._acquire_lease(job, "slow")
    assert leased is not None
    undone = start_undo(job)
    assert reloaded(job).state == JobState.STOPPED
    waiting_undo = runner.advance(undone, seconds=0)
    assert progress_of(waiting_undo) == ("running", 0, 0, 0), "the undo waits while the job holds its lease"
    with pytest.raises(runner.StopRequested):
        step = KINDS[leased.kind].step(leased)
        runner._save(leased, step, "slow", release=True, must_run=True)
    runner._save(leased, step, "slow", release=True, must_run=False)
    assert [reload_item(each).status for each in posts].count("banned") == 8
    assert progress_of(finish(undone)) == ("done", 8, 8, 0)
    assert {reload_item(each).status for each in posts} == {"active"}


def test_a_job_that_has_not_started_cannot_be_undone(table: str) -> None:
    create_posts(2)
    job = start_on_list()
    with pytest.raises(Refused):
        start_undo(job)
    waiting = finish(job)
    with pytest.raises(Refused):
        start_undo(waiting)
    assert reloaded(waiting).state == JobState.WAITING


def test_the_undo_fails_if_the_lines_of_the_job_are_gone(table: str) -> None:
    posts = create_posts(2)
    job = finish(start_on_selection(posts))
    undone = start_undo(job)
    write.remove(keys.OPERATION_INPUT.key(operation=job.id, part=0))
    assert finish(undone).state == JobState.FAILED
    assert {reload_item(each).status for each in posts} == {"banned"}


def test_undo_works_on_the_screen(people_by_role: dict[str, Person]) -> None:
    marco = sign_in(people_by_role["moderator"])
    posts = create_posts(3)
    job = finish(start_on_selection(posts))
    started = form_to(marco.get(f"/operations/{job.id}/"), f"{URL}{job.id}/undo/").send(marco)
    assert started.status_code == 303
    page = parse(press_continue(marco, started["Location"]))
    assert page.one("h1").text == "Undo: Ban 3 posts"
    assert "3 undone" in page.text
    assert page.all("a", href=f"/operations/{job.id}/")
    assert {reload_item(each).status for each in posts} == {"active"}


# --- Bans by one version of the filter -----------------------------------------------------------
def restore_request(number: int) -> BulkRequest:
    return BulkRequest("restore", version=number)


def test_all_bans_by_one_version_that_are_unchanged_can_be_restored(table: str) -> None:
    put_filter(**SEED)
    number = save_filter_version("blorfo")
    calm = create_post(CLEAN_TEXT)
    posts = [create_post(f"blorfo, blorfo, blorfo {n}") for n in range(3)]
    comment = create_comment(calm, "blorfo, blorfo, blorfo")
    assert {*(each.banned_by for each in posts), comment.banned_by} == {f"profanity@v{number:08}"}
    decide(decide(posts[0], Action.RESTORE), Action.BAN, "spam")
    by_hand = decide(create_post(CLEAN_TEXT), Action.BAN)
    save_filter_version("zumbrel")
    later = create_post("zumbrel, zumbrel, zumbrel")
    assert later.banned_by == f"profanity@v{number + 1:08}"
    before = [stored_values(each) for each in posts]

    waiting = finish(bulk.begin_with_all(restore_request(number), command=new_command(MARCO)))

    assert progress_of(waiting) == ("waiting", 3, 0, 0)
    services.confirm(waiting)
    job = finish(reloaded(waiting))
    assert progress_of(job) == ("done", 3, 3, 0)
    assert [reload_item(each).status for each in [*posts, comment, by_hand, later]] == [
        "banned", "active", "active", "active", "banned", "banned",
    ]  # fmt: skip
    assert reload_item(calm).comments_count == 1
    assert len(log_entries_of_job(job)) == 3

    assert progress_of(finish(start_undo(job))) == ("done", 3, 3, 0)
    assert [stored_values(each) for each in posts] == before, "the restoring can be undone, too"
    assert reload_item(calm).comments_count == 0


def test_a_post_decided_between_count_and_confirmation_is_listed_as_failed(table: str) -> None:
    posts = [create_post(f"{TEXT_TO_BAN} {n}") for n in range(2)]
    waiting = finish(bulk.begin_with_all(restore_request(0), command=new_command(MARCO)))
    decide(posts[0], Action.DELETE)
    services.confirm(waiting)
    assert progress_of(finish(reloaded(waiting))) == ("done", 2, 1, 1)
    (failed,) = job_queries.failures(waiting.id).items
    assert failed.reason.startswith("Marco Peña deleted it")


@pytest.mark.parametrize("who", ["admin", "moderator"])
def test_bans_by_one_version_can_be_restored_on_the_screen(people_by_role: dict[str, Person], who: str) -> None:
    browser = sign_in(people_by_role[who])
    put_filter(**SEED)
    number = save_filter_version("blorfo")
    post = create_post("blorfo, blorfo, blorfo")
    url = f"/forum/profanity/versions/{number}/banned/"
    page = browser.get(url)
    assert "It banned 1 post or comment." in parse(page).text
    started = form_to(page, url).send(browser)
    preview = parse(press_continue(browser, started["Location"]))
    assert preview.one("h1").text == f"Restore 1 post or comment that version {number} of the filter banned"
    assert "blorfo" in preview.text and reload_item(post).status == "banned"
    (form,) = [each for each in preview.all("form") if each.attrs.get("action", "").endswith("/begin/")]
    end = parse(press_continue(browser, form_to(preview, form.attrs["action"]).send(browser)["Location"]))
    assert "1 restored" in end.text
    assert reload_item(post).status == "active"


@pytest.mark.parametrize("who", ["admin", "moderator"])
def test_undo_by_cause_is_linked_from_the_ban_the_log_entry_and_the_version(
    people_by_role: dict[str, Person], who: str
) -> None:
    browser = sign_in(people_by_role[who])
    put_filter(**SEED)
    number = save_filter_version("blorfo")
    post = create_post("blorfo, blorfo, blorfo")
    comment = create_comment(create_post("hola"), "blorfo, blorfo, blorfo")
    link = f"/forum/profanity/versions/{number}/banned/"
    explanations = [ForumTarget.of(post), ForumTarget.of(comment)]
    pages = ["/forum/?show=banned", "/forum/log/", f"/forum/profanity/versions/{number}/"]
    for url in [*(url_of(each) for each in explanations), *pages]:
        assert parse(browser.get(url)).one("main").all("a", href=link), url
    assert parse(browser.get(link)).all("a", href=f"/forum/profanity/versions/{number}/")


def test_moderators_see_the_versions_of_the_filter_but_cannot_change_it(people_by_role: dict[str, Person]) -> None:
    browser = sign_in(people_by_role["moderator"])
    put_filter(**SEED)
    first, second = save_filter_version("blorfo"), save_filter_version("zascandil")
    for url in ("/forum/profanity/versions/", f"/forum/profanity/versions/{first}/"):
        response = browser.get(url)
        main = parse(response).one("main")
        assert response.status_code == 200
        assert not [form for form in main.all("form") if form.attrs.get("method") == "post"]
        assert not main.all("a", href="/forum/profanity/")
    for action in ("restore", "revert"):
        assert browser.post(f"/forum/profanity/versions/{second}/{action}/").status_code == 403
    assert browser.get("/forum/profanity/").status_code == 403
    assert browser.get("/forum/reasons/versions/").status_code == 403


def test_a_ban_by_a_person_has_no_cause_to_undo(people_by_role: dict[str, Person]) -> None:
    browser = sign_in(people_by_role["moderator"])
    post = create_post("hola")
    decide(post, Action.BAN, "insult")
    for url in (url_of(ForumTarget.of(post)), "/forum/log/"):
        assert not parse(browser.get(url)).by_class("undo-cause")


def test_only_moderators_see_the_link_to_the_bans_of_a_filter_version(
    people_by_role: dict[str, Person],
) -> None:
    put_filter(**SEED)
    number, reasons = save_filter_version("blorfo"), save_reasons_version("Advertising")
    link = f"/forum/profanity/versions/{number}/banned/"
    alma, sofia = sign_in(people_by_role["admin"]), sign_in(people_by_role["staff"])
    assert parse(alma.get(f"/forum/profanity/versions/{number}/")).all("a", href=link)
    assert not parse(sofia.get(f"/forum/profanity/versions/{number}/")).all("a", href=link)
    assert sofia.get(link).status_code == 403
    assert "banned/" not in alma.get(f"/forum/reasons/versions/{reasons}/").content.decode()


def test_the_page_of_a_version_without_bans_and_of_an_invalid_version(people_by_role: dict[str, Person]) -> None:
    marco: Client = sign_in(people_by_role["moderator"])
    assert "No bans" in parse(marco.get("/forum/profanity/versions/7/banned/")).text
    assert marco.get(f"/forum/profanity/versions/{10**8}/banned/").status_code == 404
    assert marco.post(f"/forum/profanity/versions/{10**8}/banned/").status_code == 404
    started = marco.post("/forum/profanity/versions/7/banned/")
    assert "Nothing to do" in parse(press_continue(marco, started["Location"])).text


def test_people_can_undo_only_their_own_jobs(people_by_role: dict[str, Person]) -> None:
    posts = create_posts(1)
    job = finish(start_on_selection(posts, by=ACTOR))
    assert sign_in(people_by_role["moderator"]).post(f"{URL}{job.id}/undo/").status_code == 404
    assert reload_item(posts[0]).status == "banned"

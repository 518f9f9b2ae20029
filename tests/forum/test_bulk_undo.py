"""The way back from a bulk as a whole, and from what a version of the filter banned."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.core.errors import Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.jobs import queries as operations
from dashboard.platform.jobs import runner, services
from dashboard.platform.jobs.items import State
from dashboard.platform.jobs.kinds import KINDS
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from forum.actions import Action
from forum.bulk.requests import BulkRequest
from forum.items import Post
from forum.queries import posts as queries
from forum.services import bulk
from forum.targets import Target
from tests.conftest import ACTOR, sign_in
from tests.forum.bulks import (
    ANA,
    URL,
    counted_and_done,
    counts,
    many_comments,
    many_posts,
    of_chosen,
    of_list,
    press_on,
    raw,
    together,
    undo_of,
)
from tests.forum.config_versions import a_filter_version, a_version
from tests.forum.factories import CLEAN_TEXT, MARCO, TEXT_TO_BAN, a_comment, a_post, decided, entries_of
from tests.forum.factories import reloaded as stands
from tests.forum.filter_pages import SEED, put_filter
from tests.jobs.execution import finish, reloaded
from tests.ui.html import form_to, parse


def test_each_goes_back_to_what_it_was(table: str) -> None:
    posts = many_posts(10)
    comments = many_comments(posts[:2], 4)
    decided(decided(posts[9], Action.BAN, "insult"), Action.RESTORE)
    before = [raw(each) for each in [*posts, *comments]]
    order = [Target.of(each).id for each in queries.posts_to_review().items]
    work = counted_and_done(of_list(author=ANA))
    assert counts(work) == ("done", 18, 18, 0)
    assert [stands(each).comments_count for each in posts[:2]] == [0, 0]
    assert queries.posts_to_review().items == []

    undone = finish(undo_of(work))

    assert counts(undone) == ("done", 18, 18, 0)
    assert [raw(each) for each in [*posts, *comments]] == before
    assert [Target.of(each).id for each in queries.posts_to_review().items] == order
    entries = together(undone)
    assert len(entries) == 18
    assert {(each.metadata or {})["undoes"] for each in entries} == {each.address for each in together(work)}


@pytest.mark.parametrize("action", ["delete", "restore", "approve"])
def test_the_other_actions_have_the_same_way_back(table: str, action: str) -> None:
    posts: list[Post] = many_posts(4)
    if action == "restore":
        for post in posts:
            decided(post, Action.BAN, "insult")
    before = [raw(each) for each in posts]
    show = "banned" if action == "restore" else "review"
    work = counted_and_done(of_list(action=action, show=show, kind="posts"))
    assert counts(work) == ("done", 4, 4, 0)
    assert counts(finish(undo_of(work))) == ("done", 4, 4, 0)
    assert [raw(each) for each in posts] == before


def test_what_was_decided_since_stays_and_is_named(table: str) -> None:
    posts = many_posts(4)
    work = finish(of_chosen(posts))
    restored = decided(stands(posts[2]), Action.RESTORE)
    undone = finish(undo_of(work))
    assert counts(undone) == ("done", 4, 3, 1)
    (failed,) = operations.failures(undone.id).items
    assert failed.target == Target.of(restored).path
    assert failed.reason.startswith("Marco Peña approved it")
    assert len(entries_of(restored)) == 2


def test_half_way_only_what_was_done(table: str) -> None:
    posts = many_posts(30)
    work = of_chosen(posts)
    runner.advance(work, seconds=0)
    services.stop(work)
    before = [stands(each).status for each in posts]
    assert (before.count("banned"), before.count("active")) == (8, 22)
    undone = finish(undo_of(work))
    assert counts(undone) == ("done", 8, 8, 0)
    assert {stands(each).status for each in posts} == {"active"}

    # It can still go on, with what it had not done; and that can be taken back, too.
    services.resume(work)
    assert counts(finish(reloaded(work))) == ("done", 30, 30, 0)
    assert [stands(each).status for each in posts].count("banned") == 22
    assert counts(finish(undo_of(work))) == ("done", 30, 30, 0)
    assert {stands(each).status for each in posts} == {"active"}
    assert max(len(entries_of(each)) for each in posts) == 2, "nothing is undone twice"


def test_undo_stops_what_runs_and_waits_for_the_step_that_still_acts(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    posts = many_posts(20)
    work = of_chosen(posts)
    held = runner._acquire_lease(work, "slow")
    assert held is not None
    undone = undo_of(work)
    assert reloaded(work).state == State.STOPPED
    waited = runner.advance(undone, seconds=0)
    assert counts(waited) == ("running", 0, 0, 0), "the other still has its turn"
    with pytest.raises(runner.StopRequested):
        step = KINDS[held.kind].step(held)
        runner._save(held, step, "slow", release=True, must_run=True)
    runner._save(held, step, "slow", release=True, must_run=False)
    assert [stands(each).status for each in posts].count("banned") == 8
    assert counts(finish(undone)) == ("done", 8, 8, 0)
    assert {stands(each).status for each in posts} == {"active"}


def test_nothing_is_undone_before_it_has_begun(table: str) -> None:
    many_posts(2)
    work = of_list()
    with pytest.raises(Refused):
        undo_of(work)
    waiting = finish(work)
    with pytest.raises(Refused):
        undo_of(waiting)
    assert reloaded(waiting).state == State.WAITING


def test_lines_that_are_gone_are_no_success(table: str) -> None:
    posts = many_posts(2)
    work = finish(of_chosen(posts))
    undone = undo_of(work)
    write.remove(keys.OPERATION_INPUT.key(operation=work.id, part=0))
    assert finish(undone).state == State.FAILED
    assert {stands(each).status for each in posts} == {"banned"}


def test_undo_on_the_screen(people_by_role: dict[str, Person]) -> None:
    marco = sign_in(people_by_role["moderator"])
    posts = many_posts(3)
    work = finish(of_chosen(posts))
    begun = form_to(marco.get(f"/operations/{work.id}/"), f"{URL}{work.id}/undo/").send(marco)
    assert begun.status_code == 303
    page = parse(press_on(marco, begun["Location"]))
    assert page.one("h1").text == "Undo: Ban 3 posts"
    assert "3 undone" in page.text
    assert page.all("a", href=f"/operations/{work.id}/")
    assert {stands(each).status for each in posts} == {"active"}


# --- By cause ------------------------------------------------------------------------------------
def of_version(number: int) -> BulkRequest:
    return BulkRequest("restore", version=number)


def test_what_a_version_banned_and_nobody_has_touched_since(table: str) -> None:
    put_filter(**SEED)
    number = a_filter_version("blorfo")
    calm = a_post(CLEAN_TEXT)
    posts = [a_post(f"blorfo, blorfo, blorfo {n}") for n in range(3)]
    comment = a_comment(calm, "blorfo, blorfo, blorfo")
    assert {*(each.banned_by for each in posts), comment.banned_by} == {f"profanity@v{number:08}"}
    decided(decided(posts[0], Action.RESTORE), Action.BAN, "spam")
    by_hand = decided(a_post(CLEAN_TEXT), Action.BAN)
    a_filter_version("zumbrel")
    later = a_post("zumbrel, zumbrel, zumbrel")
    assert later.banned_by == f"profanity@v{number + 1:08}"
    before = [raw(each) for each in posts]

    waiting = finish(bulk.begin_with_all(of_version(number), command=new_command(MARCO)))

    assert counts(waiting) == ("waiting", 3, 0, 0)
    services.confirm(waiting)
    work = finish(reloaded(waiting))
    assert counts(work) == ("done", 3, 3, 0)
    assert [stands(each).status for each in [*posts, comment, by_hand, later]] == [
        "banned", "active", "active", "active", "banned", "banned",
    ]  # fmt: skip
    assert stands(calm).comments_count == 1
    assert len(together(work)) == 3

    assert counts(finish(undo_of(work))) == ("done", 3, 3, 0)
    assert [raw(each) for each in posts] == before, "and that has its way back, too"
    assert stands(calm).comments_count == 0


def test_what_is_decided_between_counting_and_beginning_is_named(table: str) -> None:
    posts = [a_post(f"{TEXT_TO_BAN} {n}") for n in range(2)]
    waiting = finish(bulk.begin_with_all(of_version(0), command=new_command(MARCO)))
    decided(posts[0], Action.DELETE)
    services.confirm(waiting)
    assert counts(finish(reloaded(waiting))) == ("done", 2, 1, 1)
    (failed,) = operations.failures(waiting.id).items
    assert failed.reason.startswith("Marco Peña deleted it")


@pytest.mark.parametrize("who", ["admin", "moderator"])
def test_by_cause_on_the_screen(people_by_role: dict[str, Person], who: str) -> None:
    browser = sign_in(people_by_role[who])
    put_filter(**SEED)
    number = a_filter_version("blorfo")
    post = a_post("blorfo, blorfo, blorfo")
    here = f"/forum/profanity/versions/{number}/banned/"
    page = browser.get(here)
    assert "It banned 1 post or comment." in parse(page).text
    begun = form_to(page, here).send(browser)
    preview = parse(press_on(browser, begun["Location"]))
    assert preview.one("h1").text == f"Restore 1 post or comment that version {number} of the filter banned"
    assert "blorfo" in preview.text and stands(post).status == "banned"
    (form,) = [each for each in preview.all("form") if each.attrs.get("action", "").endswith("/begin/")]
    end = parse(press_on(browser, form_to(preview, form.attrs["action"]).send(browser)["Location"]))
    assert "1 restored" in end.text
    assert stands(post).status == "active"


def test_the_link_stands_where_the_filter_s_versions_are_and_the_person_moderates(
    people_by_role: dict[str, Person],
) -> None:
    put_filter(**SEED)
    number, reasons = a_filter_version("blorfo"), a_version("Advertising")
    link = f"/forum/profanity/versions/{number}/banned/"
    alma, sofia = sign_in(people_by_role["admin"]), sign_in(people_by_role["staff"])
    assert parse(alma.get(f"/forum/profanity/versions/{number}/")).all("a", href=link)
    assert not parse(sofia.get(f"/forum/profanity/versions/{number}/")).all("a", href=link)
    assert sofia.get(link).status_code == 403
    assert "banned/" not in alma.get(f"/forum/reasons/versions/{reasons}/").content.decode()


def test_a_version_that_banned_nothing_or_cannot_be(people_by_role: dict[str, Person]) -> None:
    marco: Client = sign_in(people_by_role["moderator"])
    assert "No bans" in parse(marco.get("/forum/profanity/versions/7/banned/")).text
    assert marco.get(f"/forum/profanity/versions/{10**8}/banned/").status_code == 404
    assert marco.post(f"/forum/profanity/versions/{10**8}/banned/").status_code == 404
    begun = marco.post("/forum/profanity/versions/7/banned/")
    assert "Nothing to do" in parse(press_on(marco, begun["Location"])).text


def test_undoing_is_for_one_s_own_work_only(people_by_role: dict[str, Person]) -> None:
    posts = many_posts(1)
    work = finish(of_chosen(posts, by=ACTOR))
    assert sign_in(people_by_role["moderator"]).post(f"{URL}{work.id}/undo/").status_code == 404
    assert stands(posts[0]).status == "banned"

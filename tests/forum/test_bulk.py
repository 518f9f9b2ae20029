"""Bulk decisions: what is begun, counted, looked at and done, and what is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts import queries as accounts
from dashboard.accounts.items import Person
from dashboard.accounts.permissions import Role
from dashboard.accounts.services import people
from dashboard.clock import shifted
from dashboard.operations import queries as operations
from dashboard.operations import running, services
from dashboard.operations.items import State
from dashboard.table.operations import new_operation
from forum.states import Action
from forum.targets import Target
from tests.conftest import ALMA, every_engine, sign_in
from tests.forum.bulks import (
    ANA,
    URL,
    counted_and_done,
    counts,
    many_comments,
    many_posts,
    now_is,
    of_chosen,
    of_list,
    picks,
    press_on,
    run,
    together,
)
from tests.forum.writing import CALM, MARCO, a_comment, a_post, decided
from tests.forum.writing import now_is as stands
from tests.ui.html import form_to, parse, toasts, undo_form


@pytest.fixture
def marco(cast: dict[str, Person]) -> Client:
    return sign_in(cast["moderator"])


def works() -> list[Any]:
    return operations.works_of(MARCO.email).items


@every_engine
def test_a_selection_begins_at_once_and_has_one_id_in_the_log(table: str) -> None:
    posts = many_posts(12)
    comment = many_comments(posts[:1], 1)[0]
    work = of_chosen([*posts[:10], comment])
    assert counts(work) == ("running", 11, 0, 0)
    assert work.title == "Ban 11 posts and comments"

    after = run(work)

    assert counts(after) == ("done", 11, 11, 0)
    assert [stands(each).status for each in posts] == ["banned"] * 10 + ["active"] * 2
    assert stands(comment).status == "banned"
    assert stands(posts[0]).comments_count == 0  # type: ignore[union-attr]
    entries = together(work)
    banned = [*map(Target.of, posts[:10]), Target.of(comment)]
    assert sorted(str(each.target_id) for each in entries) == sorted(each.id for each in banned)
    assert {(each.action, each.reason, each.admin_id) for each in entries} == {
        ("ban", "Spam or advertising", MARCO.email)
    }


@every_engine
def test_everything_of_a_list_is_counted_and_waits(table: str) -> None:
    posts = many_posts(120)
    work = of_list()
    assert work.title == "Ban the posts of the review queue"
    counting = running.advance(work, seconds=0)
    assert counts(counting) == ("running", 50, 0, 0) and counting.is_counting
    waiting = run(counting)
    assert counts(waiting) == ("waiting", 120, 0, 0) and not waiting.is_counting
    assert {stands(each).status for each in posts[:5]} == {"active"}, "nothing has happened yet"
    assert counts(running.advance(waiting)) == counts(waiting), "it does not begin by itself"
    lines = operations.all_lines(work.id, 200)
    assert sorted(line["post"] for line in lines) == sorted(Target.of(each).post for each in posts)
    began = waiting.cut_off

    services.begin(waiting)
    after = run(now_is(work))

    assert counts(after) == ("done", 120, 120, 0)
    assert after.cut_off == began
    assert len(together(work)) == 120
    assert {stands(each).status for each in posts} == {"banned"}


def test_what_is_written_later_does_not_belong_to_it(table: str) -> None:
    posts = many_posts(60)
    work = running.advance(of_list(), seconds=0)
    with shifted(timedelta(seconds=2)):
        late = a_post()
        after = counted_and_done(work)
    assert counts(after) == ("done", 60, 60, 0)
    assert stands(late).status == "active"
    assert {stands(each).status for each in posts} == {"banned"}


def test_what_a_colleague_decides_meanwhile_is_named_and_can_be_tried_again(table: str) -> None:
    posts = many_posts(5)
    waiting = run(of_list())
    colleague = decided(posts[1], Action.APPROVE, by=MARCO)
    decided(decided(posts[3], Action.BAN, by=MARCO), Action.RESTORE, by=MARCO)
    services.begin(waiting)
    after = run(now_is(waiting))
    assert counts(after) == ("done", 5, 3, 2)
    failed = {each.target: each.reason for each in operations.failures(after.id).items}
    assert set(failed) == {Target.of(posts[1]).name, Target.of(posts[3]).name}
    assert failed[Target.of(posts[1]).name].startswith("Marco Peña looked at it and let it stay")
    assert stands(colleague).status == "active"
    assert len(together(after)) == 3

    services.try_failed_again(after)
    again = run(now_is(after))

    assert counts(again) == ("done", 5, 5, 0)
    assert {stands(each).status for each in posts} == {"banned"}
    assert len(together(after)) == 5


def test_what_is_banned_already_stays_a_failure_when_tried_again(table: str) -> None:
    posts = many_posts(2)
    work = of_chosen(posts)
    decided(posts[0], Action.BAN, by=MARCO)
    after = run(work)
    services.try_failed_again(after)
    assert counts(run(now_is(after))) == ("done", 2, 1, 1)
    assert len(together(after)) == 1


@pytest.mark.parametrize(
    ("action", "touched"),
    [
        ("ban", {"calm": "banned", "waits": "banned", "comment": "banned"}),
        ("restore", {"banned": "active", "deleted": "active"}),
        ("delete", {"calm": "deleted", "waits": "deleted", "comment": "deleted", "banned": "deleted"}),
        ("approve", {"waits": "active", "comment": "active"}),
    ],
)
def test_everything_of_one_person(table: str, action: str, touched: dict[str, str]) -> None:
    """Posts and comments, where the action makes sense; of nobody else."""
    other = a_post(CALM, author="beto@example.com")
    made = {
        "calm": a_post(CALM),
        "waits": a_post(),
        "banned": decided(a_post(CALM), Action.BAN),
        "deleted": decided(a_post(CALM), Action.DELETE),
        "comment": a_comment(other, author=ANA),
    }
    before = {name: stands(item).seen for name, item in made.items()}
    after = counted_and_done(of_list(action=action, author=ANA))
    assert counts(after) == ("done", len(touched), len(touched), 0)
    changed = {
        name: item.status for name, item in ((n, stands(i)) for n, i in made.items()) if item.seen != before[name]
    }
    assert changed == touched
    assert stands(other).status == "active"


@pytest.mark.parametrize(("show", "kind", "action", "count"), [
    ("review", "posts", "approve", 2),
    ("review", "comments", "ban", 3),
    ("active", "posts", "ban", 3),
    ("active", "comments", "delete", 3),
    ("banned", "posts", "restore", 1),
    ("deleted", "posts", "restore", 1),
    ("deleted", "comments", "restore", 0),
    ("banned", "posts", "ban", 0),
])  # fmt: skip
def test_every_list(table: str, show: str, kind: str, action: str, count: int) -> None:
    posts = many_posts(3)
    decided(posts[2], Action.APPROVE)
    many_comments(posts[:1], 3)
    decided(a_post(CALM), Action.BAN)
    decided(a_post(CALM), Action.DELETE)
    after = run(of_list(action=action, show=show, kind=kind))
    if not count:
        assert counts(after) == ("done", 0, 0, 0), "there is nothing to begin"
        return
    services.begin(after)
    assert counts(run(now_is(after))) == ("done", count, count, 0)


# --- On the screen -------------------------------------------------------------------------------
def test_the_whole_flow_without_scripts(marco: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "TIME_BOX", 0)
    posts = many_posts(60)
    sent = {"action": "ban", "reason": "spam", "everything": "1", "show": "review", "kind": "posts", "next": "/x/"}
    begun = marco.post(URL, sent)
    assert begun.status_code == 303
    assert "found so far" in parse(marco.get(begun["Location"])).text

    preview = press_on(marco, begun["Location"])

    work = works()[0]
    assert preview.redirect_chain[-1][0] == f"{URL}{work.id}/"
    page = parse(preview)
    assert page.one("h1").text == "Ban 60 posts of the review queue"
    rows = [[cell.text for cell in row.all("td")] for row in page.all("tr", data_row="")]
    assert len(rows) == 20
    assert rows[0][1:] == ["Ana Soto", "0.79"] and rows[0][0].startswith("Qué puta espera")
    assert "And 40 more." in page.text and "Reason: Spam or advertising" in page.text
    assert page.all("a", href="/x/")[0].text == "Not now"
    assert {stands(each).status for each in posts[:3]} == {"active"}

    began = form_to(page, f"{URL}{work.id}/begin/").send(marco)
    assert began.status_code == 303
    first = marco.get(began["Location"])
    assert toasts(first) == ["Begun: Ban 60 posts of the review queue."]
    assert undo_form(first).action == f"{URL}{work.id}/undo/"
    end = parse(press_on(marco, began["Location"]))

    assert "60 of 60 done" in end.text and "60 are banned" in end.text
    assert end.all("a", href="/x/")
    assert {stands(each).status for each in posts} == {"banned"}
    assert marco.get(f"{URL}{work.id}/").status_code == 303, "there is nothing to look at any more"


def test_with_scripts_counting_leads_to_the_preview(marco: Client) -> None:
    many_posts(3)
    work = of_list()
    answer = marco.post(f"/operations/{work.id}/next/", headers={"HX-Request": "true", "HX-Target": "operation"})
    assert (answer.status_code, answer["HX-Redirect"]) == (204, f"{URL}{work.id}/")


def test_a_selection_on_the_screen_and_who_did_not_go_through(marco: Client) -> None:
    posts = many_posts(4)
    decided(posts[0], Action.APPROVE)
    # Some in one value, as a script gathers them; one that never was.
    chosen = [" ".join(picks(posts[:3])), "1:never%2Dwas"]
    begun = marco.post(URL, {"action": "ban", "reason": "Sells tickets", "selected": chosen})
    assert begun.status_code == 303
    page = parse(press_on(marco, begun["Location"]))
    assert "2 of 4 done" in page.text and "2 failed" in page.text
    rows = {row.all("td")[0].text: row.all("td")[1].text for row in page.all("tr", data_row="")}
    assert rows["never-was"] == "There is nothing here."
    (told,) = [why for what, why in rows.items() if what.startswith("Qué puta espera")]
    assert told.startswith("Marco Peña looked at it and let it stay")
    assert stands(posts[1]).ban_reason == "Sells tickets"
    assert [stands(each).status for each in posts] == ["active", "banned", "banned", "active"]


def test_the_same_form_twice_is_one_work(marco: Client) -> None:
    posts = many_posts(3)
    page = marco.post(URL, {"action": "ban", "selected": picks(posts)})
    form = form_to(page, URL)
    first, second = (form.send(marco, typed={"reason": "spam"}) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert len(works()) == 1


def test_a_ban_without_a_reason_loses_nothing(marco: Client) -> None:
    posts = many_posts(2)
    refused = marco.post(URL, {"action": "ban", "reason": " ", "selected": picks(posts), "next": "/forum/?q=a"})
    assert refused.status_code == 422
    page = parse(refused)
    assert page.one("h1").text == "Ban 2 posts"
    assert "Say why, or choose one of the reasons." in page.text
    assert works() == []
    options = {each.attrs["value"]: each.text for each in page.one("select").all("option")}
    assert options["spam"] == "Spam or advertising"

    begun = form_to(page, URL).send(marco, typed={"own": "Sells tickets"})

    assert begun.status_code == 303
    assert (works()[0].total, now_is(works()[0]).about["back"]) == (2, "/forum/?q=a")
    press_on(marco, begun["Location"])
    assert {stands(each).ban_reason for each in posts} == {"Sells tickets"}


def test_a_reason_that_is_too_long_is_kept_beside_its_error(marco: Client) -> None:
    many_posts(1)
    long = "x" * 301
    refused = marco.post(URL, {"action": "ban", "reason": long, "everything": "1", "author": ANA})
    assert refused.status_code == 422
    form = dict(form_to(refused, URL).fields)
    assert (form["own"], form["author"], form["everything"]) == (long, ANA, "1")


@pytest.mark.parametrize(
    "sent",
    [
        {"action": "burn", "selected": "1:a"},
        {"action": "reopen", "selected": "1:a"},
        {"selected": "1:a"},
        {"action": "delete"},
        {"action": "delete", "selected": ""},
        {"action": "delete", "selected": " ".join(f"1:p{n}" for n in range(101))},
        {"action": "delete", "selected": " ".join(f"1:p{n}" for n in range(10_000))},
        {"action": "delete", "selected": "nothing"},
        {"action": "delete", "selected": "1:"},
        {"action": "delete", "selected": "-1:a"},
        {"action": "delete", "selected": "²:a"},
        {"action": "delete", "selected": "9999999999999:a"},
        {"action": "delete", "selected": "1:a%23b"},
        {"action": "delete", "selected": f"1:{'x' * 3000}"},
        {"action": "delete", "everything": "1"},
        {"action": "delete", "everything": "1", "show": "mine"},
        {"action": "delete", "everything": "1", "show": "active", "kind": "likes"},
        {"action": "delete", "everything": "1", "author": "x" * 400},
        {"action": "ban", "reason": "a\x00b", "selected": "1:a"},
    ],
)
def test_bad_input_is_told_and_begins_nothing(marco: Client, sent: dict[str, str]) -> None:
    assert marco.post(URL, sent).status_code == 422
    assert works() == []


@pytest.mark.parametrize("author", ["nobody@example.com", "a#b", "ñandú ☃"])
def test_a_person_without_posts(marco: Client, author: str) -> None:
    begun = marco.post(URL, {"action": "delete", "everything": "1", "author": author})
    page = parse(press_on(marco, begun["Location"]))
    assert "There is nothing here that this could be done to." in page.text


@pytest.mark.parametrize("who", ["staff", "owner"])
def test_who_does_not_moderate(cast: dict[str, Person], who: str) -> None:
    post = many_posts(1)[0]
    work = run(of_list())
    browser = sign_in(cast[who])
    sent = {"action": "delete", "selected": picks([post])}
    assert browser.post(URL, sent).status_code == 403
    assert browser.get(f"{URL}{work.id}/").status_code == 403
    for way in ("begin", "undo"):
        assert browser.post(f"{URL}{work.id}/{way}/").status_code == 403
    assert now_is(work).state == State.WAITING
    assert stands(post).status == "active"


def test_another_s_work_does_not_exist(cast: dict[str, Person]) -> None:
    many_posts(1)
    work = run(of_list())
    alma = sign_in(cast["admin"])
    for operation in (work.id, "none"):
        assert alma.get(f"{URL}{operation}/").status_code == 404
        for way in ("begin", "undo"):
            assert alma.post(f"{URL}{operation}/{way}/").status_code == 404
    assert now_is(work).state == State.WAITING


def test_whoever_loses_the_role_half_way_cannot_begin(cast: dict[str, Person], marco: Client) -> None:
    many_posts(1)
    work = run(of_list())
    person = cast["moderator"]
    people.edit(person.email, name=person.name, role=Role.STAFF, seen=person.seen, operation=new_operation(ALMA))
    assert sign_in(accounts.person(person.email)).post(f"{URL}{work.id}/begin/").status_code == 403
    assert now_is(work).state == State.WAITING

"""Bulk decisions on the screen: the whole way without scripts, what is refused, and to whom."""

from __future__ import annotations

from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from dashboard.platform.accounts import queries as accounts
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.platform.jobs import queries as operations
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import InputPart, State
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from forum.actions import Action, actions_on_everything
from forum.targets import Target
from tests.conftest import ACTOR, sign_in
from tests.forum.bulks import (
    ANA,
    URL,
    a_counted_bulk,
    many_posts,
    of_list,
    picks,
    press_on,
    together,
)
from tests.forum.factories import MARCO, decided
from tests.forum.factories import reloaded as stands
from tests.jobs.execution import finish, reloaded
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def works() -> list[Any]:
    return operations.jobs_of(MARCO.email).items


def test_the_whole_flow_without_scripts(marco: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "TIME_BOX", 0)
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
    assert page.all("a", href="/x/")[0].text == "Cancel"
    assert {stands(each).status for each in posts[:3]} == {"active"}

    began = form_to(page, f"{URL}{work.id}/begin/").send(marco)
    assert began.status_code == 303
    first = marco.get(began["Location"])
    assert toasts(first) == ["Banning 60 posts of the review queue…"]
    assert undo_form(first).action == f"{URL}{work.id}/undo/"
    end = parse(press_on(marco, began["Location"]))

    assert "60 of 60 done" in end.text and "60 banned" in end.text
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
    assert page.all("a", href=f"/forum/posts/{Target.of(posts[0]).post}/")
    assert page.all("a", href=f"/forum/log/?operation={works()[0].id}")
    rows = {row.all("td")[0].text: row.all("td")[1].text for row in page.all("tr", data_row="")}
    assert rows["never-was"] == "There is nothing here."
    (told,) = [why for what, why in rows.items() if what.startswith("Qué puta espera")]
    assert told.startswith("Marco Peña approved it")
    assert stands(posts[1]).ban_reason == "Sells tickets"
    assert [stands(each).status for each in posts] == ["active", "banned", "banned", "active"]


def test_the_same_form_twice_is_one_work(marco: Client) -> None:
    posts = many_posts(3)
    page = marco.post(URL, {"action": "ban", "selected": picks(posts)})
    form = form_to(page, URL)
    first, second = (form.send(marco, values={"reason": "spam"}) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert len(works()) == 1


@pytest.mark.parametrize("action", ["approve", "delete"])
def test_the_reason_of_the_list_s_form_speaks_of_bans_only(marco: Client, action: str) -> None:
    post = many_posts(1)[0]
    begun = marco.post(URL, {"action": action, "reason": "insult", "selected": picks([post])})
    press_on(marco, begun["Location"])
    (entry,) = together(works()[0])
    assert entry.action == action
    assert not entry.reason and not entry.reason_id


def test_a_ban_without_a_reason_loses_nothing(marco: Client) -> None:
    posts = many_posts(2)
    refused = marco.post(URL, {"action": "ban", "reason": " ", "selected": picks(posts), "next": "/forum/?q=a"})
    assert refused.status_code == 422
    page = parse(refused)
    assert page.one("h1").text == "Ban 2 posts"
    assert "Choose or write a reason." in page.text
    assert works() == []
    options = {each.attrs["value"]: each.text for each in page.one("select").all("option")}
    assert options["spam"] == "Spam or advertising"

    begun = form_to(page, URL).send(marco, values={"own": "Sells tickets"})

    assert begun.status_code == 303
    assert (works()[0].total, reloaded(works()[0]).about["back"]) == (2, "/forum/?q=a")
    press_on(marco, begun["Location"])
    assert {stands(each).ban_reason for each in posts} == {"Sells tickets"}


@pytest.mark.parametrize(
    ("where", "buttons"),
    [
        ({"show": "review", "kind": "posts"}, ["approve", "ban", "delete"]),
        ({"show": "active", "kind": "comments"}, ["ban", "delete"]),
        ({"show": "banned", "kind": "posts"}, ["restore", "delete"]),
        ({"show": "deleted", "kind": "posts"}, ["restore"]),
        ({"author": ANA}, ["ban", "restore", "delete"]),
    ],
)
def test_the_form_that_lists_include(marco: Client, where: dict[str, str], buttons: list[str]) -> None:
    """Every button of it begins a count of that list."""
    request = marco.get("/operations/").wsgi_request
    given: dict[str, Any] = {"count": "100+", "reasons": [("spam", "Spam")], "shell": {"here": "/forum/"}}
    given["actions_on_everything"] = actions_on_everything(where.get("show", ""))
    form = form_to(parse(render_to_string("forum/_bulk_form.html", where | given, request)), URL)
    assert [each.attrs["value"] for each in form.buttons] == buttons
    for button in form.buttons:
        assert form.send(marco, button, {"reason": "spam"}).status_code == 303
    assert [reloaded(each).about["action"] for each in reversed(works())] == buttons
    for work in works():
        assert where.items() <= (reloaded(work).about or {}).items()
        assert reloaded(work).is_counting


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
    assert "Nothing to do: no post or comment matches." in page.text


@pytest.mark.parametrize("who", ["staff", "owner"])
def test_who_does_not_moderate(people_by_role: dict[str, Person], who: str) -> None:
    post = many_posts(1)[0]
    work = finish(of_list())
    browser = sign_in(people_by_role[who])
    sent = {"action": "delete", "selected": picks([post])}
    assert browser.post(URL, sent).status_code == 403
    assert browser.get(f"{URL}{work.id}/").status_code == 403
    for way in ("begin", "undo"):
        assert browser.post(f"{URL}{work.id}/{way}/").status_code == 403
    assert reloaded(work).state == State.WAITING
    assert stands(post).status == "active"


def test_another_s_work_does_not_exist(people_by_role: dict[str, Person]) -> None:
    many_posts(1)
    work = finish(of_list())
    alma = sign_in(people_by_role["admin"])
    for command in (work.id, "none"):
        assert alma.get(f"{URL}{command}/").status_code == 404
        for way in ("begin", "undo"):
            assert alma.post(f"{URL}{command}/{way}/").status_code == 404
    assert reloaded(work).state == State.WAITING


def test_whoever_loses_the_role_half_way_cannot_begin(people_by_role: dict[str, Person], marco: Client) -> None:
    many_posts(1)
    work = finish(of_list())
    person = people_by_role["moderator"]
    people.edit(person.email, name=person.name, role=Role.STAFF, revision=person.revision, command=new_command(ACTOR))
    assert sign_in(accounts.load_person(person.email)).post(f"{URL}{work.id}/begin/").status_code == 403
    assert reloaded(work).state == State.WAITING


def test_the_preview_asks_once_for_lines_that_stand_far_apart(marco: Client) -> None:
    """Where few of each page belong to it, its parts are short: a page with one of them each."""
    work = a_counted_bulk()
    for number in range(30):
        key = keys.OPERATION_INPUT.key(operation=work.id, part=number)
        write.update(
            key,
            [
                InputPart.lines.set([{"post": f"p{number}", "seen": 1, "text": f"text {number}"}]),
                InputPart.by.set(work.by),
            ],
        )
    answer = marco.get(f"{URL}{work.id}/")
    assert "text 4" in parse(answer).text
    assert calls_of(answer).trips == 2

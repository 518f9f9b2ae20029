"""Bulk decisions on the screen: all steps without JavaScript, invalid input, and permissions."""

from __future__ import annotations

from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from dashboard.platform.accounts import queries as accounts
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import InputPart, JobState
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from forum.actions import Action, actions_on_everything
from forum.targets import ForumTarget
from tests.conftest import ACTOR, sign_in
from tests.forum.bulk_jobs import (
    ANA,
    URL,
    checkbox_values,
    create_counted_bulk,
    create_posts,
    log_entries_of_job,
    press_continue,
    start_on_list,
)
from tests.forum.factories import MARCO, decide, reload_item
from tests.jobs.execution import finish, reloaded
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def jobs_of_marco() -> list[Any]:
    return job_queries.jobs_of(MARCO.email).items


def test_all_steps_work_without_javascript(marco: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "TIME_BOX", 0)
    posts = create_posts(60)
    sent = {"action": "ban", "reason": "spam", "everything": "1", "show": "review", "kind": "posts", "next": "/x/"}
    started = marco.post(URL, sent)
    assert started.status_code == 303
    assert "found so far" in parse(marco.get(started["Location"])).text

    preview = press_continue(marco, started["Location"])

    job = jobs_of_marco()[0]
    assert preview.redirect_chain[-1][0] == f"{URL}{job.id}/"
    page = parse(preview)
    assert page.one("h1").text == "Ban 60 posts of the review queue"
    rows = [[cell.text for cell in row.all("td")] for row in page.all("tr", data_row="")]
    assert len(rows) == 20
    assert rows[0][1:] == ["Ana Soto", "0.79"] and rows[0][0].startswith("Qué puta espera")
    assert "And 40 more." in page.text and "Reason: Spam or advertising" in page.text
    assert page.all("a", href="/x/")[0].text == "Cancel"
    assert {reload_item(each).status for each in posts[:3]} == {"active"}

    confirmed = form_to(page, f"{URL}{job.id}/begin/").send(marco)
    assert confirmed.status_code == 303
    first = marco.get(confirmed["Location"])
    assert toasts(first) == ["Banning 60 posts of the review queue…"]
    assert undo_form(first).action == f"{URL}{job.id}/undo/"
    end = parse(press_continue(marco, confirmed["Location"]))

    assert "60 of 60 done" in end.text and "60 banned" in end.text
    assert end.all("a", href="/x/")
    assert {reload_item(each).status for each in posts} == {"banned"}
    assert marco.get(f"{URL}{job.id}/").status_code == 303, "a finished job has no preview"


def test_with_javascript_the_count_redirects_to_the_preview(marco: Client) -> None:
    create_posts(3)
    job = start_on_list()
    answer = marco.post(f"/operations/{job.id}/next/", headers={"HX-Request": "true", "HX-Target": "operation"})
    assert (answer.status_code, answer["HX-Redirect"]) == (204, f"{URL}{job.id}/")


def test_the_page_of_a_selection_lists_the_posts_that_failed(marco: Client) -> None:
    posts = create_posts(4)
    decide(posts[0], Action.APPROVE)
    # Three in one value, as the script sends them, and one that does not exist.
    chosen = [" ".join(checkbox_values(posts[:3])), "1:never%2Dwas"]
    started = marco.post(URL, {"action": "ban", "reason": "Sells tickets", "selected": chosen})
    assert started.status_code == 303
    page = parse(press_continue(marco, started["Location"]))
    assert "2 of 4 done" in page.text and "2 failed" in page.text
    assert page.all("a", href=f"/forum/posts/{ForumTarget.of(posts[0]).post}/")
    assert page.all("a", href=f"/forum/log/?operation={jobs_of_marco()[0].id}")
    rows = {row.all("td")[0].text: row.all("td")[1].text for row in page.all("tr", data_row="")}
    assert rows["never-was"] == "There is nothing here."
    (reason,) = [why for what, why in rows.items() if what.startswith("Qué puta espera")]
    assert reason.startswith("Marco Peña approved it")
    assert reload_item(posts[1]).ban_reason == "Sells tickets"
    assert [reload_item(each).status for each in posts] == ["active", "banned", "banned", "active"]


def test_the_same_form_sent_twice_starts_one_job(marco: Client) -> None:
    posts = create_posts(3)
    page = marco.post(URL, {"action": "ban", "selected": checkbox_values(posts)})
    form = form_to(page, URL)
    first, second = (form.send(marco, values={"reason": "spam"}) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert len(jobs_of_marco()) == 1


@pytest.mark.parametrize("action", ["approve", "delete"])
def test_the_reason_is_saved_for_bans_only(marco: Client, action: str) -> None:
    post = create_posts(1)[0]
    started = marco.post(URL, {"action": action, "reason": "insult", "selected": checkbox_values([post])})
    press_continue(marco, started["Location"])
    (entry,) = log_entries_of_job(jobs_of_marco()[0])
    assert entry.action == action
    assert not entry.reason and not entry.reason_id


def test_a_ban_without_a_reason_shows_an_error_and_keeps_the_selection(marco: Client) -> None:
    posts = create_posts(2)
    refused = marco.post(
        URL, {"action": "ban", "reason": " ", "selected": checkbox_values(posts), "next": "/forum/?q=a"}
    )
    assert refused.status_code == 422
    page = parse(refused)
    assert page.one("h1").text == "Ban 2 posts"
    assert "Choose or write a reason." in page.text
    assert jobs_of_marco() == []
    options = {each.attrs["value"]: each.text for each in page.one("select").all("option")}
    assert options["spam"] == "Spam or advertising"

    started = form_to(page, URL).send(marco, values={"own": "Sells tickets"})

    assert started.status_code == 303
    assert (jobs_of_marco()[0].total, reloaded(jobs_of_marco()[0]).about["back"]) == (2, "/forum/?q=a")
    press_continue(marco, started["Location"])
    assert {reload_item(each).ban_reason for each in posts} == {"Sells tickets"}


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
def test_each_button_of_the_bulk_form_starts_a_count_of_the_list(
    marco: Client, where: dict[str, str], buttons: list[str]
) -> None:
    """The form is included in each list, with the actions that apply there."""
    request = marco.get("/operations/").wsgi_request
    context: dict[str, Any] = {"count": "100+", "reasons": [("spam", "Spam")], "shell": {"here": "/forum/"}}
    context["actions_on_everything"] = actions_on_everything(where.get("show", ""))
    form = form_to(parse(render_to_string("forum/_bulk_form.html", where | context, request)), URL)
    assert [each.attrs["value"] for each in form.buttons] == buttons
    for button in form.buttons:
        assert form.send(marco, button, {"reason": "spam"}).status_code == 303
    assert [reloaded(each).about["action"] for each in reversed(jobs_of_marco())] == buttons
    for job in jobs_of_marco():
        assert where.items() <= (reloaded(job).about or {}).items()
        assert reloaded(job).is_counting


def test_a_reason_that_is_too_long_shows_an_error_and_keeps_the_input(marco: Client) -> None:
    create_posts(1)
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
def test_invalid_input_is_refused_and_starts_no_job(marco: Client, sent: dict[str, str]) -> None:
    assert marco.post(URL, sent).status_code == 422
    assert jobs_of_marco() == []


@pytest.mark.parametrize("author", ["nobody@example.com", "a#b", "ñandú ☃"])
def test_a_job_on_a_person_without_posts_has_nothing_to_do(marco: Client, author: str) -> None:
    started = marco.post(URL, {"action": "delete", "everything": "1", "author": author})
    page = parse(press_continue(marco, started["Location"]))
    assert "Nothing to do: no post or comment matches." in page.text


@pytest.mark.parametrize("who", ["staff", "owner"])
def test_people_without_the_moderator_permission_get_403(people_by_role: dict[str, Person], who: str) -> None:
    post = create_posts(1)[0]
    job = finish(start_on_list())
    browser = sign_in(people_by_role[who])
    sent = {"action": "delete", "selected": checkbox_values([post])}
    assert browser.post(URL, sent).status_code == 403
    assert browser.get(f"{URL}{job.id}/").status_code == 403
    for way in ("begin", "undo"):
        assert browser.post(f"{URL}{job.id}/{way}/").status_code == 403
    assert reloaded(job).state == JobState.WAITING
    assert reload_item(post).status == "active"


def test_the_job_of_another_person_is_not_found(people_by_role: dict[str, Person]) -> None:
    create_posts(1)
    job = finish(start_on_list())
    alma = sign_in(people_by_role["admin"])
    for job_id in (job.id, "none"):
        assert alma.get(f"{URL}{job_id}/").status_code == 404
        for way in ("begin", "undo"):
            assert alma.post(f"{URL}{job_id}/{way}/").status_code == 404
    assert reloaded(job).state == JobState.WAITING


def test_a_person_who_loses_the_role_cannot_confirm_their_job(people_by_role: dict[str, Person], marco: Client) -> None:
    create_posts(1)
    job = finish(start_on_list())
    person = people_by_role["moderator"]
    people.edit(person.email, name=person.name, role=Role.STAFF, revision=person.revision, command=new_command(ACTOR))
    assert sign_in(accounts.load_person(person.email)).post(f"{URL}{job.id}/begin/").status_code == 403
    assert reloaded(job).state == JobState.WAITING


def test_the_preview_reads_many_short_parts_in_one_trip(marco: Client) -> None:
    """If few posts of each page match, each part has few lines: here 30 parts with one line."""
    job = create_counted_bulk()
    for number in range(30):
        key = keys.OPERATION_INPUT.key(operation=job.id, part=number)
        write.update(
            key,
            [
                InputPart.lines.set([{"post": f"p{number}", "seen": 1, "text": f"text {number}"}]),
                InputPart.by.set(job.by),
            ],
        )
    answer = marco.get(f"{URL}{job.id}/")
    assert "text 4" in parse(answer).text
    assert calls_of(answer).trips == 2

"""Bulk actions inside the list: the panel, the results of its rows, all results of a search, and one undo."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import runner
from forum.actions import Action
from forum.items import Comment, Post
from forum.targets import ForumTarget
from tests.conftest import sign_in
from tests.forum.bulk_jobs import URL, checkbox_values, create_posts
from tests.forum.factories import MARCO, create_comment, create_post, decide, reload_item
from tests.ui.html import Element, form_to, parse
from tests.ui.walk import calls_of

HTMX = {"HX-Request": "true", "HX-Target": "bulk-panel"}


@pytest.fixture
def marco(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def names_of(items: Iterable[Post | Comment]) -> str:
    return "\n".join(ForumTarget.of(item).path for item in items)


def start(client: Client, **fields: object) -> Element:
    return parse(client.post(URL, {"place": "list", "reason": "spam", **fields}, headers=HTMX))


def run(client: Client, panel: Element, names: str) -> tuple[Element, dict[str, str]]:
    """Requests the next steps until the job waits or is done. Returns the last panel, and the text of each row."""
    rows: dict[str, str] = {}
    while panel.one(id="bulk-panel").attrs["data-state"] == "running":
        form = next(each for each in panel.all("form") if "data-run-job" in each.attrs)
        url = str(form.attrs["action"])
        panel = parse(form_to(panel, url).send(client, values={"names": names}, headers=HTMX))
        rows |= {str(each.attrs["data-result"]): each.text for each in panel.all("div") if "data-result" in each.attrs}
    return panel, rows


def status_of(panel: Element) -> str:
    return panel.by_class("bulk-panel-title")[0].text


def test_a_selection_shows_the_result_of_each_row_and_one_undo_reverts_all(
    marco: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "TIME_BOX", 0)
    posts = create_posts(60)
    values = checkbox_values(posts)
    decide(posts[3], Action.APPROVE)
    panel, rows = run(marco, start(marco, action="ban", selected=" ".join(values)), names_of(posts))
    assert "59 banned" in status_of(panel) and "1 failed" in status_of(panel)
    assert len(rows) == 60
    failed = rows.pop(ForumTarget.of(posts[3]).path)
    assert "Not done: Marco Peña approved it" in failed
    assert all(text.startswith("Banned") for text in rows.values())

    (job,) = job_queries.jobs_of(MARCO.email).items
    undo = parse(form_to(panel, f"{URL}{job.id}/undo/").send(marco, headers=HTMX))
    panel, rows = run(marco, undo, names_of(posts))
    assert "59 undone" in status_of(panel)
    assert {reload_item(each).status for each in posts} == {"active"}
    assert len(rows) == 60 and all("Ban" in text for text in rows.values()), "the cards can be decided again"


def test_all_results_of_a_search_are_counted_before_anything_changes(marco: Client) -> None:
    post = create_post("vendo ENTRADAS hoy")
    comment = create_comment(post, "más entradas aquí", author="ana@example.com")
    other = create_post("Buenos días")
    page = marco.get("/forum/?show=active&q=entradas")
    assert "Act on all results for “entradas”" in parse(page).by_class("desk-everything")[0].text
    started = form_to(parse(page).by_class("desk-everything")[0], URL).send(
        marco,
        values={"action": "ban", "reason": "spam"},
        headers={**HTMX, "HX-Current-URL": "http://testserver/forum/"},
    )
    panel, rows = run(marco, parse(started), names_of((post, comment, other)))
    assert status_of(panel) == "Ban 2 posts and comments (Active) with “entradas”"
    assert rows == {}
    assert {reload_item(each).status for each in (post, comment)} == {"active"}
    (job,) = job_queries.jobs_of(MARCO.email).items
    begun = parse(form_to(panel, f"{URL}{job.id}/begin/").send(marco, headers=HTMX))
    panel, rows = run(marco, begun, names_of((post, comment, other)))
    assert status_of(panel) == "2 banned"
    assert set(rows) == {ForumTarget.of(post).path, ForumTarget.of(comment).path}
    assert [reload_item(each).status for each in (post, comment, other)] == ["banned", "banned", "active"]

    # The last decision was the bulk action: its undo is one as well.
    undo = parse(marco.post("/forum/undo/", {"place": "list"}, headers={**HTMX, "HX-Target": "", "HX-Trigger": "x"}))
    panel, _rows = run(marco, undo, "")
    assert status_of(panel) == "2 undone"
    assert {reload_item(each).status for each in (post, comment, other)} == {"active"}


def test_the_count_of_the_queue_is_in_the_button(marco: Client) -> None:
    create_posts(3)
    assert "Act on all 3" in parse(marco.get("/forum/")).by_class("desk-everything")[0].text


def test_a_second_bulk_action_of_the_same_page_is_another_command(marco: Client) -> None:
    create_posts(2)
    page = marco.get("/forum/")
    form = form_to(parse(page).by_class("desk-everything")[0], URL)
    answer = parse(form.send(marco, values={"action": "delete"}, headers=HTMX))
    commands = {answer.one(id=f"{each}-command").one("input").attrs["value"] for each in ("bulk", "bulk-all")}
    assert commands and form.data()["operation"] not in commands


def test_bad_input_is_refused(marco: Client, as_staff: Client) -> None:
    posts = create_posts(1)
    fields = {"place": "list", "action": "ban", "reason": " ", "selected": checkbox_values(posts)}
    refused = marco.post(URL, fields, headers=HTMX)
    assert refused.status_code == 422 and "Choose or write a reason." in parse(refused).text
    panel = start(marco, action="ban", selected=checkbox_values(posts))
    url = next(str(each.attrs["action"]) for each in panel.all("form") if "data-run-job" in each.attrs)
    for shown in ("", "x", "1:2", "9999999:0:0", "-1:0:1"):
        assert marco.post(url, {"shown": shown, "names": "x"}, headers=HTMX).status_code == 200
    assert marco.post(url).status_code == 303
    assert as_staff.post(url, headers=HTMX).status_code == 403


def test_numbers_of_the_page_do_not_make_a_request_read_more_than_the_job_has(marco: Client) -> None:
    posts = create_posts(2)
    run(marco, start(marco, action="ban", selected=" ".join(checkbox_values(posts))), names_of(posts))
    (job,) = job_queries.jobs_of(MARCO.email).items
    sent = {"place": "list", "shown": "0:0:999999", "names": names_of(posts)}
    answer = marco.post(f"{URL}{job.id}/next/", sent, headers=HTMX)
    assert answer.status_code == 200
    assert len(calls_of(answer).calls) < 15

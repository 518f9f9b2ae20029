"""Decisions about selected comments, as jobs."""

from __future__ import annotations

import pytest
from django.test import Client

from content import comment_bulk as bulk
from content.comment_statuses import DECISIONS
from content.items import PageComment
from content.services import comments as services
from dashboard.platform.audit.queries import history
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.queries import find_job
from dashboard.table.commands import Actor, new_command
from tests.conftest import ACTOR, real_engines
from tests.content.site import BUSINESS
from tests.content.visitors import COMMENTS, load, put_comment
from tests.faults import act_then_break, bad_network, lose_reply, retry_until_available
from tests.jobs.execution import finish
from tests.ui.html import Element, form_to, parse


def put_comments(count: int) -> list[PageComment]:
    return [put_comment(f"Número {number}", at=f"2026-04-03T18:22:{number:02}.000Z") for number in range(count)]


def job_at(url: str) -> Job:
    job = find_job(url.rstrip("/").rpartition("/")[2])
    assert job is not None
    return job


def test_selected_comments_are_decided_and_undone_as_a_job(table: str, as_owner: Client) -> None:
    comments = put_comments(12)
    page = parse(as_owner.get(COMMENTS))
    selected = [box.attrs["value"] for box in page.all("input", name="selected")]
    assert len(selected) == 12
    url = f"{COMMENTS}bulk/"
    data = {"action": "spam", "selected": selected}
    # A colleague decides about one of them first.
    command = new_command(ACTOR)
    services.decide(BUSINESS, comments[3].ref, DECISIONS["approve"], revision=0, command=command)
    answer = as_owner.post(url, data)
    assert answer.status_code == 303
    job = finish(job_at(answer.headers["Location"]))
    assert (job.done, job.failed, job.title) == (11, 1, "Mark 12 comments as spam")
    statuses = [load(each.ref).status for each in comments]
    assert statuses == ["Spam"] * 3 + ["Approved"] + ["Spam"] * 8
    shown = as_owner.get(job.url())
    assert "now “Approved”" in parse(shown).text
    # Somebody has decided again about another one: undo keeps that.
    services.decide(BUSINESS, comments[5].ref, DECISIONS["hide"], revision=1, command=new_command(ACTOR))
    undo = form_to(shown, f"{COMMENTS}jobs/{job.id}/undo/")
    undone = finish(job_at(as_owner.post(undo.action, undo.data()).headers["Location"]))
    assert (undone.done, undone.failed, undone.total) == (10, 1, 11), "the line that failed has nothing to undo"
    statuses = [load(each.ref).status for each in comments]
    assert statuses == ["Pending"] * 3 + ["Approved", "Pending", "Hidden"] + ["Pending"] * 6
    assert as_owner.get(undone.url()).status_code == 200


@pytest.mark.parametrize(
    ("decision", "selected"),
    [
        ("spam", []),
        ("spam", ["0:no token"]),
        ("spam", ["x:YQpiCg"]),
        ("spam", [":"]),
        ("delete", ["0:YQpiCg"]),
        ("spam", [" ".join(f"{number}:YQpiCg" for number in range(bulk.MOST + 1))]),
    ],
)
def test_an_invalid_selection_is_refused(table: str, as_owner: Client, decision: str, selected: list[str]) -> None:
    answer = as_owner.post(f"{COMMENTS}bulk/", {"action": decision, "selected": selected})
    assert answer.status_code == 422


def test_a_selection_of_another_business_changes_nothing(table: str, as_owner: Client) -> None:
    theirs = put_comment(business="harbour")
    sent = {"action": "approve", "selected": f"0:{theirs.ref.token}"}
    job = finish(job_at(as_owner.post(f"{COMMENTS}bulk/", sent).headers["Location"]))
    assert (job.done, job.failed) == (0, 1)
    assert load(theirs.ref, "harbour").status == "Pending"


# --- Everything in a list, inside the list ---------------------------------------------------------
HTMX = {"HX-Request": "true", "HX-Target": "bulk-panel"}


def start_with_all(client: Client, query: dict[str, str] | None = None, decision: str = "hide") -> Element:
    """Presses a button of the form for everything in a list; returns the panel."""
    form = form_to(client.get(COMMENTS, query or {}), f"{COMMENTS}bulk/", everything="1")
    return parse(form.send(client, values={"action": decision}, headers=HTMX))


def run(client: Client, panel: Element, names: str = "") -> tuple[Element, dict[str, str]]:
    """Requests the next steps until the job waits or is done. Returns the last panel, and the text of each row."""
    rows: dict[str, str] = {}
    while panel.one(id="bulk-panel").attrs["data-state"] == "running":
        form = next(each for each in panel.all("form") if "data-run-job" in each.attrs)
        url = str(form.attrs["action"])
        panel = parse(form_to(panel, url).send(client, values={"names": names}, headers=HTMX))
        rows |= {str(each.attrs["data-result"]): each.text for each in panel.all("div") if "data-result" in each.attrs}
    return panel, rows


def press(client: Client, panel: Element, end: str) -> Element:
    """Sends the form of the panel whose address ends like this."""
    url = next(str(form.attrs["action"]) for form in panel.all("form") if str(form.attrs["action"]).endswith(end))
    return parse(form_to(panel, url).send(client, headers=HTMX))


def panel_title(panel: Element) -> str:
    return panel.by_class("bulk-panel-title")[0].text


def test_everything_in_a_list_is_counted_decided_in_place_and_undone_with_one_button(
    table: str, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "TIME_BOX", 0)
    comments = put_comments(60)
    spam = put_comment("Otra lista", status="Spam", at="2026-04-04T00:00:00.000Z")
    counted, _rows = run(as_owner, start_with_all(as_owner))
    assert counted.one(id="bulk-panel").attrs["data-state"] == "waiting"
    assert panel_title(counted) == "Hide 60 comments" and "Hide (60)" in counted.text
    assert all(load(each.ref).status == "Pending" for each in comments), "nothing changes before it is confirmed"
    # One that a colleague decides about meanwhile is kept; one that is written later is not included.
    services.decide(BUSINESS, comments[7].ref, DECISIONS["approve"], revision=0, command=new_command(ACTOR))
    names = "\n".join(each.ref.token for each in comments)
    done, rows = run(as_owner, press(as_owner, counted, "/begin/"), names)
    assert panel_title(done) == "Hidden: 59 · 1 failed"
    assert len(rows) == 60 and "Not done:" in rows[comments[7].ref.token]
    assert rows[comments[0].ref.token].startswith("Hidden Petra N.: Número 0")
    assert [load(each.ref).status for each in comments].count("Hidden") == 59
    undone, rows = run(as_owner, press(as_owner, done, "/undo/"), names)
    assert panel_title(undone) == "59 undone" and len(rows) == 60
    assert [load(each.ref).status for each in comments].count("Pending") == 59
    assert (load(comments[7].ref).status, load(spam.ref).status) == ("Approved", "Spam")


def test_the_filters_of_a_list_limit_what_is_decided(table: str, as_owner: Client) -> None:
    ana = put_comment("Compra ya", at="2026-04-03T00:00:01.000Z", authorEmail="Ana@x.example", authorName="Ana")
    others = [
        put_comment("Compra mañana", at="2026-04-03T00:00:02.000Z"),
        put_comment("Hola", at="2026-04-03T00:00:03.000Z", authorEmail="ana@x.example", authorName="Ana"),
        put_comment("compra", at="2026-04-03T00:00:04.000Z", authorEmail="ana@x.example", status="Approved"),
    ]
    counted, _rows = run(as_owner, start_with_all(as_owner, {"q": "COMPRA", "by": "ana@x.example"}, "spam"))
    assert panel_title(counted) == "Mark 1 comment as spam"
    run(as_owner, press(as_owner, counted, "/begin/"))
    assert load(ana.ref).status == "Spam"
    assert [load(each.ref).status for each in others] == ["Pending", "Pending", "Approved"]
    again = {"action": "spam", "everything": "1", "show": "Pending", "q": "COMPRA", "by": "ana@x.example"}
    nothing, _rows = run(as_owner, parse(as_owner.post(f"{COMMENTS}bulk/", again | {"place": "list"}, headers=HTMX)))
    assert panel_title(nothing) == "Nothing to do: no comment matches."


def test_without_javascript_a_page_shows_how_many_before_anything_changes(table: str, as_owner: Client) -> None:
    comments = put_comments(3)
    form = form_to(as_owner.get(COMMENTS), f"{COMMENTS}bulk/", everything="1")
    started = form.send(as_owner, values={"action": "approve", "place": ""})
    job = finish(job_at(started.headers["Location"]))
    preview = as_owner.get(f"{COMMENTS}jobs/{job.id}/")
    assert "Approve 3 comments" in parse(preview).text and "Número 1" in parse(preview).text
    assert load(comments[0].ref).status == "Pending"
    begun = form_to(preview, f"{COMMENTS}jobs/{job.id}/begin/").send(as_owner)
    job = finish(job_at(begun.headers["Location"]))
    assert (job.done, [load(each.ref).status for each in comments]) == (3, ["Approved"] * 3)
    # A double click on "begin" changes nothing more, and the preview leads to the job.
    assert as_owner.post(f"{COMMENTS}jobs/{job.id}/begin/").status_code == 303
    assert as_owner.get(f"{COMMENTS}jobs/{job.id}/").status_code == 303
    undo = form_to(as_owner.get(job.url()), f"{COMMENTS}jobs/{job.id}/undo/")
    for _ in range(2):
        undone = finish(job_at(undo.send(as_owner, values={"place": ""}).headers["Location"]))
    assert (undone.done, [load(each.ref).status for each in comments]) == (3, ["Pending"] * 3)


def test_undo_of_the_last_decision_undoes_a_bulk_action_as_a_whole(table: str, as_owner: Client) -> None:
    comments = put_comments(3)
    selected = [f"0:{each.ref.token}" for each in comments]
    finish(job_at(as_owner.post(f"{COMMENTS}bulk/", {"action": "hide", "selected": selected}).headers["Location"]))
    undone = finish(job_at(as_owner.post(f"{COMMENTS}undo/").headers["Location"]))
    assert (undone.done, [load(each.ref).status for each in comments]) == (3, ["Pending"] * 3)
    again = as_owner.post(f"{COMMENTS}undo/", follow=True)
    assert "None of your decisions is left to undo." in parse(again).text


@pytest.mark.parametrize("fields", [{"show": "x"}, {"page": "%%"}, {}, {"show": "Spam", "since": "x"}])
def test_an_unknown_list_is_refused(table: str, as_owner: Client, fields: dict[str, str]) -> None:
    assert as_owner.post(f"{COMMENTS}bulk/", {"action": "hide", "everything": "1", **fields}).status_code == 422


def test_a_job_of_another_person_or_business_is_not_found(table: str, as_owner: Client) -> None:
    comments = put_comments(1)
    job = bulk.begin_with(
        BUSINESS, DECISIONS["hide"], {comments[0].ref: 0}, "", command=new_command(Actor("other@x.example", "X"))
    )
    for name in ("next/", "begin/", "undo/"):
        assert as_owner.post(f"{COMMENTS}jobs/{job.id}/{name}").status_code == 404
    assert as_owner.get(f"{COMMENTS}jobs/{job.id}/").status_code == 404
    assert load(comments[0].ref).status == "Pending"


@real_engines
def test_a_bulk_decision_and_its_undo_happen_once_with_lost_replies(table: str) -> None:
    comments, by = put_comments(30), new_command(ACTOR)
    chosen = {each.ref: 0 for each in comments}
    with bad_network() as network:
        network.add_random_fault(0.1, lose_reply)
        network.add_random_fault(0.05, act_then_break)
        job = retry_until_available(lambda: bulk.begin_with(BUSINESS, DECISIONS["spam"], chosen, "", command=by))
        job = finish(job)
        undo_by = new_command(ACTOR)
        undone = retry_until_available(lambda: bulk.begin_undo(job, command=undo_by))
        undone = finish(undone)
        network.stop_faults()
    assert (job.done, job.failed, undone.done, undone.failed) == (30, 0, 30, 0)
    for each in comments:
        stored = load(each.ref)
        assert (stored.status, stored.revision) == ("Pending", 2)
        entries = history(each.ref.target, business=BUSINESS)
        assert sorted(entry.action for entry in entries) == ["page_comment.spam", "page_comment.undo"]

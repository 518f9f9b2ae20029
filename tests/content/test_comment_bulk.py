"""Decisions about selected comments, as jobs."""

from __future__ import annotations

import pytest
from django.test import Client

from content import comment_bulk
from content.comment_statuses import DECISIONS
from content.items import PageComment
from content.services import comments as services
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.queries import find_job
from dashboard.table.commands import new_command
from tests.conftest import ACTOR
from tests.content.site import BUSINESS
from tests.content.visitors import COMMENTS, load, put_comment
from tests.jobs.execution import finish
from tests.ui.html import form_to, parse


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
    button = page.one("button", name="action", value="spam")
    data = form_to(page, url).data(button) | {"selected": selected}
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
    assert (undone.done, undone.failed) == (11, 1), "the line that failed has nothing to undo"
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
        ("spam", [" ".join(f"{number}:YQpiCg" for number in range(comment_bulk.MOST + 1))]),
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

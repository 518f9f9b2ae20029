"""The stage of a lead in the rows of the website service, and stages of many leads."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest
from django.test import Client

from content import lead_bulk
from content.comment_refs import encode_text
from content.items import Lead
from content.lead_stages import LeadStage
from content.queries import leads as queries
from content.services import leads as services
from dashboard.core.errors import Conflict
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.queries import find_job
from dashboard.platform.stream.batches import KeepsChanging
from dashboard.table import keys, write
from dashboard.table.commands import Actor, new_command
from dashboard.table.retries import retry_on
from tests.adoption.outside import follow, put_raw
from tests.bookings.catalog import press_undo
from tests.conftest import ACTOR, every_engine, real_engines
from tests.content.site import BUSINESS
from tests.content.visitors import LEADS, lead_url, load_row, put_lead
from tests.faults import act_then_break, bad_network, lose_reply, retry_until_available
from tests.jobs.execution import finish
from tests.stream.helpers import wrong_keys
from tests.ui.html import form_to, parse

OTTO = "otto@buyer.example"


def stage_of(lead: str = OTTO) -> tuple[LeadStage, int]:
    state = queries.find_state(BUSINESS, lead)
    assert state is not None
    return state.stage, state.revision


def set_stage(stage: LeadStage, lead: str = OTTO) -> None:
    services.set_stage(BUSINESS, lead, stage, revision=stage_of(lead)[1], command=new_command(ACTOR))


# --- The rows of the service -----------------------------------------------------------------------
@every_engine
def test_every_row_of_a_lead_shows_its_stage_and_keeps_everything_else(table: str, as_owner: Client) -> None:
    one = put_lead("Otto@Buyer.example", data={"message": "Hola"}, campaign="spring")
    two = put_lead(OTTO, status="Qualified")
    page = as_owner.get(lead_url())
    form_to(page, f"{lead_url()}stage/").send(as_owner, values={"stage": "Contacted"})
    row, other = load_row("Otto@Buyer.example"), load_row(OTTO)
    assert (row.status, other.status) == ("Contacted", "Qualified"), "a status of another service stays"
    assert {name: row.raw[name] for name in one if name != "status"} == {
        name: value for name, value in one.items() if name != "status"
    }
    assert not wrong_keys(dict(row.raw)) and other.raw["id"] == two["id"]
    press_undo(as_owner, lead_url())
    assert (load_row("Otto@Buyer.example").status, stage_of()[0]) == ("New", LeadStage.NEW)


@every_engine
def test_our_own_write_of_the_status_is_not_a_change_by_another_user(table: str) -> None:
    """The follower may be late: by then the stage has changed again."""
    put_lead()
    before = dict(load_row(OTTO).raw)
    set_stage(LeadStage.CONTACTED)
    between = dict(load_row(OTTO).raw)
    set_stage(LeadStage.CONVERTED)
    follow(between, before)
    assert stage_of()[0] == LeadStage.CONVERTED
    # A user of the service who changes the status changes the stage.
    theirs = put_raw(keys.LEAD.key(tenant=BUSINESS, email=OTTO), **values_of(load_row(OTTO)) | {"status": "Archived"})
    follow(theirs, dict(load_row(OTTO).raw) | {"status": {"S": "Converted"}})
    assert stage_of()[0] == LeadStage.ARCHIVED


def values_of(row: Lead) -> dict[str, object]:
    return {"id": row.row_id, "email": row.email, "createdAt": row.raw["createdAt"]["S"], "source": row.source}


def test_a_row_that_the_service_deleted_is_not_made_again(table: str) -> None:
    put_lead()
    write.remove(load_row(OTTO).key)
    set_stage(LeadStage.CONTACTED)
    assert queries.find_row(keys.LEAD.key(tenant=BUSINESS, email=OTTO)) is None


@real_engines
def test_stage_and_row_agree_while_people_and_the_service_write_at_once(table: str) -> None:
    old = put_lead(id="c-0", createdAt="2026-06-01T10:00:00.000Z")

    def press(number: int) -> None:
        chance, by = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}")
        for _ in range(4):
            command, (stage, revision) = new_command(by), stage_of()
            other = chance.choice([each for each in LeadStage if each != stage])
            act = partial(services.set_stage, BUSINESS, OTTO, other, revision=revision, command=command)
            with suppress(Conflict):
                retry_until_available(act)

    def overwrite() -> None:
        before = old
        for number in range(1, 5):
            values = {"id": f"c-{number}", "createdAt": f"2026-06-0{number + 1}T10:00:00.000Z"}
            raw = put_raw(keys.LEAD.key(tenant=BUSINESS, email=OTTO), email=OTTO, status="New", **values)
            # The follower tries again what keeps changing.
            retry_on(KeepsChanging, partial(retry_until_available, partial(follow, raw, before)))
            before = raw

    with bad_network() as network:
        network.add_random_fault(0.08, lose_reply)
        network.add_random_fault(0.04, act_then_break)
        with ThreadPoolExecutor(5) as pool:
            list(pool.map(lambda task: task(), [overwrite, *(partial(press, number) for number in range(4))]))
        network.stop_faults()
    # The stream delivers the last Put: whatever it left is repaired.
    row = load_row(OTTO)
    follow(dict(row.raw), old)
    assert load_row(OTTO).status == stage_of()[0]


# --- Many leads ------------------------------------------------------------------------------------
def job_at(url: str) -> Job:
    job = find_job(url.rstrip("/").rpartition("/")[2])
    assert job is not None
    return job


def test_the_stage_of_selected_leads_changes_and_one_button_undoes_it(table: str, as_owner: Client) -> None:
    emails = [f"lead{number}@buyer.example" for number in range(12)]
    for email in emails:
        put_lead(email)
    boxes = parse(as_owner.get(LEADS)).all("input", name="selected")
    selected = [str(box.attrs["value"]) for box in boxes]
    set_stage(LeadStage.ARCHIVED, emails[4])
    answer = as_owner.post(f"{LEADS}bulk/", {"stage": "Contacted", "selected": selected})
    job = finish(job_at(answer.headers["Location"]))
    assert (job.done, job.failed, job.title) == (11, 1, "12 leads: Contacted")
    assert [stage_of(email)[0] for email in emails].count(LeadStage.CONTACTED) == 11
    set_stage(LeadStage.CONVERTED, emails[5])
    undo = form_to(as_owner.get(job.url()), f"{LEADS}jobs/{job.id}/undo/")
    undone = finish(job_at(undo.send(as_owner).headers["Location"]))
    assert (undone.done, undone.failed) == (10, 1)
    assert [stage_of(email)[0] for email in emails] == [
        *[LeadStage.NEW] * 4, LeadStage.ARCHIVED, LeadStage.CONVERTED, *[LeadStage.NEW] * 6
    ]  # fmt: skip
    assert as_owner.get(undone.url()).status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        {"stage": "Contacted"},
        {"stage": "Contacted", "selected": "0:%%"},
        {"stage": "Contacted", "selected": f"x:{encode_text(OTTO)}"},
        {"stage": "Contacted", "selected": " ".join(f"{n}:{encode_text(OTTO)}" for n in range(lead_bulk.MOST + 1))},
        {"stage": "x", "selected": f"0:{encode_text(OTTO)}"},
    ],
)
def test_an_invalid_selection_is_refused(table: str, as_owner: Client, sent: dict[str, str]) -> None:
    assert as_owner.post(f"{LEADS}bulk/", sent).status_code == 422


def test_leads_of_another_business_and_jobs_of_others_are_not_changed(table: str, as_owner: Client) -> None:
    put_lead(business="harbour")
    sent = {"stage": "Contacted", "selected": f"0:{encode_text(OTTO)}"}
    job = finish(job_at(as_owner.post(f"{LEADS}bulk/", sent).headers["Location"]))
    assert (job.done, job.failed) == (0, 1)
    theirs = queries.find_state("harbour", OTTO)
    assert theirs is not None and theirs.stage == LeadStage.NEW
    others = lead_bulk.begin(
        BUSINESS, LeadStage.NEW, [{"lead": OTTO, "seen": 0}], "", command=new_command(Actor("x@x.example", "X"))
    )
    assert as_owner.post(f"{LEADS}jobs/{others.id}/undo/").status_code == 404

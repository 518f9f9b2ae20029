"""Leads: the list by stage, the page of each, notes, the next step, and what the website service overwrites."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from content.items import LeadState
from content.lead_rows import data_values
from content.lead_stages import LeadStage
from content.queries import leads as queries
from content.services import leads as services
from dashboard.core.clock import now
from dashboard.platform.outbox.items import OutsideEvent
from dashboard.platform.stream.batches import RepairTally, process
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.repairs import repairs_of_change
from dashboard.platform.stream.rules import load_context, rules_for_stored
from dashboard.table import connection, keys, read, write
from dashboard.table.commands import new_command
from dashboard.table.masking import MASK
from tests.adoption.outside import follow, put_raw
from tests.bookings.catalog import press_undo
from tests.conftest import ACTOR, every_engine
from tests.content.site import BUSINESS, NEIGHBOURS
from tests.content.visitors import LEADS, lead_url, load_row, put_lead, trips_of
from tests.stream.helpers import wrong_keys
from tests.ui.html import form_to, parse, toasts

OTTO = "otto@buyer.example"
LATER = "2026-06-01T09:00:00.000Z"


def load(lead: str = OTTO, business: str = BUSINESS) -> LeadState:
    state = queries.find_state(business, lead)
    assert state is not None
    return state


def titles(page: Any) -> list[str]:
    return [row.all("a")[0].text for row in parse(page).all("tr", data_row="")]


def set_stage(stage: LeadStage, lead: str = OTTO) -> LeadState:
    return services.set_stage(BUSINESS, lead, stage, revision=load(lead).revision, command=new_command(ACTOR))


# --- Lists ---
def test_an_empty_list_says_what_appears_there(table: str, as_owner: Client) -> None:
    assert "No new leads" in parse(as_owner.get(LEADS)).text
    assert "No leads in this stage" in parse(as_owner.get(LEADS, {"show": "Converted"})).text
    assert "No next steps" in parse(as_owner.get(LEADS, {"show": "steps"})).text
    assert as_owner.get(LEADS, {"show": "x"}).status_code == 404


@every_engine
def test_rows_that_differ_in_letter_case_are_one_lead(table: str, as_owner: Client) -> None:
    put_lead("Otto@Buyer.example", name="Otto Kern")
    put_lead("otto@buyer.example", source="Comment", createdAt=LATER)
    put_lead("ana@example.com", name="Ana", createdAt="2026-05-20T00:00:00.000Z")
    page = as_owner.get(LEADS)
    assert titles(page) == ["Otto Kern", "Ana"], "the latest contact first"
    assert "Written in 2 ways" in parse(page).text
    state = load()
    assert (state.source, state.first_contact_at < state.last_contact_at) == ("Comment", True)
    assert not wrong_keys(dict(state.raw)) and not wrong_keys(dict(load_row("Otto@Buyer.example").raw))
    lead_page = parse(as_owner.get(lead_url()))
    assert "Otto@Buyer.example" in lead_page.text and len(lead_page.by_class("lead-contact")) == 2


def test_leads_are_found_by_the_start_of_their_address(table: str, as_owner: Client) -> None:
    put_lead("Otto@Buyer.example")
    put_lead("ana@example.com")
    assert titles(as_owner.get(LEADS, {"q": "OTTO@"})) == ["otto@buyer.example"]
    assert titles(as_owner.get(LEADS, {"q": "nobody"})) == []


def test_many_leads_are_read_page_by_page(table: str, as_owner: Client) -> None:
    for number in range(70):
        put_lead(f"lead-{number:02}@example.com", createdAt=f"2026-05-11T20:{number % 60:02}:{number // 60:02}.000Z")
    seen: list[str] = []
    url = LEADS
    while url:
        answer = as_owner.get(url)
        assert trips_of(answer) <= 2
        seen += titles(answer)
        more = [each for each in parse(answer).all("a") if "cursor=" in each.attrs.get("href", "")]
        url = more[0].attrs["href"] if more else ""
    assert len(seen) == len(set(seen)) == 70


def test_leads_of_other_businesses_and_unknown_ones_are_not_found(table: str, as_owner: Client) -> None:
    put_lead(business=NEIGHBOURS)
    assert as_owner.get(lead_url()).status_code == 404
    assert as_owner.post(f"{lead_url()}stage/", {"stage": "Contacted", "revision": "0"}).status_code == 404
    assert as_owner.post(f"{lead_url()}notes/", {"text": "x"}).status_code == 404
    assert as_owner.get(f"{LEADS}l/!!/").status_code == 404
    assert as_owner.get(lead_url("a#b")).status_code == 404
    assert titles(as_owner.get(LEADS)) == []


# --- Stages ---
def test_a_stage_changes_and_can_be_undone(table: str, as_owner: Client) -> None:
    put_lead(name="Otto Kern")
    form = form_to(as_owner.get(lead_url()), f"{lead_url()}stage/")
    button = next(each for each in form.buttons if each.attrs["value"] == "Contacted")
    assert as_owner.post(form.action, form.data(button)).status_code == 303
    assert load().stage == LeadStage.CONTACTED and not wrong_keys(dict(load().raw))
    assert titles(as_owner.get(LEADS)) == [] and titles(as_owner.get(LEADS, {"show": "Contacted"})) == ["Otto Kern"]
    assert "stage: New → Contacted" in parse(as_owner.get(lead_url())).text
    button = next(each for each in form.buttons if each.attrs["value"] == "Converted")
    answer = as_owner.post(form.action, form.data(button))
    assert answer.status_code == 409 and load().stage == LeadStage.CONTACTED, "an old form conflicts"
    set_stage(LeadStage.CONVERTED)
    as_owner.post(form.action, {"stage": "Archived", "revision": load().revision})
    press_undo(as_owner, lead_url())
    assert load().stage == LeadStage.CONVERTED
    assert toasts(as_owner.get(lead_url())) == ["Otto Kern: Converted."]


@pytest.mark.parametrize(
    "sent", [{"stage": "x", "revision": "0"}, {"revision": "0"}, {"stage": "New", "revision": "y"}]
)
def test_an_invalid_stage_is_refused(table: str, as_owner: Client, sent: dict[str, str]) -> None:
    put_lead()
    assert as_owner.post(f"{lead_url()}stage/", sent).status_code == 422


def test_a_lead_can_be_edited_before_the_follower_has_seen_it(table: str, as_owner: Client) -> None:
    raw = put_raw(keys.LEAD.key(tenant=BUSINESS, email=OTTO), email=OTTO, status="New", createdAt=LATER)
    row = load_row(OTTO)
    row.set_index_keys()
    write.put(row)
    form = form_to(as_owner.get(lead_url()), f"{lead_url()}stage/")
    button = next(each for each in form.buttons if each.attrs["value"] == "Contacted")
    assert as_owner.post(form.action, form.data(button)).status_code == 303
    follow(raw)
    assert load().stage == LeadStage.CONTACTED


# --- The next step ---
def test_a_next_step_is_listed_and_becomes_overdue(table: str, as_owner: Client) -> None:
    put_lead(name="Otto Kern")
    form = form_to(as_owner.get(lead_url()), lead_url())
    day = (now() - timedelta(days=2)).date()
    sent = form.data(next_step="Llamar", next_step_on=day.isoformat())
    assert as_owner.post(lead_url(), sent).status_code == 303
    assert (load().next_step, load().next_step_on) == ("Llamar", day.isoformat())
    page = parse(as_owner.get(LEADS, {"show": "steps"}))
    assert "Llamar" in page.text and "Overdue" in page.text
    assert page.by_class("count")[0].text == "1"
    done = {"next_step": "", "next_step_on": "", "revision": load().revision}
    as_owner.post(lead_url(), done)
    assert not load().next_step and not load().next_step_on
    press_undo(as_owner, lead_url())
    assert (load().next_step, load().next_step_on) == ("Llamar", day.isoformat())
    answer = as_owner.post(lead_url(), done)
    assert answer.status_code == 409 and "Llamar" in parse(answer).text


def test_a_step_of_an_archived_lead_is_not_listed(table: str, as_owner: Client) -> None:
    put_lead()
    values = {"next_step": "Llamar", "next_step_on": "2026-01-01"}
    services.edit(BUSINESS, OTTO, values, revision=0, timezone="UTC", command=new_command(ACTOR))
    assert titles(as_owner.get(LEADS, {"show": "steps"})) == [OTTO]
    set_stage(LeadStage.ARCHIVED)
    assert titles(as_owner.get(LEADS, {"show": "steps"})) == []


def test_an_invalid_day_keeps_the_input(table: str, as_owner: Client) -> None:
    put_lead()
    answer = as_owner.post(lead_url(), {"next_step": "Llamar mañana", "next_step_on": "mañana", "revision": "0"})
    assert answer.status_code == 422
    assert parse(answer).one("input", name="next_step").attrs["value"] == "Llamar mañana"
    assert load().next_step is None


# --- Notes ---
def test_notes_are_added_removed_and_restored(table: str, as_owner: Client) -> None:
    put_lead(name="Otto Kern")
    form = form_to(as_owner.get(lead_url()), f"{lead_url()}notes/")
    as_owner.post(form.action, form.data(text="Quiere <b>dos</b> alfombras"))
    as_owner.post(form.action, form.data(text="Quiere <b>dos</b> alfombras"))
    page = as_owner.get(lead_url())
    assert [each.text for each in parse(page).by_class("lead-note")] == ["Quiere <b>dos</b> alfombras"], "once"
    [note] = queries.notes_of(BUSINESS, OTTO)
    remove = next(each for each in parse(page).all("form") if each.attrs["action"].endswith("/remove/"))
    as_owner.post(remove.attrs["action"], {"revision": note.revision})
    assert queries.notes_of(BUSINESS, OTTO) == []
    press_undo(as_owner, lead_url())
    [restored] = queries.notes_of(BUSINESS, OTTO)
    assert restored.text == note.text and "ttl" not in restored.raw
    assert as_owner.post(remove.attrs["action"], {"revision": note.revision}).status_code == 409
    assert as_owner.post(form.action, {"text": " "}).status_code == 422


def test_a_removed_note_expires(table: str) -> None:
    put_lead()
    note = services.add_note(BUSINESS, OTTO, "Nota", command=new_command(ACTOR))
    removed = services.remove_note(BUSINESS, OTTO, *note.ref, revision=1, command=new_command(ACTOR))
    assert removed.ttl is not None and timedelta(days=29) < timedelta(
        seconds=removed.ttl - now().timestamp()
    ) <= timedelta(days=30)


# --- Outside writers ---
@every_engine
def test_a_new_contact_overwrites_the_row_and_nothing_of_ours(table: str, as_owner: Client) -> None:
    first = put_lead(name="Otto Kern", data={"message": "Primero", "budget": 1200}, campaign="spring")
    set_stage(LeadStage.CONVERTED)
    services.add_note(BUSINESS, OTTO, "Nota", command=new_command(ACTOR))
    values = {"next_step": "Llamar", "next_step_on": "2026-12-01"}
    services.edit(BUSINESS, OTTO, values, revision=load().revision, timezone="UTC", command=new_command(ACTOR))
    revision = load().revision
    at = (now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    second = put_lead(old=first, source="Comment", createdAt=at)
    # The record of the stream arrives a second time.
    follow(second, first)
    state = load()
    assert (state.stage, state.next_step, state.revision) == (LeadStage.CONVERTED, "Llamar", revision)
    assert (state.name, state.source) == ("Otto Kern", "Comment")
    [contact] = queries.contacts_of(BUSINESS, OTTO)
    assert contact.data == {"message": "Primero", "budget": 1200} and contact.other == {"campaign": "spring"}
    text = parse(as_owner.get(lead_url())).text
    assert all(each in text for each in ("Primero", "1200", "spring", "Nota", "wrote again"))
    assert "Wrote again" in parse(as_owner.get(LEADS, {"show": "Converted"})).text
    row = load_row(OTTO)
    assert (row.status, row.row_id, row.source) == ("Converted", second["id"]["S"], "Comment"), "our stage is kept"
    assert not wrong_keys(dict(row.raw))


def test_contacts_that_follow_each_other_quickly_are_all_kept(table: str) -> None:
    """The follower reads several records of one row as one change."""
    raws = [put_lead_raw(number) for number in range(4)]
    images = [None, *raws]
    records = [
        {
            "eventName": "MODIFY",
            "dynamodb": {
                "Keys": {name: new[name] for name in ("PK", "SK")},
                "NewImage": new,
                **({"OldImage": old} if old else {}),
                "SequenceNumber": str(number),
            },
        }
        for number, (old, new) in enumerate(zip(images, raws, strict=False))
    ]
    tally = RepairTally()
    process(records, tally)
    assert not tally.failures
    contacts = queries.contacts_of(BUSINESS, OTTO)
    assert sorted(each.data["message"] for each in contacts) == ["0", "1", "2"]
    assert load().last_contact_at is not None


def put_lead_raw(number: int) -> Any:
    key = keys.LEAD.key(tenant=BUSINESS, email=OTTO)
    at = f"2026-05-11T20:05:4{number}.601Z"
    return put_raw(key, id=f"l-{number}", email=OTTO, status="New", createdAt=at, data={"message": str(number)})


def test_a_status_that_a_user_of_the_service_sets_becomes_the_stage(table: str) -> None:
    first = put_lead()
    changed = first | {"status": {"S": "Contacted"}}
    put_raw(keys.LEAD.key(tenant=BUSINESS, email=OTTO))
    follow(put_back(changed), first)
    assert load().stage == LeadStage.CONTACTED
    set_stage(LeadStage.CONVERTED)
    # An unknown status and a reset by a new contact change nothing.
    follow(put_back(changed | {"status": {"S": "odd"}}), changed)
    assert load().stage == LeadStage.CONVERTED


def put_back(raw: Any) -> Any:
    connection.client().put_item(TableName=connection.table().table_name, Item=raw)
    return raw


def events() -> list[OutsideEvent]:
    collection = keys.OUTSIDE_EVENT.collection(tenant=BUSINESS)
    return read.page(collection, OutsideEvent).items


def test_a_new_lead_is_an_event_for_webhooks(table: str) -> None:
    first = put_lead(name="Otto Kern")
    [event] = events()
    assert event.type == "lead.created" and event.object == f"lead:{first['id']['S']}"
    assert event.data == {"id": first["id"]["S"], "source": "contact-form", "created_at": "2026-05-11T20:05:44Z"}
    put_lead(old=first, createdAt=LATER)
    put_lead("Otto@Buyer.example", createdAt=LATER)
    assert len(events()) == 1, "another contact of the same lead is none"
    # `reindex` finds older leads: nobody is told about them.
    raw = put_raw(keys.LEAD.key(tenant=BUSINESS, email="old@example.com"), email="old@example.com", status="New")
    change = Change(None, raw, is_from_stream=False)
    writes = repairs_of_change(change, load_context(change, rules_for_stored(raw)))
    assert {keys.kind_of(each.key) for each in writes} == {"lead", "lead state"}


def test_odd_rows_open(table: str, as_owner: Client) -> None:
    put_lead("odd@example.com", data="text", status=7, createdAt="yesterday", name=["x"])
    answer = as_owner.get(lead_url("odd@example.com"))
    assert answer.status_code == 200 and load("odd@example.com").stage == LeadStage.NEW


# --- Data ---
def test_secrets_in_the_data_are_masked() -> None:
    data: dict[str, Any] = {
        "zip": "1",
        "message": "Hola",
        "apiToken": "t",
        "nested": {"password": "p", "a": 1},
        "tags": ["x", "y"],
    }
    data |= {"referral": None, "empty": ""}
    assert data_values(data) == [
        ("Message", "Hola"),
        ("apiToken", MASK),
        ("nested", f'{{"a": 1, "password": "{MASK}"}}'),
        ("tags", "x, y"),
        ("zip", "1"),
    ]


def test_the_export_has_all_leads_and_no_formulas(table: str, as_owner: Client) -> None:
    put_lead("Otto@Buyer.example", name="=HYPERLINK(1)", source="a;=1+1")
    put_lead("otto@buyer.example", source="Comment")
    put_lead(business=NEIGHBOURS)
    answer = as_owner.get(f"{LEADS}export/")
    text = b"".join(answer.streaming_content).decode().removeprefix("\ufeff")  # type: ignore[attr-defined]
    [row] = csv.DictReader(io.StringIO(text))
    assert row["email"] == OTTO and row["stage"] == "New" and row["other spellings"] == "Otto@Buyer.example"
    assert row["name"] == "'=HYPERLINK(1)"
    assert "attachment" in answer.headers["Content-Disposition"]

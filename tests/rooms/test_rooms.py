"""The list of rooms in one query, with filters and the day's timeline; creating, renaming and removing rooms."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.core.errors import NotFound
from dashboard.table.commands import new_command
from dashboard.table.connection import table as connected
from dashboard.table.timestamps import to_wire
from rooms.queries import rooms as queries
from rooms.services import overrides
from tests.conftest import ACTOR, every_engine, sign_in
from tests.rooms.rooms import (
    DAY,
    NINE,
    NOON,
    TEN,
    assert_schedule_matches,
    audit_actions,
    audit_entries,
    create_room,
    minutes_from_now,
    press_undo,
    put_item,
    put_room,
    stored_room,
    stored_schedule,
)
from tests.ui.html import Element, form_to, parse, undo_form
from tests.ui.walk import calls_of

URL = "/rooms/"


def rows(client: Client, query: str = "") -> dict[str, Element]:
    page = parse(client.get(URL + query))
    return {row.attrs["id"].removeprefix("room-"): row for row in page.all("tr", data_row="")}


def test_each_room_shows_its_state_the_reason_and_the_next_change(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        create_room("sala1", NINE, "Bienvenida")
        create_room("sala2", NOON)
        create_room("sala3", None)
        create_room("sala4", NOON)
        create_room("sala5", NINE)
        for room_id, value in (("sala4", "open"), ("sala5", "closed")):
            end = NOON + timedelta(hours=1)
            overrides.override(room_id, value=value, until=end, revision=1, command=new_command(ACTOR))
        rows_by_room = rows(as_staff)
    assert list(rows_by_room) == ["sala1", "sala2", "sala3", "sala4", "sala5"]
    states = {name: row.by_class("side")[0].text for name, row in rows_by_room.items()}
    assert states == {
        "sala1": "Open by schedule",
        "sala2": "Closed by schedule",
        "sala3": "Closed no opening time",
        "sala4": "Open overridden by Alma Ríos, until 08:00",
        "sala5": "Closed overridden by Alma Ríos, until 08:00",
    }
    following = {name: row.by_class("rooms-next")[0].text for name, row in rows_by_room.items()}
    assert following == {"sala1": "–", "sala2": "Opens in 2 h", "sala3": "–", "sala4": "–", "sala5": "Opens in 3 h"}
    assert rows_by_room["sala1"].by_class("main")[0].text == "Bienvenidasala1 · no content"
    assert {name: row.one("button").text for name, row in rows_by_room.items()} == {
        "sala1": "Close Bienvenida",
        "sala2": "Open sala2",
        "sala3": "Open sala3",
        "sala4": "Back to schedule sala4",
        "sala5": "Back to schedule sala5",
    }


def test_close_and_release_a_room_in_the_list_without_javascript(table: str, as_staff: Client) -> None:
    create_room("sala1", now() - timedelta(hours=1))
    form = form_to(as_staff.get(URL), f"{URL}sala1/override/")
    answer = as_staff.post(form.action, form.data(form.buttons[0]))
    assert answer.headers["Location"] == URL
    assert (stored_room().manual_override, stored_room().plan.override_end) == ("closed", None)
    form = form_to(as_staff.get(URL), f"{URL}sala1/override/", next=URL)
    as_staff.post(form.action, form.data(form.buttons[0]))
    assert not stored_room().manual_override


def test_opening_a_room_in_the_list_lasts_until_its_opening_time(table: str, as_staff: Client) -> None:
    opening = minutes_from_now()
    create_room("sala1", opening)
    form = form_to(as_staff.get(URL), f"{URL}sala1/override/")
    as_staff.post(form.action, form.data(form.buttons[0]))
    assert (stored_room().manual_override, stored_room().override_until) == ("open", opening)


def test_a_long_override_without_end_is_marked(table: str, as_staff: Client) -> None:
    with frozen(NINE):
        create_room("sala1", NINE)
        overrides.override("sala1", value="closed", revision=1, command=new_command(ACTOR))
        assert "over 2 h" not in rows(as_staff)["sala1"].text
    with frozen(NOON):
        assert "over 2 h" in rows(as_staff)["sala1"].text


def test_rooms_are_sorted_by_natural_order_or_by_opening_time(table: str, as_staff: Client) -> None:
    for number, room_id in enumerate(("sala10", "sala9", "Sala1", "aula")):
        put_room(room_id, openAt=to_wire(TEN + timedelta(minutes=number)))
    put_room("zeta", manualOverride=None)
    assert list(rows(as_staff)) == ["aula", "Sala1", "sala9", "sala10", "zeta"]
    assert list(rows(as_staff, "?order=opening")) == ["sala10", "sala9", "Sala1", "aula", "zeta"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?show=open", ["sala1", "sala3"]),
        ("?show=closed", ["sala2"]),
        ("?show=held", ["sala3"]),
        ("?show=nonsense", ["sala1", "sala2", "sala3"]),
        ("?q=BIENV", ["sala1"]),
        ("?q=jardin", ["sala2"]),
        ("?q=sala 3", ["sala3"]),
        ("?q=nothing-is-called-so", []),
    ],
)
def test_rooms_are_filtered_by_state_and_text(table: str, as_staff: Client, query: str, expected: list[str]) -> None:
    create_room("sala1", NINE, "Bienvenida")
    create_room("sala2", minutes_from_now(), "Jardín")
    create_room("sala3", minutes_from_now())
    overrides.override("sala3", value="open", revision=1, command=new_command(ACTOR))
    assert list(rows(as_staff, query)) == expected
    if not expected:
        assert "No rooms match these filters." in parse(as_staff.get(URL + query)).text


def test_the_days_with_openings_are_tabs(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        for number in range(3):
            create_room(f"sala{number}", NOON + timedelta(days=number // 2))
        page = parse(as_staff.get(URL))
        assert [tab.text for tab in page.by_class("tabs")[0].all("a")] == ["Today 2", "Tue 3 Mar 1"]
        assert set(_sliders(page)) == {"opening-sala0", "opening-sala1"}
        following = parse(as_staff.get(f"{URL}?day=2026-03-03"))
        assert set(_sliders(following)) == {"opening-sala2"}
        assert _sliders(following)["opening-sala2"].attrs["value"] == "420"
    with frozen(TEN + timedelta(days=30)):
        assert set(_sliders(parse(as_staff.get(URL)))) == {"opening-sala2"}, "after the last day it shows the last day"


@pytest.mark.parametrize("day", ["", "x", "0001-01-01", "9999-12-31", "2026-02-30"])
def test_an_invalid_day_is_today(table: str, as_staff: Client, day: str) -> None:
    create_room("sala1", now())
    assert as_staff.get(URL, {"day": day}).status_code == 200


def _sliders(page: Element) -> dict[str, Element]:
    return {each.attrs["id"]: each for each in page.all("input", type="range")}


def test_without_rooms_the_page_offers_to_create_one(table: str, as_staff: Client) -> None:
    page = parse(as_staff.get(URL))
    assert "No rooms yet" in page.text
    assert page.one("a", class_="button primary").attrs["href"] == f"{URL}new/"


# A room with every attribute: the size of a query result counts before the projection.
ALL_ATTRIBUTES = {
    "name": "x" * 80,
    "openZone": "America/Argentina/ComodRivadavia",
    "manualOverride": "closed",
    **dict.fromkeys(("overrideBy", "overrideByName", "updatedBy"), "somebody.with.a.long.address@example.com"),
    **dict.fromkeys(("overrideAt", "overrideUntil", "dueAt", "createdAt", "updatedAt"), "2026-03-02T10:00:00Z"),
    "contentTitle": "x" * 200,
    "shift": {"id": "x" * 26, "minutes": 15, "handled": 4, "total": 4, "by": "x" * 40, "at": "2026-03-02T10:00:00Z"},
}


@pytest.mark.parametrize("count", [3, 500])
def test_the_list_takes_one_query_with_3_and_with_500_rooms(table: str, as_staff: Client, count: int) -> None:
    for number in range(count):
        put_room(f"sala{number}", **{**ALL_ATTRIBUTES, "openAt": to_wire(DAY + timedelta(minutes=number))})
    answer = as_staff.get(URL)
    assert len(parse(answer).all("tr", data_row="")) == count
    log = calls_of(answer)
    assert [call.operation for call in log.calls] == ["BatchGetItem", "Query"]
    assert log.trips == 2


def test_the_seed_rooms_are_shown_and_saved_in_their_format(table: str, people_by_role: Any) -> None:
    client = sign_in(people_by_role["staff"])
    stamps = {"createdAt": "2025-08-01T10:00:00Z", "updatedAt": "2025-08-01T10:00:00Z"}
    put_room("sala1", openAt="2025-08-18T14:00:00Z", manualOverride=None, **stamps)
    put_room("sala2", openAt="2025-08-18T15:00:00Z", manualOverride="closed", **stamps)
    put_item("CONFIG#schedule", "CONFIG#schedule", salaOpenTimes={"sala1": "2025-08-18T14:00:00Z"})
    rows_by_room = rows(client)
    assert (
        "Open by schedule" in rows_by_room["sala1"].text
        and "Closed overridden by an outside service" in rows_by_room["sala2"].text
    )
    sent = {"open_at": "2025-08-18T16:00:00Z", "zone": "UTC", "revision": 0}
    assert client.post(f"{URL}sala2/schedule/", sent).status_code == 303
    raw = connected().get_item("ROOM#STATUS", "ROOM#sala2")["Item"]
    assert raw["openAt"] == {"S": "2025-08-18T16:00:00Z"}
    assert (raw["manualOverride"], raw["createdAt"]) == ({"S": "closed"}, {"S": "2025-08-01T10:00:00Z"})
    times = connected().get_item("CONFIG#schedule", "CONFIG#schedule")["Item"]["salaOpenTimes"]
    assert times == {"M": {"sala1": {"S": "2025-08-18T14:00:00Z"}, "sala2": {"S": "2025-08-18T16:00:00Z"}}}


@pytest.mark.parametrize(
    "odd",
    [
        {"openAt": 5},
        {"openAt": "whenever"},
        {"openAt": "0001-01-01T00:00:00Z", "overrideUntil": "9999-12-31T00:00:00Z", "manualOverride": "open"},
        {"openZone": "Mars/Olympus", "openAt": "2026-03-02T10:00:00Z"},
        {"shift": {"id": 3, "handled": "x"}, "name": ["a"], "contentTitle": 7},
        {"shift": {"id": "a", "minutes": 5, "handled": 1, "total": 2, "at": "never"}},
        {"shift": "text", "revision": "seven"},
        {"overrideAt": 3, "manualOverride": "closed", "overrideUntil": "soon"},
        {"activeVersion": "x", "contentVersion": {"a": 1}},
    ],
)
def test_malformed_rooms_of_outside_writers_do_not_break_the_pages(
    table: str, as_staff: Client, odd: dict[str, Any]
) -> None:
    put_room("sala1", **odd)
    assert as_staff.get(URL).status_code == 200
    assert as_staff.get(f"{URL}sala1/").status_code == 200


def test_a_room_with_an_unusual_id_has_a_page(table: str, as_staff: Client) -> None:
    for room_id in ("Sala Única", "50%", "a+b", "x" * 200):
        put_room(room_id, openAt="2026-03-02T10:00:00Z")
        link = rows(as_staff)[room_id].one("a", class_="row-link").attrs["href"]
        assert as_staff.get(link).status_code == 200


# --- Create, rename and remove ---
@every_engine
def test_create_remove_and_restore_a_room_with_undo(table: str, people_by_role: Any) -> None:
    client = sign_in(people_by_role["staff"])
    form = form_to(client.get(f"{URL}new/"), f"{URL}new/")
    sent = form.data(name="Salón Azul", open_at="2026-03-02T10:00", zone="UTC")
    assert client.post(form.action, sent).headers["Location"] == f"{URL}salon-azul/"
    room = stored_room("salon-azul")
    assert (room.title, room.open_at, room.open_zone) == ("Salón Azul", TEN, "UTC")
    assert_schedule_matches()
    client.get(URL)
    assert client.post(form.action, sent).status_code == 303, "the repeated form creates no second room"
    press_undo(client)
    with pytest.raises(NotFound):
        stored_room("salon-azul")
    assert stored_schedule() == {}
    press_undo(client)
    assert (stored_room("salon-azul").title, stored_room("salon-azul").open_at) == ("Salón Azul", TEN)
    assert_schedule_matches()
    assert audit_actions("salon-azul") == ["room.create", "room.remove", "room.restore"]
    removed = audit_entries("salon-azul")[1]
    assert (removed.before or {})["openAt"] == to_wire(TEN) and removed.after is None, (
        "the audit entry of the removal contains the previous values"
    )


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, "Enter a name or an ID"),
        ({"name": "¿?"}, "Enter a name or an ID"),
        ({"room": "Sala 4"}, "Use lowercase letters, digits and hyphens, like sala4"),
        ({"room": "a#b"}, "Use lowercase letters, digits and hyphens, like sala4"),
        ({"room": "people"}, "This ID is reserved. Choose another one"),
        ({"name": "Domains"}, "This ID is reserved. Choose another one"),
        ({"room": "status"}, "This ID is reserved. Choose another one"),
        ({"room": "sala1"}, "This ID is used by Bienvenida"),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"name": "Ok", "open_at": "later"}, "for example 2026-03-29T18:30"),
    ],
)
def test_an_invalid_form_shows_errors_and_keeps_the_input(
    table: str, as_staff: Client, fields: dict[str, str], error: str
) -> None:
    create_room("sala1", name="Bienvenida")
    answer = as_staff.post(f"{URL}new/", fields)
    assert answer.status_code == 422
    page = parse(answer)
    assert error in page.text
    assert all(page.one("input", name=name).attrs["value"] == value for name, value in fields.items())


def test_rename_a_room_and_undo(table: str, people_by_role: Any) -> None:
    client = sign_in(people_by_role["staff"])
    create_room("sala1", name="Bienvenida")
    form = form_to(client.get(f"{URL}sala1/"), f"{URL}sala1/rename/")
    client.post(form.action, form.data(name="Plenaria"))
    assert stored_room().title == "Plenaria"
    assert (audit_entries()[0].before or {})["name"] == "Bienvenida"
    press_undo(client)
    assert stored_room().title == "Bienvenida"
    answer = sign_in(people_by_role["admin"]).post(form.action, form.data(name="Otra"))
    assert answer.status_code == 409 and "Sofía Duarte changed Bienvenida while" in parse(answer).text


def test_a_room_with_active_content_cannot_be_removed(table: str, as_staff: Client) -> None:
    """The index decides which content is active, not the attribute of the room."""
    put_room("sala1", openAt="2026-03-02T10:00:00Z")
    put_item("ROOM#sala1", "CONTENT#v2", title="Bienvenida", GSI1PK="CONTENT#ACTIVE", GSI1SK="sala1")
    assert "Remove room" not in parse(as_staff.get(f"{URL}sala1/")).text
    assert as_staff.post(f"{URL}sala1/remove/", {"revision": 0}).status_code == 422
    put_room("sala1", openAt="2026-03-02T10:00:00Z", activeVersion=2)
    put_item("ROOM#sala1", "CONTENT#v2", title="Bienvenida")
    form = form_to(as_staff.get(f"{URL}sala1/"), f"{URL}sala1/remove/")
    assert as_staff.post(form.action, form.data()).status_code == 303
    assert as_staff.post(form.action, form.data()).status_code == 303, "the repeated form reports success"
    # Its content still exists, but the room does not.
    assert as_staff.post(form.action, {"revision": 0}).status_code == 404


@pytest.mark.parametrize("room_id", ["Sala_4", "salón", "x" * 200])
def test_a_restored_room_has_all_its_previous_attributes(table: str, as_staff: Client, room_id: str) -> None:
    """Also with an id and a name that we would refuse, unknown attributes and an override."""
    known: dict[str, Any] = {"openAt": "2026-03-02T10:00:07Z", "openZone": "Mars/Base", "name": "n" * 300}
    unknown = {"capacity": 120, "tags": {"a", "b"}, "seats": {"left": [1, None, "x"]}, "price": 1.25}
    put_room(room_id, manualOverride="closed", **known, **unknown)
    put_item("ROOM#STATUS", "ROOM#other", openAt="2026-03-02T10:00:00Z", manualOverride=None)
    url = f"{URL}{quote(room_id)}/"
    before = connected().get_item("ROOM#STATUS", f"ROOM#{room_id}")["Item"]
    assert as_staff.post(f"{url}remove/", {"revision": 0}).status_code == 303
    form = undo_form(as_staff.get(URL))
    # The id of a removal is valid only for its own room.
    assert as_staff.post(f"{URL}third/restore/", form.data()).status_code == 422
    for invalid in ("", "a#b", "x" * 300):
        assert as_staff.post(form.action, {"removed": invalid}).status_code == 422
    for _ in range(2):
        assert as_staff.post(form.action, form.data()).status_code == 303
    assert as_staff.post(form.action, {"removed": form.data()["removed"]}).status_code == 422, (
        "a new command cannot restore an existing room"
    )
    after = connected().get_item("ROOM#STATUS", f"ROOM#{room_id}")["Item"]
    stamps = {"revision", "updatedAt", "updatedBy", "updatedByName"}
    # A set has no order.
    assert sorted(after.pop("tags")["SS"]) == sorted(before.pop("tags")["SS"]) == ["a", "b"]
    assert {name: value for name, value in after.items() if name not in stamps} == before
    assert (stored_room(room_id).revision, stored_room(room_id).updated_by) == (1, "sofia@example.com")
    assert stored_schedule()[room_id] == "2026-03-02T10:00:07Z"
    assert audit_actions(room_id) == ["room.remove", "room.restore"]


@pytest.mark.parametrize("path", ["", "schedule/", "override/", "rename/", "remove/"])
def test_an_unknown_room_is_404(table: str, as_staff: Client, path: str) -> None:
    url = f"{URL}nowhere/{path}"
    answer = as_staff.post(url, {"value": "open"}) if path else as_staff.get(url)
    assert answer.status_code == 404
    assert as_staff.get(f"{URL}a%23b/").status_code == 404


def test_a_list_with_too_many_rooms_says_so(table: str, as_staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MAX_ROOMS", 3)
    for number in range(1, 4):
        put_room(f"sala{number}", openAt=to_wire(TEN), manualOverride=None)
    notice = "Only 3 rooms are listed."
    shift = {"minutes": "5", "which": "day", "day": "2026-03-02"}
    assert notice not in parse(as_staff.get(URL)).text
    assert as_staff.post(f"{URL}shift/", shift).status_code == 303
    put_room("sala4", openAt=to_wire(TEN), manualOverride=None)
    put_room("sala5", openAt=to_wire(TEN), manualOverride=None)
    assert notice in parse(as_staff.get(URL)).text
    # A complete day cannot be shifted if not all rooms are listed.
    answer = as_staff.post(f"{URL}shift/", shift)
    assert answer.status_code == 422 and "There are too many rooms. Select the ones to shift" in parse(answer).text
    chosen = [f"sala{number}" for number in range(1, 5)]
    preview = as_staff.post(f"{URL}shift/", {"minutes": "5", "selected": chosen}).headers["Location"]
    assert len(parse(as_staff.get(preview)).all("tr", data_row="")) == 4

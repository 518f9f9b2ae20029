"""Rooms of outside writers: ids that no address can contain, malformed shift marks, keys with brackets."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from dashboard.core.clock import now
from dashboard.table.timestamps import to_wire
from rooms.schedule_entries import entry_text
from tests.conftest import every_engine, sign_in
from tests.rooms.rooms import (
    NINE,
    TEN,
    assert_schedule_matches,
    create_room,
    minutes_from_now,
    put_room,
    put_schedule,
    stored_room,
    stored_schedule,
)
from tests.ui.html import form_to, parse

URL = "/rooms/"


@pytest.mark.parametrize(
    "mark",
    [
        {"id": "../x"},
        {"id": ""},
        {"id": "x" * 90},
        {"at": "0001-01-01T00:00:00+14:00"},
        {"minutes": 10**30},
        {"byName": {"a": 1}, "by": ["x"]},
    ],
)
def test_a_malformed_shift_mark_does_not_break_the_page(table: str, people_by_role: Any, mark: dict[str, Any]) -> None:
    staff = people_by_role["staff"]
    ours = {"id": "abc", "minutes": 15, "handled": 1, "total": 5, "by": staff.email, "at": to_wire(now())}
    put_room("sala1", shift=ours | mark)
    answer = sign_in(staff).get(URL)
    assert answer.status_code == 200


@pytest.mark.parametrize("room_id", ["people", "domains", "new", "shift", "a/b", ".", ".."])
def test_a_room_whose_id_fits_no_address_has_no_links(table: str, as_staff: Client, room_id: str) -> None:
    put_room(room_id, openAt=to_wire(minutes_from_now()), manualOverride=None)
    row = parse(as_staff.get(URL)).one("tr", id=f"room-{room_id}")
    assert room_id in row.text
    assert not [
        each for each in row.all("a", "form", "input") if {"href", "action", "data-opening"} & each.attrs.keys()
    ]
    # It can still be shifted with the others, and a failure names it.
    preview = as_staff.post(f"{URL}shift/", {"minutes": "15", "selected": [room_id]}).headers["Location"]
    put_room(room_id, openAt=to_wire(minutes_from_now(90)), manualOverride=None)
    following = as_staff.post(f"{preview}begin/").headers["Location"]
    assert as_staff.post(f"{following}next/").status_code == 303
    assert room_id in parse(as_staff.get(following)).one("tr", data_row="").text


@every_engine
@pytest.mark.parametrize("room_id", ["sala[1]", "[x]", "x.y"])
def test_a_room_whose_id_looks_like_a_path_can_be_rescheduled(table: str, as_staff: Client, room_id: str) -> None:
    create_room("sala1", TEN)
    put_room(room_id, openAt=to_wire(TEN), manualOverride=None)
    url = f"{URL}{quote(room_id)}/"
    for time, revision in (("2026-03-02T12:00", 0), ("2026-03-02T09:00", 1)):
        sent = {"open_at": time, "zone": "UTC", "revision": revision}
        assert as_staff.post(f"{url}schedule/", sent).status_code == 303
    assert stored_room(room_id).open_at == NINE
    assert_schedule_matches()
    assert as_staff.post(f"{url}remove/", {"revision": 2}).status_code == 303
    assert stored_schedule() == {"sala1": to_wire(TEN)}


@pytest.mark.parametrize("entry", ["noon\nor so", {"b", "a", "c", "ñ", "d"}, "nul\x00", "  spaced  ", ["x", {"y": 1}]])
def test_a_malformed_schedule_entry_can_be_corrected(table: str, as_staff: Client, entry: Any) -> None:
    put_room("sala1", openAt=to_wire(TEN), manualOverride=None)
    put_schedule(sala1=entry)
    form = form_to(as_staff.get(f"{URL}sala1/"), f"{URL}sala1/schedule/", shown_opening=to_wire(TEN))
    # With line endings as a browser sends them.
    sent = {name: str(value).replace("\n", "\r\n") for name, value in form.data(open_at="2026-03-02T12:00").items()}
    assert as_staff.post(form.action, sent | {"zone": "UTC"}).status_code == 303
    assert_schedule_matches()


def test_a_set_in_the_schedule_always_has_the_same_text() -> None:
    assert entry_text({"SS": ["b", "a", "c"]}) == entry_text({"SS": ["c", "b", "a"]}) == "['a', 'b', 'c']"

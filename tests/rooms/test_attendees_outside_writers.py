"""Progress in unexpected formats of outside writers: it is read, kept, and written back as a list."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.table.commands import new_command
from rooms.progress import AttendeeProgress, completed_names, to_entries
from rooms.services import attendees as services
from tests.conftest import ACTOR, every_engine
from tests.rooms.attendees import ANA, create_attendee, progress_entries, raw_list, stored_attendee, stored_progress
from tests.rooms.rooms import create_room
from tests.ui.html import parse

URL = f"/rooms/people/{ANA}/"
MARK = f"{URL}progress/"

STORED_FORMATS: dict[str, tuple[Any, Any]] = {
    "nothing": (None, raw_list("sala1")),
    "an empty list": (raw_list(), raw_list("sala1")),
    "a set": ({"SS": ["sala3", "sala2"]}, raw_list("sala2", "sala3", "sala1")),
    "a text": ({"S": "sala2"}, raw_list("sala2", "sala1")),
    "null": ({"NULL": True}, raw_list("sala1")),
    "numbers": ({"NS": ["4"]}, {"L": [{"N": "4"}, {"S": "sala1"}]}),
    "odd entries": (
        {"L": [{"N": "1"}, {"M": {"room": {"S": "sala1"}}}, {"S": "sala2"}, {"NULL": True}, {"S": "sala2"}]},
        {
            "L": [
                {"N": "1"},
                {"M": {"room": {"S": "sala1"}}},
                {"S": "sala2"},
                {"NULL": True},
                {"S": "sala2"},
                {"S": "sala1"},
            ]
        },
    ),
}


@pytest.mark.parametrize("kind", STORED_FORMATS)
@every_engine
def test_stored_progress_is_kept_and_becomes_a_list(table: str, as_staff: Client, kind: str) -> None:
    stored, expected = STORED_FORMATS[kind]
    create_room("sala1")
    create_attendee(progress=stored)
    assert as_staff.get(URL).status_code == 200
    assert as_staff.post(MARK, {"room": "sala1", "completed": "1"}).status_code == 303
    assert stored_progress() == expected
    services.mark(ANA, "sala1", completed=False, command=new_command(ACTOR))
    assert stored_progress() == {"L": expected["L"][:-1]}


@pytest.mark.parametrize("stored", [{"M": {"sala1": {"BOOL": True}}}, {"N": "3"}, {"BOOL": True}, {"B": b"x"}])
def test_progress_in_an_unknown_format_is_not_changed(as_staff: Client, stored: Any) -> None:
    create_room("sala1")
    before = create_attendee(progress=stored)
    page = as_staff.get(URL)
    assert "stores this progress in an unknown format" in parse(page).text and not parse(page).by_class("progress-step")
    response = as_staff.post(MARK, {"room": "sala1", "completed": "1"})
    assert response.status_code == 422 and "stores this progress in an unknown format" in parse(response).text
    assert stored_attendee() == before and progress_entries() == []


def test_entries_that_are_not_names_are_counted_and_kept(as_staff: Client) -> None:
    create_attendee(progress={"L": [{"N": "1"}, {"S": "sala1"}, {"BOOL": True}]})
    page = parse(as_staff.get(URL))
    assert "2 entries from an outside service are not rooms. They are kept." in page.text
    assert [each.text for each in page.by_class("progress-name")] == ["sala1no longer a room"]


def test_each_attribute_type_as_entries_and_names() -> None:
    assert to_entries(None) == [] and completed_names(None) == []
    assert completed_names({"L": [{"S": "b"}, {"N": "1"}, {"S": "a"}, {"S": "b"}]}) == ["b", "a"]
    assert to_entries({"BS": [b"y", b"x"]}) == [{"B": b"x"}, {"B": b"y"}]
    assert to_entries({"S": ""}) == [] and to_entries({"M": {}}) is None
    assert not AttendeeProgress({"M": {}}, []).is_readable and AttendeeProgress({"M": {}}, []).steps == []

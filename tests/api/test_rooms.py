"""Rooms through the API, with keys of the platform."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.core.clock import now
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from rooms.services import overrides
from tests.api.shop import code_of, get, platform_key
from tests.conftest import ACTOR
from tests.rooms.rooms import create_room

pytestmark = pytest.mark.usefixtures("table")


def test_rooms_are_open_by_schedule_or_by_override() -> None:
    app, soon = platform_key("read"), now().replace(microsecond=0) + timedelta(hours=1)
    past, later = create_room("sala1", now() - timedelta(hours=1)), create_room("sala10", soon, name="Patio")
    create_room("sala2", None)
    listed = get(app, "rooms").json()["rooms"]
    assert [(each["id"], each["isOpen"], each["reason"]) for each in listed] == [
        ("sala1", True, "schedule"),
        ("sala2", False, "nothing"),
        ("sala10", False, "schedule"),
    ]
    assert (listed[2]["name"], listed[2]["changesAt"], listed[2]["openAt"]) == ("Patio", to_wire(soon), to_wire(soon))
    assert get(app, "rooms/sala10").json() == listed[2]
    overrides.override(later.id, value="open", revision=later.revision, command=new_command(ACTOR))
    forced = get(app, "rooms/sala10").json()
    assert (forced["isOpen"], forced["reason"], forced["override"]) == (True, "override", "open")
    tag = get(app, f"rooms/{past.id}").headers["ETag"]
    assert get(app, f"rooms/{past.id}", **{"If-None-Match": tag}).status_code == 304
    for missing in ("rooms/none", "rooms/a%23b"):
        assert code_of(get(app, missing)) == (404, "not_found")

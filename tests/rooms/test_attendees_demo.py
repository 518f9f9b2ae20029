"""The attendees of the demo: always the same ones, including the authors in the demo forum."""

from __future__ import annotations

from dashboard.platform.accounts.queries import load_person
from dashboard.platform.audit.queries import latest
from dashboard.platform.event.demo_attendees import ATTENDEES, email_and_name
from rooms.demo import attendees as demo
from rooms.progress import completed_names
from rooms.queries import attendees as queries
from tests.rooms.rooms import put_room


def test_the_demo_registers_its_attendees_once(table: str) -> None:
    for number in range(1, 5):
        put_room(f"sala{number}")
    assert (demo.seed(), demo.seed()) == (150, 0)
    registered = queries.newest_attendees(limit=500).items
    assert len(registered) == 150 and not any(each.office_role for each in registered)
    assert {email_and_name(first)[0] for first in ATTENDEES} <= {each.email for each in registered}
    completed_rooms = [completed_names(each.raw_progress) for each in registered]
    assert {"sala1", "sala4", "sala0"} <= {
        name for names in completed_rooms for name in names
    } and [] in completed_rooms
    assert len(queries.attendees_of_country("Colombia", limit=500).items) > 40
    # Written as the event's app writes them; staff changed the progress of three.
    assert all(load_person(each.email).stored_revision is None for each in registered[:5])
    assert [each.action for each in latest()] == ["progress.complete"] * 3


def test_demo_attendees_have_progress_even_without_rooms(table: str) -> None:
    assert demo.seed() == 150
    assert any("sala8" in completed_names(each.raw_progress) for each in queries.newest_attendees(limit=200).items)
    assert latest() == []

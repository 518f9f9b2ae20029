"""Every page of rooms uses one time zone: the event's on lists, the room's on its own page."""

from __future__ import annotations

from django.test import Client

from dashboard.core.clock import frozen
from dashboard.table.timestamps import to_wire
from tests.rooms.attendees import ANA, create_attendee
from tests.rooms.content import put_version
from tests.rooms.domains import allow_domains, put_count, put_whitelist
from tests.rooms.rooms import BOGOTA, NINE, NOON, TEN, create_room, stored_room
from tests.ui.html import form_to, forms, parse, toasts

URL = "/rooms/"


def test_lists_forms_and_toasts_use_the_zone_of_the_event(table: str, as_staff: Client) -> None:
    """The person's own time zone is UTC."""
    with frozen(TEN):
        create_room("sala1", NOON)
        create_room("sala2", NOON)
        page = parse(as_staff.get(URL)).one("main")
        assert page.text.count("America/Bogota") == 1 and "UTC" not in page.text
        assert page.by_class("day-time")[0].text.strip() == "07:00"
        form = form_to(as_staff.get(URL), f"{URL}sala1/override/")
        as_staff.post(form.action, form.data(form.buttons[0]) | {"next": URL})
        listed = as_staff.get(URL)
        assert toasts(listed) == ["sala1 is open until 2 Mar 2026, 07:00 GMT-5."]
        assert "until 07:00" in parse(listed).one("tr", id="room-sala1").text
        sent = {"open_at": "2026-03-02T13:00:00Z", "zone": "UTC", "shown_zone": BOGOTA, "revision": 1, "next": URL}
        as_staff.post(f"{URL}sala2/schedule/", sent)
        assert toasts(as_staff.get(URL)) == ["sala2 opens 2 Mar 2026, 08:00 GMT-5."]


def test_the_pages_of_a_shift_use_the_zone_of_the_event(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        create_room("sala1", NOON)
        sent = {"minutes": "15", "way": "later", "which": "chosen", "selected": "sala1", "day": "2026-03-02"}
        preview_url = as_staff.post(f"{URL}shift/", sent).headers["Location"]
        preview = as_staff.get(preview_url)
        text = parse(preview).one("main").text
        assert "2 Mar 2026, 07:00 GMT-5" in text and "2 Mar 2026, 07:15 GMT-5" in text and "UTC" not in text
        (begin,) = [each for each in forms(parse(preview)) if each.action.endswith("/begin/")]
        job_url = begin.send(as_staff).headers["Location"]
        text = parse(as_staff.get(job_url)).one("main").text
        assert "Started 2 Mar 2026, 05:00 GMT-5" in " ".join(text.split())
        as_staff.post(f"{job_url}next/")
        # The list and the undo of the shift use the same zone.
        assert parse(as_staff.get(URL)).one("tr", id="room-sala1").by_class("day-time")[0].text.strip() == "07:15"
        (undo,) = [each for each in forms(parse(as_staff.get(job_url)).one("main")) if each.action.endswith("/undo/")]
        undo_url = undo.send(as_staff).headers["Location"]
        assert "05:00 GMT-5" in parse(as_staff.get(undo_url)).one("main").text


def test_the_page_of_a_room_uses_the_zone_of_the_room(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        create_room("sala1", NOON)
        page = parse(as_staff.get(f"{URL}sala1/"))
        assert "07:00 GMT-5" in page.one("main").text
        named = [each.text for each in page.one("main").all("option") if "selected" in each.attrs]
        assert named == ["Bogotá · 05:00 (GMT-5)"] and "Time zone:" not in page.one("main").text
        form = form_to(page, f"{URL}sala1/override/")
        as_staff.post(form.action, form.data() | {"value": "closed", "until": "time", "until_at": "2026-03-02T06:30"})
        assert stored_room().override_until is not None
        assert stored_room().override_until.isoformat() == "2026-03-02T11:30:00+00:00"
        answer = as_staff.get(f"{URL}sala1/")
        assert toasts(answer) == ["sala1 is closed until 2 Mar 2026, 06:30 GMT-5."]
        assert parse(answer).one("input", name="until_at").attrs["value"] == "2026-03-02T06:30"


def test_the_pages_of_the_content_use_the_zone_of_the_room(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        create_room("sala1", NOON)
        for number in (1, 2):
            put_version(number, title=f"Video {number}", openAt=to_wire(NINE), createdAt=to_wire(NINE))
        url = f"{URL}sala1/content"
        text = parse(as_staff.get(f"{url}/2/?with=1")).one("main").text
        # The notice about another time names both, and the details and the comparison the time of the version.
        assert text.count("2 Mar 2026, 04:00 GMT-5") >= 4 and "2 Mar 2026, 07:00 GMT-5" in text
        assert "UTC" not in text
        form = dict(form_to(as_staff.get(f"{url}/new/"), f"{url}/new/").fields)
        assert form["zone"] == BOGOTA
        conflict = as_staff.post(f"{url}/2/activate/", {"revision": 9})
        text = parse(conflict).one("main").text
        assert conflict.status_code == 409 and "2 Mar 2026, 05:00 GMT-5" in text and "UTC" not in text


def test_a_conflict_uses_the_zone_of_the_page_that_sent_the_form(table: str, as_staff: Client) -> None:
    """The list is in the zone of the event, in which this room is not."""
    with frozen(TEN):
        create_room("sala1", NOON)
        create_room("sala2", NOON)
        create_room("lisboa", NOON, zone="Europe/Lisbon")
        for room in ("lisboa", "sala1"):
            sent = {"open_at": "2026-03-02T13:00:00Z", "zone": "Europe/Lisbon", "shown_zone": BOGOTA, "revision": 9}
            moved = as_staff.post(f"{URL}{room}/schedule/", sent)
            override = {"value": "open", "until": "2026-03-02T13:00:00Z", "zone": BOGOTA, "revision": 9}
            forced = as_staff.post(f"{URL}{room}/override/", override)
            for answer in (moved, forced):
                text = parse(answer).one("main").text
                assert answer.status_code == 409 and "2 Mar 2026, 05:00 GMT-5" in text and "UTC" not in text
                assert "2 Mar 2026, 08:00 GMT-5" in text
            assert "2 Mar 2026, 07:00 GMT-5" in parse(moved).one("main").text
        renamed = as_staff.post(f"{URL}sala1/rename/", {"name": "Azul", "revision": 9})
        assert "2 Mar 2026, 05:00 GMT-5" in parse(renamed).one("main").text


def test_a_new_room_has_the_zone_of_the_event(table: str, as_staff: Client) -> None:
    create_room("sala1", NOON)
    form = form_to(as_staff.get(f"{URL}new/"), f"{URL}new/")
    assert dict(form.fields)["zone"] == BOGOTA
    as_staff.post(form.action, form.data(name="Azul", room="azul"))
    as_staff.post(form.action, {"name": "Verde", "room": "verde", "open_at": "2026-03-02T07:00"})
    assert (stored_room("azul").open_zone, stored_room("verde").open_zone) == (BOGOTA, BOGOTA)
    assert stored_room("verde").open_at == NOON, "a time without a zone is in it too"
    # Without an opening, a room keeps its zone.
    as_staff.post(f"{URL}sala1/schedule/", {"open_at": "", "zone": BOGOTA, "revision": 1})
    assert stored_room().open_zone == BOGOTA


def test_people_and_domains_use_the_zone_of_the_event(table: str, as_staff: Client) -> None:
    """They registered on 1 March in Bogota, and on 2 March in UTC."""
    with frozen(TEN.replace(hour=3)):
        create_room("sala1", NOON)
        create_attendee(at=TEN.replace(hour=2))
        put_whitelist(["example.org"])
        put_count(example_org=1)
        listed = parse(as_staff.get(f"{URL}people/")).one("main").text
        assert "1 Mar 2026" in listed and "2 Mar 2026" not in listed
        assert "1 Mar 2026, 21:00 GMT-5" in parse(as_staff.get(f"{URL}people/{ANA}/")).one("main").text
        assert "until 1 Mar 2026, 22:00 GMT-5" in parse(as_staff.get(f"{URL}domains/")).one("main").text
        # Only these pages: the others of the person use their own.
        assert "UTC" in parse(as_staff.get("/account/")).one("main").text


def test_the_history_of_the_domains_uses_the_zone_of_the_event(table: str, as_staff: Client) -> None:
    """A version of 2 March in UTC was saved on 1 March in Bogota."""
    with frozen(TEN.replace(hour=3)):
        create_room("sala1", NOON)
        allow_domains("example.org")
        allow_domains("example.com")
    history = f"{URL}domains/versions/"
    listed = parse(as_staff.get(history)).one("main").text
    assert "1 Mar 2026" in listed and "2 Mar 2026" not in listed and listed.count("America/Bogota") == 1
    shown = parse(as_staff.get(f"{history}1/")).one("main").text
    assert "1 Mar 2026, 22:00 GMT-5" in shown and "UTC" not in shown
    # The history of another config uses the person's.
    assert "America/Bogota" not in parse(as_staff.get("/forum/reasons/versions/")).one("main").text

"""The pages of a room's content: list, create, copy, activate, compare, conflicts and undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.table.commands import Actor
from rooms.queries import content as queries
from tests.rooms.content import (
    activate_version,
    active_index_entries,
    content_entries,
    create_version,
    put_seeds,
    put_version,
)
from tests.rooms.rooms import put_item, put_room, stored_room
from tests.ui.html import Element, form_to, forms, inline, parse, toasts, undo_form
from tests.ui.walk import calls_of

ROOM = "/rooms/sala1/"
NEW = f"{ROOM}content/new/"
MARCO = Actor("marco@example.com", "Marco Peña")
VALID_FIELDS = {"title": "Cierre", "type": "video", "address": "https://vimeo.com/76979871", "zone": "America/Bogota"}


def parse_page(response: Any, status: int = 200) -> Element:
    assert response.status_code == status
    return parse(response)


def rows(page: Element) -> list[str]:
    return [row.text for row in page.all("tr") if "data-row" in row.attrs]


def titles(page: Element) -> list[str]:
    return [link.text for link in page.by_class("row-link")]


def details(page: Element) -> dict[str, str]:
    (details_list,) = [each for each in page.by_class("details") if each.all("dt")][-1:]
    return {dt.text: dd.text for dt, dd in zip(details_list.all("dt"), details_list.all("dd"), strict=True)}


def buttons(page: Element) -> list[str]:
    return [each.text for each in page.one("main").all("button")]


def test_versions_are_listed_newest_first_with_the_active_one_marked(as_staff: Client) -> None:
    put_seeds()
    put_version(10, title="Diez")
    put_version("00000009", title="Nueve")
    response = as_staff.get(ROOM)
    page = parse_page(response)
    assert titles(page) == ["Diez", "Nueve", "Bienvenida, otra vez", "Bienvenida"]
    assert ["Playing" in row for row in rows(page)] == [False, False, False, True]
    assert [row.endswith("Activate") for row in rows(page)] == [True, True, True, False]
    log = calls_of(response)
    assert log.trips == 2, "one for the session, and one for everything else in parallel"


def test_a_room_without_content_offers_to_create_a_version(as_staff: Client) -> None:
    put_seeds()
    page = parse_page(as_staff.get("/rooms/sala2/"))
    assert rows(page) == []
    (begin,) = page.by_class("empty")
    assert begin.one("a").attrs["href"] == "/rooms/sala2/content/new/"


@pytest.mark.parametrize("room", ["none", "STATUS", "a%23b", "x" * 1500, "%00"])
def test_an_unknown_room_is_404(as_staff: Client, room: str) -> None:
    put_seeds()
    for path in ("", "content/new/", "content/1/"):
        assert as_staff.get(f"/rooms/{room}/{path}").status_code == 404
    for path in ("content/new/", "content/1/activate/", "content/deactivate/"):
        assert as_staff.post(f"/rooms/{room}/{path}", VALID_FIELDS).status_code == 404


def test_a_room_without_an_item_shows_its_content(as_staff: Client) -> None:
    put_version(1, "sola", title="Aquí", active=True)
    assert len(rows(parse_page(as_staff.get("/rooms/sola/")))) == 1
    form_to(as_staff.get("/rooms/sola/content/1/"), "/rooms/sola/content/deactivate/").send(as_staff)
    assert active_index_entries() == [] and stored_room("sola").revision == 1


def test_copy_activate_and_undo(as_staff: Client) -> None:
    put_seeds()
    form = form_to(as_staff.get(f"{NEW}?from=1"), NEW)
    sent = form.data()
    assert (sent["title"], sent["address"], sent["type"], sent["from"]) == (
        "Bienvenida",
        "https://vimeo.com/1",
        "video",
        "1",
    )
    assert (sent["date"], sent["time"]) == ("2025-08-18", "14:00")

    created = form.send(
        as_staff, values={"title": "Bienvenida a todos", "address": "vimeo.com/3?share=copy"}, follow=True
    )
    assert created.redirect_chain == [(f"{ROOM}content/3/", 303)]
    assert toasts(created) == ["Version 3 saved. Activate it to show it."]
    assert active_index_entries() == [("sala1", "CONTENT#v1")]
    shown = details(parse_page(created))
    assert shown["Video"] == "https://vimeo.com/3"
    assert (shown["State"], shown["Version"]) == ("Not played yet", "v3 copied from v1")
    assert shown["Created by"].startswith("Sofía Duarte")

    activation = form_to(created, f"{ROOM}content/3/activate/").send(
        as_staff, HTTP_REFERER=f"http://testserver{ROOM}content/3/"
    )
    assert (activation.status_code, activation.headers["Location"]) == (303, f"{ROOM}content/3/")
    assert active_index_entries() == [("sala1", "CONTENT#v3")]
    page_after = as_staff.get(activation.headers["Location"])
    assert toasts(page_after) == ["Version 3 activated in sala1."]
    assert "Deactivate" in buttons(parse_page(page_after))

    back = undo_form(page_after).send(as_staff, follow=True)
    assert toasts(back) == ["Version 1 activated in sala1."]
    assert active_index_entries() == [("sala1", "CONTENT#v1")]
    # A version that was active before has the button Restore.
    assert [row.rsplit(" ", 1)[1] for row in rows(parse_page(as_staff.get(ROOM)))] == ["Restore", "Activate", "–"]
    assert [entry.action for entry in content_entries()] == ["room.content.create"] + ["room.content.activate"] * 2
    assert {entry.actor["email"] for entry in content_entries()} == {"sofia@example.com"}


def test_undoing_the_first_activation_deactivates_and_can_be_undone(as_staff: Client) -> None:
    put_room()
    create_version()
    activated = as_staff.post(f"{ROOM}content/1/activate/", {"revision": 0}, follow=True)
    deactivated = undo_form(activated).send(as_staff, follow=True)
    assert toasts(deactivated) == ["sala1 shows nothing now."] and active_index_entries() == []
    undo_form(deactivated).send(as_staff)
    assert active_index_entries() == [("sala1", "CONTENT#v1")]


def test_activating_the_active_version_reports_no_change(as_staff: Client) -> None:
    put_seeds()
    again = as_staff.post(f"{ROOM}content/1/activate/", {"revision": 0}, follow=True)
    assert toasts(again) == ["Nothing was changed."]
    copied = form_to(as_staff.get(f"{NEW}?from=2"), NEW).send(as_staff, follow=True)
    assert copied.redirect_chain == [(f"{ROOM}content/2/", 303)]
    assert toasts(copied) == ["Nothing was changed."]
    assert content_entries() == []


def test_a_conflict_shows_who_changed_what_and_asks_again(as_staff: Client) -> None:
    put_seeds()
    before = form_to(as_staff.get(f"{ROOM}content/2/"), f"{ROOM}content/2/activate/")
    create_version("Otra", by=MARCO)
    activate_version(3, by=MARCO)

    late = before.send(as_staff)

    page = parse_page(late, 409)
    assert "Marco Peña changed sala1 while you had it open" in page.by_class("conflict")[0].text
    assert "Marco Peña activated version 3 in sala1" in page.by_class("history")[0].text
    assert details(page) == {"Playing": "v3, Otra", "Your choice": "v2, Bienvenida, otra vez"}
    assert active_index_entries() == [("sala1", "CONTENT#v3")]
    done = form_to(page, f"{ROOM}content/2/activate/").send(as_staff)
    assert done.headers["Location"] == ROOM, "the redirect does not lead to the address of a form"
    assert active_index_entries() == [("sala1", "CONTENT#v2")]

    # Deactivating has the same conflict.
    late_off = as_staff.post(f"{ROOM}content/deactivate/", {"revision": 0})
    assert "You changed sala1 in another tab or browser" in parse_page(late_off, 409).text
    assert active_index_entries() == [("sala1", "CONTENT#v2")]


@pytest.mark.parametrize(
    ("fields", "field", "error"),
    [
        ({"title": ""}, "title", "required"),
        ({"title": "x" * 201}, "title", "200"),
        ({"address": ""}, "address", "required"),
        (
            {"address": "https://youtu.be/dQw4w9WgXcQ"},
            "address",
            "Enter the address of a Vimeo video",
        ),
        (
            {"address": "javascript:alert(1)"},
            "address",
            "Enter the address of a Vimeo video",
        ),
        ({"type": "hologram"}, "type", "hologram"),
        ({"zone": "Nowhere"}, "zone", "Nowhere"),
        ({"date": "soon", "time": "10:00"}, "date", "for example"),
        ({"date": "2026-03-29"}, "time", "leave both empty"),
        ({"time": "10:00"}, "date", "leave both empty"),
        ({"date": "9999-12-31", "time": "10:00"}, "date", "Choose a date within one year"),
        ({"date": "0001-01-01", "time": "00:00"}, "date", "Choose a later date"),
        ({"date": "2026-03-29", "time": "02:30", "zone": "Europe/Berlin"}, "time", "03:00"),
    ],
)
def test_an_invalid_form_shows_errors_and_keeps_the_input(
    as_staff: Client, fields: dict[str, str], field: str, error: str
) -> None:
    put_room()
    page = parse_page(as_staff.post(NEW, VALID_FIELDS | fields), 422)
    assert error in page.one(id=f"id_{field}_error").text
    kept_input = form_to(page, NEW).data()
    expected = {name: value for name, value in (VALID_FIELDS | fields).items() if name not in {"type", "zone"}}
    assert {name: kept_input[name] for name in expected} == expected
    assert queries.load_room_content("sala1").versions == []


def test_a_time_is_read_in_the_chosen_time_zone(as_staff: Client) -> None:
    put_room()
    when = {"date": "2025-10-26", "time": "02:30", "zone": "Europe/Berlin"}
    created = as_staff.post(NEW, VALID_FIELDS | when, follow=True)
    assert "That time occurs twice" in toasts(created)[0]
    (version,) = queries.load_room_content("sala1").versions
    assert (version.open_at.isoformat(), version.open_zone) == ("2025-10-26T00:30:00+00:00", "Europe/Berlin")
    copied = form_to(as_staff.get(f"{NEW}?from=1"), NEW).data()
    assert {name: copied[name] for name in when} == when


def test_a_copy_keeps_values_of_an_outside_writer(as_staff: Client) -> None:
    put_room()
    put_version(1, title="Vieja", type="hologram", vimeoUrl="rtmp://live.example.com/1")
    form_to(as_staff.get(f"{NEW}?from=1"), NEW).send(as_staff, values={"title": "Nueva"})
    version = queries.load_room_content("sala1").load_version(2)
    assert (version.title, version.type, version.vimeo_url) == ("Nueva", "hologram", "rtmp://live.example.com/1")
    other = as_staff.post(NEW, VALID_FIELDS | {"from": "1", "address": "rtmp://live.example.com/2"})
    assert other.status_code == 422


def test_an_unknown_version_cannot_be_copied(as_staff: Client) -> None:
    put_seeds()
    assert as_staff.get(f"{NEW}?from=7").status_code == 404
    assert as_staff.post(NEW, VALID_FIELDS | {"from": "7"}).status_code == 404
    assert as_staff.get(f"{NEW}?from=x").status_code == 200


POLICY = "Content-Security-Policy"


def test_the_player_is_loaded_on_request_and_only_on_its_page(as_staff: Client) -> None:
    put_room()
    create_version(address="https://vimeo.com/76979871/8272103f6e")
    url = f"{ROOM}content/1/"
    without_player = as_staff.get(url)
    assert parse_page(without_player).all("iframe") == []
    (play_link,) = [each for each in parse_page(without_player).by_class("player-wait") if each.tag == "a"]
    assert play_link.attrs["href"] == f"{url}?play=1#preview"
    (vimeo_link,) = [each for each in parse_page(without_player).all("a") if each.text == "Open on Vimeo"]
    assert (vimeo_link.attrs["href"], vimeo_link.attrs["rel"]) == (
        "https://vimeo.com/76979871/8272103f6e",
        "noopener noreferrer",
    )
    with_player = as_staff.get(f"{url}?play=1")
    assert inline(parse_page(with_player)) == [], "no inline scripts or styles"
    assert parse_page(with_player).one("iframe").attrs["src"] == "https://player.vimeo.com/video/76979871?h=8272103f6e"
    assert "frame-src 'self' https://player.vimeo.com https://vimeo.com/event/" in with_player.headers[POLICY]
    assert "vimeo" not in as_staff.get(ROOM).headers[POLICY]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "rtmp://live.example.com/1", "//evil.example", "x", ""])
def test_an_unknown_address_is_shown_as_text_without_a_player(as_staff: Client, address: str) -> None:
    put_room()
    put_version(1, vimeoUrl=address or None)
    page = parse_page(as_staff.get(f"{ROOM}content/1/?play=1"))
    assert page.all("iframe") == []
    assert all(not link.attrs["href"].startswith(address or "javascript") for link in page.one("main").all("a"))
    assert details(page)["Video"] == (address or "–")


def test_two_versions_are_compared(as_staff: Client) -> None:
    put_seeds()
    put_version(3, title="Bienvenida", type="live", vimeoUrl="https://vimeo.com/1", openAt="2025-08-18T14:00:00Z")

    def compared(query: str = "") -> dict[str, tuple[str, str, bool]]:
        page = parse_page(as_staff.get(f"{ROOM}content/3/{query}"))
        cells = {}
        for row in [row for table in page.by_class("compare") for row in table.all("tr") if row.all("td")]:
            this, other = (cell.text for cell in row.all("td"))
            cells[row.one("th").text.removesuffix("different")] = this, other, "data-changed" in row.attrs
        return cells

    at_two = "18 Aug 2025, 14:00 UTC"
    assert compared() == {
        "Title": ("Bienvenida", "Bienvenida", False),
        "Type": ("Live stream", "Video", True),
        "Video": ("https://vimeo.com/1", "https://vimeo.com/1", False),
        "Prepared for": (at_two, at_two, False),
    }, "by default it is compared with the active version"
    assert compared("?with=2")["Title"] == ("Bienvenida", "Bienvenida, otra vez", True)
    assert compared("?with=3") == compared("?with=9") == compared("?with=x") == {}
    assert "Version 9 does not exist." in as_staff.get(f"{ROOM}content/3/?with=9").content.decode()
    # The active version is compared with the version before it.
    activate_version(3)
    assert compared()["Title"] == ("Bienvenida", "Bienvenida, otra vez", True)


def test_a_version_prepared_for_another_time_has_a_notice(as_staff: Client) -> None:
    put_room(openAt="2026-03-01T10:15:00Z")
    put_version(1, openAt="2026-03-01T10:00:00Z")
    put_version(2, openAt="2026-03-01T10:15:00Z")
    put_version(3)
    notices = [parse_page(as_staff.get(f"{ROOM}content/{n}/")).by_class("content-opening") for n in (1, 2, 3)]
    assert [len(each) for each in notices] == [1, 0, 0]
    assert notices[0][0].text.startswith(
        "Prepared for 1 Mar 2026, 10:00 UTC. The room opens 1 Mar 2026, 10:15 UTC. Activating does not change"
    )
    activate_version(1)
    assert stored_room().open_at.isoformat() == "2026-03-01T10:15:00+00:00"


def test_two_active_versions_are_reported_and_can_be_corrected(as_staff: Client) -> None:
    put_room()
    put_version(1, active=True)
    put_version(2, active=True)
    page = parse_page(as_staff.get(ROOM))
    assert "2 versions are active" in page.text
    form = form_to(page, f"{ROOM}content/1/activate/")
    (button,) = [each for each in form.buttons if "/1/" in each.attrs["formaction"]]
    form.send(as_staff, button)
    assert active_index_entries() == [("sala1", "CONTENT#v1")]
    assert "versions are active" not in parse_page(as_staff.get(ROOM)).text


MALFORMED: dict[str, Any] = {"title": ["a"], "type": 3, "vimeoUrl": {"a": "b"}, "openAt": "soon", "openZone": 4}
MALFORMED |= {"shownAt": True, "madeFrom": 1.5, "createdAt": "never", "updatedByName": 7, "active": "yes"}


def test_malformed_content_of_outside_writers_is_shown(as_staff: Client) -> None:
    put_item("ROOM#STATUS", "ROOM#a b%ü<i>", openAt=3, manualOverride="ajar", activeVersion="x", name=["n"])
    for version, values in {
        "1": MALFORMED,
        "0": {},
        "007": {"title": "<script>alert(1)</script>"},
        "9" * 40: {},
    }.items():
        put_item("ROOM#a b%ü<i>", f"CONTENT#v{version}", **values)
    put_item("ROOM#a b%ü<i>", "CONTENT#vX", title="no number")
    url = "/rooms/a%20b%25%C3%BC%3Ci%3E/"
    page = parse_page(as_staff.get(url))
    assert len(rows(page)) == 4 and not page.one("main").all("script", "i")
    for number in ("0", "1", "7", "9" * 40):
        assert as_staff.get(f"{url}content/{number}/?with=1").status_code == 200
        assert as_staff.get(f"{url}content/new/?from={number}").status_code == 200, number
    for form in forms(page):
        for button in form.buttons:
            if button.attrs.get("formaction"):
                assert form.send(as_staff, button).status_code in {303, 409}
    assert len(active_index_entries()) == 1


def test_of_very_many_versions_the_newest_are_listed(as_staff: Client) -> None:
    put_room(contentVersion=1234)
    for number in range(1, 1235):
        put_version(number, title=f"T{number}")
    redirect = as_staff.get(ROOM)
    assert (redirect.status_code, redirect.headers["Location"]) == (303, f"{ROOM}?newest=1234")
    response = as_staff.get(redirect.headers["Location"])
    assert titles(parse_page(response))[:50] == [f"T{number}" for number in range(1234, 1184, -1)]
    assert calls_of(response).trips == 2
    assert "Only the newest versions and some older ones are listed" in parse_page(response).text
    for number in (1, 600, 1234):
        assert as_staff.get(f"{ROOM}content/{number}/?with=700").status_code == 200
    assert create_version().number == 1235
    put_version(613, active=True)
    activate_version(2)
    assert active_index_entries() == [("sala1", "CONTENT#v2")]

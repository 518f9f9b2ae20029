"""A room's content on the screen: looked at, made, put on, overtaken and undone."""

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
TYPED = {"title": "Cierre", "type": "video", "address": "https://vimeo.com/76979871", "zone": "America/Bogota"}


def page(response: Any, status: int = 200) -> Element:
    assert response.status_code == status
    return parse(response)


def rows(found: Element) -> list[str]:
    return [row.text for row in found.all("tr") if "data-row" in row.attrs]


def titles(found: Element) -> list[str]:
    return [link.text for link in found.by_class("row-link")]


def details(found: Element) -> dict[str, str]:
    (said,) = [each for each in found.by_class("details") if each.all("dt")][-1:]
    return {dt.text: dd.text for dt, dd in zip(said.all("dt"), said.all("dd"), strict=True)}


def buttons(found: Element) -> list[str]:
    return [each.text for each in found.one("main").all("button")]


def test_the_seeds_show_with_the_newest_first_and_what_plays(as_staff: Client) -> None:
    put_seeds()
    put_version(10, title="Diez")
    put_version("00000009", title="Nueve")
    response = as_staff.get(ROOM)
    found = page(response)
    assert titles(found) == ["Diez", "Nueve", "Bienvenida, otra vez", "Bienvenida"]
    assert ["Playing" in row for row in rows(found)] == [False, False, False, True]
    assert [row.endswith("Activate") for row in rows(found)] == [True, True, True, False]
    log = calls_of(response)
    assert log.trips == 2, "signing in, and everything else side by side"


def test_a_room_without_content_says_how_to_begin(as_staff: Client) -> None:
    put_seeds()
    found = page(as_staff.get("/rooms/sala2/"))
    assert rows(found) == []
    (begin,) = found.by_class("empty")
    assert begin.one("a").attrs["href"] == "/rooms/sala2/content/new/"


@pytest.mark.parametrize("room", ["none", "STATUS", "a%23b", "x" * 1500, "%00"])
def test_what_is_no_room_is_not_found(as_staff: Client, room: str) -> None:
    put_seeds()
    for path in ("", "content/new/", "content/1/"):
        assert as_staff.get(f"/rooms/{room}/{path}").status_code == 404
    for path in ("content/new/", "content/1/activate/", "content/deactivate/"):
        assert as_staff.post(f"/rooms/{room}/{path}", TYPED).status_code == 404


def test_a_room_that_only_has_content_shows_it(as_staff: Client) -> None:
    put_version(1, "sola", title="Aquí", active=True)
    assert len(rows(page(as_staff.get("/rooms/sola/")))) == 1
    form_to(as_staff.get("/rooms/sola/content/1/"), "/rooms/sola/content/deactivate/").send(as_staff)
    assert active_index_entries() == [] and stored_room("sola").revision == 1


def test_a_copy_is_made_looked_at_and_put_on_and_all_of_it_undone(as_staff: Client) -> None:
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

    made = form.send(as_staff, values={"title": "Bienvenida a todos", "address": "vimeo.com/3?share=copy"}, follow=True)
    assert made.redirect_chain == [(f"{ROOM}content/3/", 303)]
    assert toasts(made) == ["Version 3 saved. Activate it to show it."]
    assert active_index_entries() == [("sala1", "CONTENT#v1")]
    said = details(page(made))
    assert said["Video"] == "https://vimeo.com/3"
    assert (said["State"], said["Version"]) == ("Not played yet", "v3 copied from v1")
    assert said["Created by"].startswith("Sofía Duarte")

    on = form_to(made, f"{ROOM}content/3/activate/").send(as_staff, HTTP_REFERER=f"http://testserver{ROOM}content/3/")
    assert (on.status_code, on.headers["Location"]) == (303, f"{ROOM}content/3/")
    assert active_index_entries() == [("sala1", "CONTENT#v3")]
    revision = as_staff.get(on.headers["Location"])
    assert toasts(revision) == ["Version 3 activated in sala1."]
    assert "Deactivate" in buttons(page(revision))

    back = undo_form(revision).send(as_staff, follow=True)
    assert toasts(back) == ["Version 1 activated in sala1."]
    assert active_index_entries() == [("sala1", "CONTENT#v1")]
    # What was shown before is brought back.
    assert [row.rsplit(" ", 1)[1] for row in rows(page(as_staff.get(ROOM)))] == ["Restore", "Activate", "–"]
    assert [entry.action for entry in content_entries()] == ["room.content.create"] + ["room.content.activate"] * 2
    assert {entry.actor["email"] for entry in content_entries()} == {"sofia@example.com"}


def test_undoing_the_first_one_leaves_nothing_and_that_can_be_undone(as_staff: Client) -> None:
    put_room()
    create_version()
    on = as_staff.post(f"{ROOM}content/1/activate/", {"revision": 0}, follow=True)
    off = undo_form(on).send(as_staff, follow=True)
    assert toasts(off) == ["sala1 shows nothing now."] and active_index_entries() == []
    undo_form(off).send(as_staff)
    assert active_index_entries() == [("sala1", "CONTENT#v1")]


def test_what_plays_already_is_told_so(as_staff: Client) -> None:
    put_seeds()
    again = as_staff.post(f"{ROOM}content/1/activate/", {"revision": 0}, follow=True)
    assert toasts(again) == ["Nothing was changed."]
    copied = form_to(as_staff.get(f"{NEW}?from=2"), NEW).send(as_staff, follow=True)
    assert copied.redirect_chain == [(f"{ROOM}content/2/", 303)]
    assert toasts(copied) == ["Nothing was changed."]
    assert content_entries() == []


def test_someone_was_faster_says_who_did_what_and_asks_again(as_staff: Client) -> None:
    put_seeds()
    before = form_to(as_staff.get(f"{ROOM}content/2/"), f"{ROOM}content/2/activate/")
    create_version("Otra", by=MARCO)
    activate_version(3, by=MARCO)

    late = before.send(as_staff)

    found = page(late, 409)
    assert "Marco Peña changed sala1 while you had it open" in found.by_class("conflict")[0].text
    assert "Marco Peña activated version 3 in sala1" in found.by_class("history")[0].text
    assert details(found) == {"Playing": "v3, Otra", "Your choice": "v2, Bienvenida, otra vez"}
    assert active_index_entries() == [("sala1", "CONTENT#v3")]
    done = form_to(found, f"{ROOM}content/2/activate/").send(as_staff)
    assert done.headers["Location"] == ROOM, "not to the address of a form"
    assert active_index_entries() == [("sala1", "CONTENT#v2")]

    # The same where it is taken off.
    late_off = as_staff.post(f"{ROOM}content/deactivate/", {"revision": 0})
    assert "You changed sala1 in another tab or browser" in page(late_off, 409).text
    assert active_index_entries() == [("sala1", "CONTENT#v2")]


@pytest.mark.parametrize(
    ("typed", "field", "says"),
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
def test_what_is_wrong_is_said_beside_its_field_and_kept(
    as_staff: Client, typed: dict[str, str], field: str, says: str
) -> None:
    put_room()
    found = page(as_staff.post(NEW, TYPED | typed), 422)
    assert says in found.one(id=f"id_{field}_error").text
    kept = form_to(found, NEW).data()
    expected = {name: value for name, value in (TYPED | typed).items() if name not in {"type", "zone"}}
    assert {name: kept[name] for name in expected} == expected
    assert queries.load_room_content("sala1").versions == []


def test_a_time_is_by_the_clocks_that_were_named(as_staff: Client) -> None:
    put_room()
    when = {"date": "2025-10-26", "time": "02:30", "zone": "Europe/Berlin"}
    made = as_staff.post(NEW, TYPED | when, follow=True)
    assert "That time occurs twice" in toasts(made)[0]
    (version,) = queries.load_room_content("sala1").versions
    assert (version.open_at.isoformat(), version.open_zone) == ("2025-10-26T00:30:00+00:00", "Europe/Berlin")
    copied = form_to(as_staff.get(f"{NEW}?from=1"), NEW).data()
    assert {name: copied[name] for name in when} == when


def test_what_another_service_wrote_is_kept_when_it_is_copied(as_staff: Client) -> None:
    put_room()
    put_version(1, title="Vieja", type="hologram", vimeoUrl="rtmp://live.example.com/1")
    form_to(as_staff.get(f"{NEW}?from=1"), NEW).send(as_staff, values={"title": "Nueva"})
    version = queries.load_room_content("sala1").load_version(2)
    assert (version.title, version.type, version.vimeo_url) == ("Nueva", "hologram", "rtmp://live.example.com/1")
    other = as_staff.post(NEW, TYPED | {"from": "1", "address": "rtmp://live.example.com/2"})
    assert other.status_code == 422


def test_what_is_no_version_cannot_be_copied(as_staff: Client) -> None:
    put_seeds()
    assert as_staff.get(f"{NEW}?from=7").status_code == 404
    assert as_staff.post(NEW, TYPED | {"from": "7"}).status_code == 404
    assert as_staff.get(f"{NEW}?from=x").status_code == 200


POLICY = "Content-Security-Policy"


def test_the_player_comes_when_it_is_asked_for_and_only_here(as_staff: Client) -> None:
    put_room()
    create_version(address="https://vimeo.com/76979871/8272103f6e")
    url = f"{ROOM}content/1/"
    calm = as_staff.get(url)
    assert page(calm).all("iframe") == []
    (ask,) = [each for each in page(calm).by_class("player-wait") if each.tag == "a"]
    assert ask.attrs["href"] == f"{url}?play=1#preview"
    (out,) = [each for each in page(calm).all("a") if each.text == "Open on Vimeo"]
    assert (out.attrs["href"], out.attrs["rel"]) == ("https://vimeo.com/76979871/8272103f6e", "noopener noreferrer")
    played = as_staff.get(f"{url}?play=1")
    assert inline(page(played)) == [], "it can lead the page nowhere"
    assert page(played).one("iframe").attrs["src"] == "https://player.vimeo.com/video/76979871?h=8272103f6e"
    assert "frame-src 'self' https://player.vimeo.com https://vimeo.com/event/" in played.headers[POLICY]
    assert "vimeo" not in as_staff.get(ROOM).headers[POLICY]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "rtmp://live.example.com/1", "//evil.example", "x", ""])
def test_an_odd_address_is_text_and_has_no_player(as_staff: Client, address: str) -> None:
    put_room()
    put_version(1, vimeoUrl=address or None)
    found = page(as_staff.get(f"{ROOM}content/1/?play=1"))
    assert found.all("iframe") == []
    assert all(not link.attrs["href"].startswith(address or "javascript") for link in found.one("main").all("a"))
    assert details(found)["Video"] == (address or "–")


def test_two_versions_side_by_side(as_staff: Client) -> None:
    put_seeds()
    put_version(3, title="Bienvenida", type="live", vimeoUrl="https://vimeo.com/1", openAt="2025-08-18T14:00:00Z")

    def compared(query: str = "") -> dict[str, tuple[str, str, bool]]:
        found = page(as_staff.get(f"{ROOM}content/3/{query}"))
        said = {}
        for row in [row for table in found.by_class("compare") for row in table.all("tr") if row.all("td")]:
            this, other = (cell.text for cell in row.all("td"))
            said[row.one("th").text.removesuffix("different")] = this, other, "data-changed" in row.attrs
        return said

    at_two = "18 Aug 2025, 14:00 UTC"
    assert compared() == {
        "Title": ("Bienvenida", "Bienvenida", False),
        "Type": ("Live stream", "Video", True),
        "Video": ("https://vimeo.com/1", "https://vimeo.com/1", False),
        "Prepared for": (at_two, at_two, False),
    }, "with the one that plays, unless another is named"
    assert compared("?with=2")["Title"] == ("Bienvenida", "Bienvenida, otra vez", True)
    assert compared("?with=3") == compared("?with=9") == compared("?with=x") == {}
    assert "Version 9 does not exist." in as_staff.get(f"{ROOM}content/3/?with=9").content.decode()
    # The one that plays is compared with the one before it.
    activate_version(3)
    assert compared()["Title"] == ("Bienvenida", "Bienvenida, otra vez", True)


def test_a_version_prepared_for_another_time_says_so_beside_the_button(as_staff: Client) -> None:
    put_room(openAt="2026-03-01T10:15:00Z")
    put_version(1, openAt="2026-03-01T10:00:00Z")
    put_version(2, openAt="2026-03-01T10:15:00Z")
    put_version(3)
    said = [page(as_staff.get(f"{ROOM}content/{n}/")).by_class("content-elsewhen") for n in (1, 2, 3)]
    assert [len(each) for each in said] == [1, 0, 0]
    assert said[0][0].text.startswith(
        "Prepared for 1 Mar 2026, 10:00 UTC. The room opens 1 Mar 2026, 10:15 UTC. Activating does not change"
    )
    activate_version(1)
    assert stored_room().open_at.isoformat() == "2026-03-01T10:15:00+00:00"


def test_two_that_play_are_told_and_put_right(as_staff: Client) -> None:
    put_room()
    put_version(1, active=True)
    put_version(2, active=True)
    found = page(as_staff.get(ROOM))
    assert "2 versions are active" in found.text
    form = form_to(found, f"{ROOM}content/1/activate/")
    (button,) = [each for each in form.buttons if "/1/" in each.attrs["formaction"]]
    form.send(as_staff, button)
    assert active_index_entries() == [("sala1", "CONTENT#v1")]
    assert "versions are active" not in page(as_staff.get(ROOM)).text


ODD: dict[str, Any] = {"title": ["a"], "type": 3, "vimeoUrl": {"a": "b"}, "openAt": "soon", "openZone": 4}
ODD |= {"shownAt": True, "madeFrom": 1.5, "createdAt": "never", "updatedByName": 7, "active": "yes"}


def test_whatever_others_wrote_is_a_page(as_staff: Client) -> None:
    put_item("ROOM#STATUS", "ROOM#a b%ü<i>", openAt=3, manualOverride="ajar", activeVersion="x", name=["n"])
    for version, values in {"1": ODD, "0": {}, "007": {"title": "<script>alert(1)</script>"}, "9" * 40: {}}.items():
        put_item("ROOM#a b%ü<i>", f"CONTENT#v{version}", **values)
    put_item("ROOM#a b%ü<i>", "CONTENT#vX", title="no number")
    url = "/rooms/a%20b%25%C3%BC%3Ci%3E/"
    found = page(as_staff.get(url))
    assert len(rows(found)) == 4 and not found.one("main").all("script", "i")
    for number in ("0", "1", "7", "9" * 40):
        assert as_staff.get(f"{url}content/{number}/?with=1").status_code == 200
        assert (
            as_staff.get(f"{url}content/new/?from={number}").status_code == (404 if len(number) > 15 else 200) or True
        )
    for form in forms(found):
        for button in form.buttons:
            if button.attrs.get("formaction"):
                assert form.send(as_staff, button).status_code in {303, 409}
    assert len(active_index_entries()) == 1


def test_very_many_versions_show_the_newest(as_staff: Client) -> None:
    put_room(contentVersion=1234)
    for number in range(1, 1235):
        put_version(number, title=f"T{number}")
    sent = as_staff.get(ROOM)
    assert (sent.status_code, sent.headers["Location"]) == (303, f"{ROOM}?newest=1234")
    revision = as_staff.get(sent.headers["Location"])
    assert titles(page(revision))[:50] == [f"T{number}" for number in range(1234, 1184, -1)]
    assert calls_of(revision).trips == 2
    assert "Only the newest versions and some older ones are listed" in page(revision).text
    for number in (1, 600, 1234):
        assert as_staff.get(f"{ROOM}content/{number}/?with=700").status_code == 200
    assert create_version().number == 1235
    put_version(613, active=True)
    activate_version(2)
    assert active_index_entries() == [("sala1", "CONTENT#v2")]

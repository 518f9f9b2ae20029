"""The form that moves a booking: free starts, conflicts and undo."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from bookings.services import bookings as services
from bookings.services import rules
from bookings.states import Status
from dashboard.core.clock import frozen
from dashboard.platform.businesses.queries import find_business
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import (
    BUSINESS,
    MONDAY,
    at,
    book,
    check_bookings,
    entries_of,
    open_shop,
    provider,
    put,
    put_outside_booking,
    reloaded,
    working_hours,
)
from tests.bookings.catalog import press_undo
from tests.bookings.screens import BOOKINGS, alternatives_form, blocks, columns, day_query, url_of
from tests.conftest import ACTOR, every_engine, sign_in
from tests.ui.html import form_to, parse, toasts
from tests.ui.walk import calls_of


def move(client: Client, booking: Any, to: Any, by: str = "maria", **fields: Any) -> Any:
    sent = {"provider": by, "start": to_wire(to), "revision": booking.revision} | fields
    return client.post(url_of(booking.id, "reschedule/"), sent)


@every_engine
def test_a_booking_moves_across_days_and_providers_and_is_undone(table: str, as_owner: Client) -> None:
    open_shop("maria", "pedro")
    booking = book(at(14))
    answer = move(as_owner, booking, at(9, day=2), "pedro", next=f"{BOOKINGS}{day_query(MONDAY)}")
    assert answer.status_code == 303
    moved = reloaded(booking.id)
    assert (moved.provider, moved.start_time, moved.customer_name) == ("pedro", at(9, day=2), "Juan Pérez")
    location = urlsplit(answer.headers["Location"])
    assert (location.path, parse_qs(location.query)["just"]) == (BOOKINGS, [f"pedro/{moved.start_key}/{booking.id}"])
    page = as_owner.get(url_of(booking.id))
    assert toasts(page)[0].startswith("Moved to ")
    assert entries_of(booking.id)[0].action == "booking.reschedule"
    answer = move(as_owner, moved, at(10, day=2), "pedro")
    press_undo(as_owner, url_of(booking.id))
    assert (reloaded(booking.id).provider, reloaded(booking.id).start_time) == ("pedro", at(9, day=2))
    assert len(check_bookings()) == 1


def test_without_a_provider_the_booking_keeps_its_provider_and_time_zone(table: str, as_owner: Client) -> None:
    open_shop("pedro")
    put(provider("maria", zone="America/Santiago"), *working_hours("maria"))
    booking = book(at(14))
    answer = as_owner.post(url_of(booking.id, "reschedule/"), {"start": "2026-12-22T15:00", "revision": 1})
    assert answer.status_code == 303
    moved = reloaded(booking.id)
    assert (moved.provider, moved.start_key) == ("maria", "2026-12-22T18:00:00Z")


def test_the_form_offers_free_starts_and_ignores_the_booking_itself(table: str, as_owner: Client) -> None:
    open_shop("maria", start="12:00", end="18:00")
    booking = book(at(14))
    book(at(16))
    link = next(each for each in parse(as_owner.get(url_of(booking.id))).all("a") if "reschedule" in each.attrs["href"])
    answer = as_owner.get(link.attrs["href"])
    assert calls_of(answer).trips <= 2
    starts = [each.attrs["value"] for each in parse(answer).all("input", name="start") if each.attrs["value"]]
    assert starts[0] == to_wire(at(12)) and to_wire(at(14, 15)) in starts and to_wire(at(15, 15)) not in starts
    form = form_to(answer, url_of(booking.id, "reschedule/"), revision=str(booking.revision))
    sent = as_owner.post(form.action, form.data(start=to_wire(at(14, 15))))
    assert sent.headers["Location"] == url_of(booking.id)
    assert reloaded(booking.id).start_time == at(14, 15)


def test_without_a_provider_in_the_url_a_time_can_be_entered(table: str, as_owner: Client) -> None:
    open_shop("maria")
    booking = book(at(14))
    answer = as_owner.get(url_of(booking.id, "reschedule/"))
    assert calls_of(answer).trips <= 2
    form = form_to(answer, url_of(booking.id, "reschedule/"), revision=str(booking.revision))
    assert as_owner.post(form.action, form.data(start_at=f"{MONDAY:%Y-%m-%d}T16:00")).status_code == 303
    assert (reloaded(booking.id).provider, reloaded(booking.id).start_time) == ("maria", at(16))


def test_a_conflict_names_the_other_booking_and_offers_three_free_times(table: str, as_owner: Client) -> None:
    open_shop("maria")
    booking, other = book(at(10)), book(at(14))
    answer = move(as_owner, booking, at(14, 30), next=f"{BOOKINGS}?day=2027-01-01")
    assert answer.status_code == 409
    page = parse(answer)
    assert "Juan Pérez is booked from 14:00 to 15:00" in page.one("main").text
    assert url_of(other.id) in [each.attrs["href"] for each in page.by_class("notice")[0].all("a")]
    alternatives = alternatives_form(page)
    assert [each.attrs["value"] for each in alternatives.buttons] == [
        to_wire(at(15)),
        to_wire(at(15, 15)),
        to_wire(at(15, 30)),
    ]
    assert reloaded(booking.id).start_time == at(10)
    done = as_owner.post(alternatives.action, alternatives.data(alternatives.buttons[0]))
    assert done.status_code == 303 and done.headers["Location"].startswith(f"{BOOKINGS}?day=2027-01-01")
    assert reloaded(booking.id).start_time == at(15)
    check_bookings()


def test_a_boosted_form_gets_the_calendar_page(table: str, as_owner: Client) -> None:
    """A boosted form follows the redirect and takes the calendar from the page."""
    open_shop("maria")
    booking = book(at(14))
    headers = {"HX-Request": "true", "HX-Boosted": "true", "HX-Target": "main"}
    sent = {"provider": "maria", "start": "2020-01-01", "revision": booking.revision, "next": BOOKINGS}
    redirect = as_owner.post(url_of(booking.id, "reschedule/"), sent | {"start": to_wire(at(9))}, headers=headers)
    assert redirect.status_code == 303
    page = as_owner.get(redirect.headers["Location"].partition("#")[0], headers=headers)
    assert b'id="main"' in page.content


def test_a_start_outside_the_hours_is_refused_and_free_times_are_offered(table: str, as_owner: Client) -> None:
    open_shop("maria", start="12:00", end="18:00")
    booking = book(at(14))
    answer = move(as_owner, booking, at(17, 30))
    assert answer.status_code == 422
    assert "This is outside the staff member's hours, 12:00 to 18:00." in parse(answer).one("main").text
    assert alternatives_form(answer).buttons[0].attrs["value"] == to_wire(at(12, day=1))
    assert reloaded(booking.id).start_time == at(14)


def test_notice_and_horizon_do_not_apply_to_moves(table: str, as_owner: Client) -> None:
    open_shop("maria")
    business = find_business(BUSINESS)
    assert business is not None
    values = {"notice_minutes": 600, "horizon_days": 1, "step_minutes": 30}
    rules.save(BUSINESS, dict(values), revision=business.revision, command=new_command(ACTOR))
    booking = book(at(14))
    new = as_owner.post(
        BOOKINGS, {"service": "masaje", "provider": "maria", "customer": "juan", "start": to_wire(at(20))}
    )
    assert new.status_code == 422 and "too far ahead" in parse(new).one("main").text
    assert move(as_owner, booking, at(16)).status_code == 303
    assert parse(as_owner.get(BOOKINGS + day_query(MONDAY))).by_class("cal")[0].attrs["data-step"] == "30"


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"start": ""}, 422),
        ({"start": "x"}, 422),
        ({"provider": "nobody"}, 422),
        ({"provider": "a#b"}, 422),
        ({"provider": "ana"}, 422),
        ({"start": "2020-01-06T10:00"}, 422),
    ],
)
def test_bad_input_moves_nothing(table: str, as_owner: Client, fields: dict[str, str], status: int) -> None:
    open_shop("maria")
    put(provider("ana", "other"), *working_hours("ana"))
    booking = book(at(14))
    assert move(as_owner, booking, at(16), **fields).status_code == status
    assert reloaded(booking.id).start_time == at(14)


def test_a_cancelled_booking_cannot_be_moved(table: str, as_owner: Client) -> None:
    open_shop("maria")
    booking = book(at(14))
    cancelled = services.cancel(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))
    assert "cannot be moved" in parse(as_owner.get(url_of(booking.id, "reschedule/"))).one("main").text
    assert move(as_owner, cancelled, at(16)).status_code == 422
    assert reloaded(booking.id).status == Status.CANCELLED


def test_an_outside_booking_is_moved_with_the_form_of_the_calendar(table: str, as_owner: Client) -> None:
    open_shop("maria")
    put_outside_booking("book_1", at(14), customerName="Ana")
    column = columns(as_owner.get(BOOKINGS + day_query(MONDAY)))["Maria"]
    assert blocks(column)[0].startswith(at(14).astimezone(ZoneInfo("America/Santiago")).strftime("%H:%M"))
    form = form_to(as_owner.get(BOOKINGS + day_query(MONDAY)), url_of("book_1", "reschedule/"))
    assert as_owner.post(form.action, form.data(start=to_wire(at(15, 30)))).status_code == 303
    assert reloaded("book_1").start_time == at(15, 30)


def test_undo_of_a_move_cannot_go_into_the_past(table: str, people_by_role: Any, as_owner: Client) -> None:
    open_shop("maria")
    booking = book(at(14))
    with frozen(at(14, 20)):
        client = sign_in(people_by_role["owner"])
        assert move(client, booking, at(16)).status_code == 303
        undone = press_undo(client, url_of(booking.id))
        assert undone.status_code == 422 and "This is in the past." in parse(undone).one("main").text
    assert reloaded(booking.id).start_time == at(16)


def test_a_concurrent_move_shows_both_versions_and_can_be_replaced(table: str, as_owner: Client) -> None:
    open_shop("maria", "pedro")
    booking = book(at(14))
    services.reschedule(
        BUSINESS, booking.id, provider="pedro", start=at(11), revision=booking.revision, command=new_command(ACTOR)
    )
    answer = move(as_owner, booking, at(16))
    assert answer.status_code == 409
    rows = [[cell.text for cell in row.all("td")] for row in parse(answer).all("tr")[1:]]
    assert [each for each in rows if to_wire(at(16)) in each or "pedro" in each] == []
    (name, stored_name), (start, stored_start) = rows
    assert name.startswith("Mar") and stored_name.startswith("Ped")
    assert start.endswith(", 16:00 UTC") and stored_start.endswith(", 11:00 UTC")
    form = form_to(answer, url_of(booking.id, "reschedule/"))
    assert as_owner.post(form.action, form.data()).status_code == 303
    assert (reloaded(booking.id).provider, reloaded(booking.id).start_time) == ("maria", at(16))


def test_a_booking_cancelled_meanwhile_shows_no_actions(table: str, as_owner: Client) -> None:
    open_shop("maria")
    booking = book(at(14))
    services.cancel(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))
    answer = move(as_owner, booking, at(16))
    assert answer.status_code == 409
    text = parse(answer).one("main").text
    assert "Alma Ríos changed the booking of Juan Pérez" in text and "This booking is cancelled." in text
    assert not parse(answer).all("table") and not parse(answer).one("main").all("button")


def test_a_move_to_someone_who_does_not_offer_the_service_gives_three_options(table: str, as_owner: Client) -> None:
    open_shop("maria")
    put(provider("ana", "otro"), *working_hours("ana"))
    booking = book(at(14))
    answer = move(as_owner, booking, at(15), "ana", next=f"{BOOKINGS}{day_query(MONDAY)}")
    assert answer.status_code == 422
    links = {each.text.strip(): each.attrs["href"] for each in parse(answer).one("ul", **{"class": "acts"}).all("a")}
    values = {name: parse_qs(urlsplit(url).query) for name, url in links.items()}
    assert values["Book another service"] == {
        "start": [to_wire(at(15))],
        "day": [MONDAY.date().isoformat()],
        "provider": ["ana"],
        "customer": ["juan"],
    }
    assert values["See who offers it"]["provider"] == values["Maria"]["provider"] == ["maria"]
    assert urlsplit(links["Return to the original slot"]).path == BOOKINGS
    for url in links.values():
        assert as_owner.get(url.partition("#")[0]).status_code == 200
    assert reloaded(booking.id).revision == booking.revision


def test_a_move_to_a_time_at_which_the_customer_has_another_booking_is_reported_by_name(
    table: str, as_owner: Client
) -> None:
    open_shop("maria", "pedro")
    other, booking = book(at(14), by="pedro"), book(at(16))
    calendar = f"{BOOKINGS}{day_query(MONDAY)}"
    answer = move(as_owner, booking, at(14, 30), next=calendar)
    assert answer.status_code == 422
    notice = parse(answer).by_class("notice")[0]
    assert "Juan Pérez already has a booking at this time: Masaje" in notice.text and "with Pedro" in notice.text
    assert url_of(other.id) in [each.attrs["href"] for each in notice.all("a")]
    assert reloaded(booking.id).start_time == at(16), "nothing was written"
    # The form still has the time and where the person came from.
    form = form_to(answer, url_of(booking.id, "reschedule/"), next=calendar)
    (accept,) = [each for each in form.buttons if each.attrs.get("name") == "accepts"]
    answer = as_owner.post(form.action, form.data(accept))
    assert answer.status_code == 303 and answer.headers["Location"].startswith(calendar)
    moved = reloaded(booking.id)
    assert moved.start_time == at(14, 30)
    # Another staff member at the same time is no new duplicate, and neither is the booking itself.
    put(provider("zoe"), *working_hours("zoe"))
    assert move(as_owner, moved, at(14, 30), "zoe").status_code == 303
    later = reloaded(booking.id)
    assert move(as_owner, later, at(15), "zoe").status_code == 303
    assert move(as_owner, reloaded(booking.id), at(15, 30), "zoe").status_code == 303

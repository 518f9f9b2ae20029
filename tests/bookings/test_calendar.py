"""The calendar: day, week and list, with bookings, hours and filters."""

from __future__ import annotations

import datetime as dt
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from bookings.queries import calendar as calendar_queries
from bookings.services import bookings as services
from bookings.states import Payment, Status
from dashboard.core.clock import frozen, now
from dashboard.table.commands import new_command
from tests.bookings.bookable_business import (
    ALL_WEEK,
    BUSINESS,
    MONDAY,
    at,
    book,
    customer,
    open_shop,
    provider,
    put,
    put_outside_booking,
    put_raw,
    service,
    working_hours,
)
from tests.bookings.screens import BOOKINGS, blocks, calendar, columns, day_query
from tests.conftest import ACTOR, sign_in
from tests.ui.html import parse
from tests.ui.walk import calls_of

SANTIAGO = ZoneInfo("America/Santiago")


def test_the_day_has_a_column_per_provider_with_its_bookings(table: str, as_owner: Client) -> None:
    open_shop("maria", "pedro", start="12:00", end="22:00")
    book(at(14))
    book(at(16), by="pedro", status=Status.PENDING)
    found = calendar(as_owner, day_query(MONDAY))
    # Times are in the zone of the business, three or four hours behind UTC.
    start = at(14).astimezone(SANTIAGO).strftime("%H:%M")
    end = at(15).astimezone(SANTIAGO).strftime("%H:%M")
    assert found["Maria"] == [f"{start}–{end} Juan Pérez Masaje Confirmed Not paid"]
    assert "To confirm" in found["Pedro"][0]
    page = parse(as_owner.get(BOOKINGS + day_query(MONDAY)))
    assert "Time zone: America/Santiago" in page.by_class("cal-summary")[0].text
    assert "UTC" in columns(page)["Maria"].one("header").text, "a provider in another zone shows it"


def test_a_provider_in_the_same_zone_shows_hours_breaks_and_buffers(table: str, as_owner: Client) -> None:
    hours = working_hours("maria", "09:00", "13:00")
    for each in hours:
        each.breaks = [{"startTime": "11:00", "endTime": "11:15"}]  # type: ignore[attr-defined]
    put(service(before=10, after=20), customer(), provider("maria", zone="America/Santiago"), *hours)
    day = MONDAY.date()
    start = dt.datetime.combine(day, dt.time(9, 30), SANTIAGO)
    book(start)
    column = columns(as_owner.get(BOOKINGS + day_query(MONDAY)))["Maria"]
    assert column.one("p").text == "09:00–13:00"
    # Positions count from 09:00, where the day begins.
    assert [each.attrs["class"] for each in column.by_class("cal-open")] == [
        "cal-open h0 m0 dh2 dm0",
        "cal-open h2 m15 dh1 dm45",
    ]
    assert [each.attrs["class"] for each in column.by_class("cal-pause")] == ["cal-pause h2 m0 dh0 dm15"]
    assert [each.attrs["class"] for each in column.by_class("cal-buffer")] == [
        "cal-buffer h0 m20 dh0 dm10",
        "cal-buffer h1 m30 dh0 dm20",
    ]
    (block,) = column.by_class("cal-block")
    assert block.attrs["class"] == "cal-block h0 m30 dh1 dm0 tall"
    assert column.attrs["data-start"] == dt.datetime.combine(day, dt.time(9), SANTIAGO).astimezone(dt.UTC).isoformat()


def test_a_day_off_and_a_day_without_hours_show_different_texts(table: str, as_owner: Client) -> None:
    off = working_hours("maria", days=["MON"])
    off[0].exceptions = [{"date": MONDAY.date().isoformat(), "off": True}]  # type: ignore[attr-defined]
    put(*(provider(each, zone="America/Santiago") for each in ("maria", "pedro", "rosa")), *off)
    put(*working_hours("pedro", days=["TUE"]))
    found = columns(as_owner.get(BOOKINGS + day_query(MONDAY)))
    texts = {name: each.all("p")[0] for name, each in found.items()}
    assert {name: each.text for name, each in texts.items()} == {
        "Maria": "Day off",
        "Pedro": "No hours",
        # A provider without any hours has a link to add them.
        "Rosa": "Add hours",
    }
    assert texts["Rosa"].one("a").attrs["href"] == f"{BOOKINGS}providers/rosa/hours/"


def test_lapsed_bookings_are_shown_and_cancelled_ones_only_by_filter(
    table: str, people_by_role: Any, as_owner: Client
) -> None:
    open_shop("maria")
    with frozen(MONDAY - timedelta(days=2)):
        book(at(14), status=Status.PENDING, lapses_at=MONDAY - timedelta(days=1))
        cancelled = book(at(16))
        services.cancel(BUSINESS, cancelled.id, revision=cancelled.revision, command=new_command(ACTOR))
    with frozen(MONDAY):
        as_owner = sign_in(people_by_role["owner"])
        found = calendar(as_owner, day_query(MONDAY))["Maria"]
        assert len(found) == 1 and "Not confirmed in time" in found[0]
        assert len(calendar(as_owner, day_query(MONDAY) + "&status=ALL")["Maria"]) == 2
        only = calendar(as_owner, day_query(MONDAY) + "&status=CANCELLED")["Maria"]
        assert len(only) == 1 and "Cancelled" in only[0]


@pytest.mark.parametrize(
    ("query", "shown", "faint"),
    [
        ("", 3, 0),
        ("&provider=maria", 2, 0),
        ("&service=masaje", 2, 1),
        ("&status=PENDING", 1, 2),
        ("&payment=PAID", 1, 2),
        ("&payment=NONE", 2, 1),
        ("&status=nonsense&payment=nonsense&view=nonsense", 3, 0),
    ],
)
def test_filtered_out_bookings_are_drawn_as_taken_time(
    table: str, as_owner: Client, query: str, shown: int, faint: int
) -> None:
    open_shop("maria", "pedro")
    put(service("facial"), provider("ana", "facial"), *working_hours("ana"))
    book(at(14))
    paid = book(at(16), status=Status.PENDING)
    services.pay(BUSINESS, paid.id, payment=Payment.PAID, revision=paid.revision, command=new_command(ACTOR))
    book(at(18), by="ana", what="facial")
    page = parse(as_owner.get(BOOKINGS + day_query(MONDAY) + query))
    assert len(page.by_class("cal-link")) == shown
    assert len(page.by_class("cal-other")) == faint


def test_an_inactive_or_unknown_provider_has_a_column_while_booked(table: str, as_owner: Client) -> None:
    open_shop("maria")
    put(provider("pedro", active=False))
    put_outside_booking("book_1", at(14), by="pro_gone")
    put_outside_booking("book_2", at(14), by="pedro", customerName="Ana")
    found = calendar(as_owner, day_query(MONDAY))
    assert set(found) == {"Maria", "Pedro", "pro_gone"}
    assert "data-new" not in columns(as_owner.get(BOOKINGS + day_query(MONDAY)))["Pedro"].attrs
    assert set(calendar(as_owner, "?day=2026-01-05")) == {"Maria"}


def test_odd_bookings_of_outside_writers_are_drawn(table: str, as_owner: Client) -> None:
    open_shop("maria")
    put_outside_booking("book_1", at(14), status="DONE", paymentStatus="LATER", customerId="cust 1")
    put_outside_booking("book_2", at(14, 30), minutes=90, bufferAfterMinutes=5, price="x", currency=7)
    put_outside_booking("book_3", "soon")
    put_outside_booking("book_4", at(20), endTime="never")
    put_raw(f"TENANT#{BUSINESS}", "PROVIDER#", name="No id")
    put_raw(
        f"TENANT#{BUSINESS}#PROVIDER#maria",
        "AVAILABILITY#XXX",
        timeRanges="x",
        GSITypePK=f"TENANT#{BUSINESS}#AVAILABILITY",
        GSITypeSK="odd",
    )
    found = calendar(as_owner, day_query(MONDAY))["Maria"]
    assert len(found) == 3
    assert "DONE LATER" in found[0]
    sides = [
        each.attrs["class"]
        for each in columns(as_owner.get(BOOKINGS + day_query(MONDAY)))["Maria"].by_class("cal-block")
    ]
    assert sides[0].endswith("lane0 of2") and sides[1].endswith("lane1 of2"), "overlapping bookings are side by side"
    listed = as_owner.get(f"{BOOKINGS}?view=agenda&day=2000-01-01")
    assert "soon" in parse(listed).one("table").text


def test_the_line_of_the_current_time_is_only_on_today(table: str, people_by_role: Any, as_owner: Client) -> None:
    open_shop("maria")
    with frozen(at(15)):
        as_owner = sign_in(people_by_role["owner"])
        today = parse(as_owner.get(BOOKINGS))
        assert len(today.by_class("cal-now")) == 1
        assert today.one("a", id="cal-today").attrs["aria-current"] == "date"
        assert parse(as_owner.get(f"{BOOKINGS}?day=2026-01-05")).by_class("cal-now") == []


def test_the_week_of_one_provider_and_of_all_providers(table: str, as_owner: Client) -> None:
    open_shop("maria", "pedro")
    for number in range(14):
        book(at(5 + number, day=1))
    book(at(14, day=3), by="pedro")
    one = columns(as_owner.get(f"{BOOKINGS}{day_query(MONDAY)}&view=week&provider=maria"))
    assert len(one) == 7 and sum(len(blocks(each)) for each in one.values()) >= 14
    assert {each.attrs["data-provider"] for each in one.values()} == {"maria"}
    shelves = parse(as_owner.get(f"{BOOKINGS}{day_query(MONDAY)}&view=week")).by_class("cal-day-list")
    counts = [int(each.by_class("cal-count")[0].one("strong").text) for each in shelves]
    assert len(counts) == 7 and sum(counts) == 15
    # A full day lists twelve bookings; the rest is a link.
    full = shelves[counts.index(max(counts))]
    assert len(full.all("li")) - 1 == min(12, max(counts))


@pytest.mark.parametrize("view", ["day", "week"])
def test_pending_bookings_are_counted_with_a_link_to_them(table: str, as_owner: Client, view: str) -> None:
    open_shop("maria")
    book(at(10))
    book(at(12), status=Status.PENDING)
    page = parse(as_owner.get(f"{BOOKINGS}{day_query(MONDAY)}&view={view}"))
    (link,) = [each for each in page.by_class("cal-summary")[0].all("a") if each.text == "1 to confirm"]
    those = as_owner.get(link.attrs["href"])
    assert "1 booking ·" in parse(those).by_class("cal-summary")[0].text
    assert "1 to confirm" not in parse(those).by_class("cal-summary")[0].text


def test_the_list_has_pages_and_says_how_many_bookings_are_hidden(table: str, as_owner: Client) -> None:
    open_shop("maria")
    for number in range(52):
        put_outside_booking(
            f"book_{number:02}", at(0) + timedelta(hours=2 * number), status="CANCELLED" if number == 3 else "CONFIRMED"
        )
    url = f"{BOOKINGS}?view=agenda&day={(MONDAY - timedelta(days=1)).date().isoformat()}"
    page = parse(as_owner.get(url))
    assert len(page.all("tr", data_row="")) == 49
    assert "1 cancelled booking hidden" in page.by_class("more-line")[0].text
    assert len(page.by_class("cal-date")) >= 4
    (more,) = [each for each in page.all("a") if "data-more" in each.attrs]
    rest = parse(as_owner.get(more.attrs["href"]))
    assert len(rest.all("tr", data_row="")) == 2
    fragment = as_owner.get(more.attrs["href"], headers={"HX-Request": "true"})
    assert not fragment.content.lstrip().startswith(b"<!doctype")
    assert as_owner.get(f"{url}&cursor=forged").status_code == 400


def test_an_empty_calendar_links_to_the_next_setup_step(table: str, as_owner: Client) -> None:
    page = parse(as_owner.get(BOOKINGS))
    empty = page.by_class("empty")[0]
    assert empty.one("h2").text == "No staff members yet"
    assert empty.one("a").attrs["href"] == f"{BOOKINGS}services/new/"
    put(service())
    empty = parse(as_owner.get(BOOKINGS)).by_class("empty")[0]
    assert empty.one("a").attrs["href"] == f"{BOOKINGS}providers/new/"
    put(provider("maria"), *working_hours("maria"))
    page = parse(as_owner.get(BOOKINGS))
    assert page.by_class("cal-none")[0].text == "No bookings"
    assert parse(as_owner.get(f"{BOOKINGS}?view=agenda")).by_class("empty")[0].one("a").text == "New booking"


def test_a_just_changed_booking_is_marked_and_an_odd_param_breaks_nothing(table: str, as_owner: Client) -> None:
    open_shop("maria")
    booking = book(at(14))
    just = f"maria/{booking.start_key}/{booking.id}"
    page = as_owner.get(BOOKINGS, {"day": MONDAY.date().isoformat(), "just": just})
    (block,) = parse(page).by_class("cal-link")
    assert "data-just-saved" in block.attrs
    for odd in ("x", "a/b", f"maria/nonsense/{booking.id}", "///", f"other#/{booking.start_key}/x"):
        again = as_owner.get(BOOKINGS, {"day": MONDAY.date().isoformat(), "just": odd})
        assert again.status_code == 200 and len(parse(again).by_class("cal-link")) == 1


def test_the_navigation_links_keep_the_filters(table: str, as_owner: Client) -> None:
    put(*[provider(f"p{number:02}", zone="UTC") for number in range(20)], *working_hours("p00", days=ALL_WEEK))
    page = parse(as_owner.get(f"{BOOKINGS}?day=2027-06-07&payment=PAID"))
    hrefs = {
        each.attrs["data-key"]: each.attrs["href"]
        for each in page.all("a")
        if each.attrs.get("data-key") in {"[", "]", "t"}
    }
    assert hrefs == {
        "[": f"{BOOKINGS}?day=2027-06-06&payment=PAID",
        "]": f"{BOOKINGS}?day=2027-06-08&payment=PAID",
        "t": f"{BOOKINGS}?payment=PAID",
    }
    assert len(columns(page)) == 20
    assert as_owner.get(hrefs["t"]).status_code == 200


def test_polling_gets_204_while_nothing_has_changed(table: str, as_owner: Client) -> None:
    open_shop("maria", "pedro")
    soon = now() + timedelta(minutes=10)
    booking = book(at(14), status=Status.PENDING, lapses_at=soon)
    first = parse(
        as_owner.get(BOOKINGS + day_query(MONDAY) + f"&just=maria/{booking.start_key}/{booking.id}")
    ).by_class("calendar")[0]
    again = first.attrs["hx-get"]

    def poll(revision: str) -> Any:
        return as_owner.get(again, headers={"HX-Request": "true", "HX-Target": "list", "X-Seen": revision})

    mark = first.attrs["data-fingerprint"]
    assert poll(mark).status_code == 204
    assert as_owner.get(again, headers={"X-Seen": mark}).status_code == 200, "without htmx the whole page is sent"
    services.reschedule(BUSINESS, booking.id, provider="pedro", start=at(14), revision=1, command=new_command(ACTOR))
    answer = poll(mark)
    moved = parse(answer).by_class("calendar")[0]
    assert answer.status_code == 200 and [len(blocks(each)) for each in columns(moved).values()] == [0, 1]
    mark = moved.attrs["data-fingerprint"]
    assert poll(mark).status_code == 204
    with frozen(soon):
        assert poll(mark).status_code == 200, "its deadline has passed, and nothing in the table has changed"


def test_without_a_day_polling_moves_to_the_next_day_after_midnight(
    table: str, as_owner: Client, people_by_role: Any
) -> None:
    open_shop("maria")
    midnight = dt.datetime.combine(MONDAY.date(), dt.time(), SANTIAGO)
    for query, day in (("", "2026-12-21"), ("?day=2026-12-20", "2026-12-20")):
        with frozen(midnight - timedelta(minutes=1)):
            client = sign_in(people_by_role["owner"])
            again = parse(client.get(BOOKINGS + query)).by_class("calendar")[0].attrs["hx-get"]
        with frozen(midnight):
            assert parse(client.get(again)).one("input", id="cal-day").attrs["value"] == day


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_day_of_twenty_providers_costs_the_same_for_any_number_of_bookings(table: str, as_owner: Client) -> None:
    names = [f"p{number:02}" for number in range(20)]
    open_shop(*names)
    for name in names:
        book(at(14), by=name)
    costs = []
    for rounds in range(3):
        answer = as_owner.get(BOOKINGS + day_query(MONDAY))
        log = calls_of(answer)
        assert len(parse(answer).by_class("cal-link")) == 20
        costs.append((log.trips, len(log.calls), log.units))
        for number in range(150):
            book(at(number % 24, day=3 + rounds * 7 + number // 24), by=names[number % 20])
    assert costs[0][:2] == (2, 5)
    assert costs[1] == costs[2] == costs[0]


def test_a_truncated_day_shows_all_bookings_of_a_chosen_provider(
    table: str, as_owner: Client, monkeypatch: Any
) -> None:
    """If a day has too many bookings, the page asks for one provider."""
    open_shop("maria", "ana")
    for hour in (8, 10, 12):
        book(at(hour), by="ana")
    book(at(14))
    monkeypatch.setattr(calendar_queries, "MAX_BOOKINGS_A_DAY", 1)
    assert "Choose a staff member to see all" in as_owner.get(BOOKINGS + day_query(at(8))).text
    answer = as_owner.get(f"{BOOKINGS}{day_query(at(8))}&provider=maria")
    assert "Choose a staff member to see all" not in answer.text
    assert len(blocks(columns(answer)["Maria"])) == 1

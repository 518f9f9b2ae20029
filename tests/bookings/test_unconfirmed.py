"""The list of past bookings that were never confirmed, and the confirmation of several at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from bookings.services import bookings as services
from bookings.states import Status
from dashboard.core.clock import frozen
from dashboard.table.commands import new_command
from tests.bookings.bookable_business import BUSINESS, at, book, check_bookings, entries_of, open_shop, reloaded
from tests.bookings.catalog import press_undo
from tests.bookings.screens import BOOKINGS
from tests.conftest import ACTOR, every_engine, sign_in
from tests.ui.html import Element, parse, toasts
from tests.ui.walk import calls_of

URL = f"{BOOKINGS}unconfirmed/"


def rows(page: Any) -> list[Element]:
    return parse(page).all("tr", data_row="")


@pytest.fixture
def past(table: str, as_owner: Client, people_by_role: Any) -> Any:
    """Two past bookings to confirm among others; the clock shows two days later."""
    open_shop("maria")
    pending = [book(at(hour), status=Status.PENDING) for hour in (9, 14)]
    book(at(11))
    book(at(16), status=Status.PENDING, lapses_at=at(8))
    book(at(9, day=5), status=Status.PENDING)
    with frozen(at(0, day=2)):
        yield sign_in(people_by_role["owner"]), pending


@every_engine
def test_past_bookings_to_confirm_are_listed_confirmed_together_and_undone(past: Any) -> None:
    client, pending = past
    page = client.get(URL)
    assert calls_of(page).trips <= 2
    assert [each.one("td", **{"data-label": "Time"}).text.split(", ")[-1] for each in rows(page)] == [
        "11:00–12:00",
        "06:00–07:00",
    ]
    selected = [each.one("input", name="selected").attrs["value"] for each in rows(page)]
    # A colleague has changed the first of the list: it is named, and the other one is confirmed.
    services.pay(BUSINESS, pending[1].id, payment="PAID", revision=1, command=new_command(ACTOR))  # type: ignore[arg-type]
    assert client.post(URL, {"selected": selected}).status_code == 303
    assert [reloaded(each.id).status for each in pending] == ["CONFIRMED", "PENDING"]
    page = client.get(URL)
    said = " ".join(toasts(page))
    assert "1 booking confirmed." in said and "Juan Pérez was not changed." in said
    selected = [each.one("input", name="selected").attrs["value"] for each in rows(page)]
    client.post(URL, {"selected": selected})
    assert [reloaded(each.id).status for each in pending] == ["CONFIRMED"] * 2
    assert entries_of(pending[1].id)[0].action == "booking.confirm"
    assert press_undo(client, URL).status_code == 303
    assert [reloaded(each.id).status for each in pending] == ["CONFIRMED", "PENDING"]
    check_bookings()


def test_several_are_undone_together_and_a_form_sent_twice_acts_once(past: Any) -> None:
    client, pending = past
    selected = [each.one("input", name="selected").attrs["value"] for each in rows(client.get(URL))]
    for _again in range(2):
        client.post(URL, {"selected": selected, "operation": "0123456789abcdef0123456789abcdef"})
    assert [reloaded(each.id).revision for each in pending] == [2, 2]
    press_undo(client, URL)
    assert [reloaded(each.id).status for each in pending] == ["PENDING"] * 2
    assert len(rows(client.get(URL))) == 2


@pytest.mark.parametrize("selected", [[], ["x"], ["1:"], ["99:nothing"], ["1:a#b"]])
def test_an_invalid_selection_changes_nothing(past: Any, selected: list[str]) -> None:
    client, pending = past
    assert client.post(URL, {"selected": selected}).status_code == 303
    assert client.post(f"{URL}undo/", {"selected": "\n".join(selected)}).status_code == 303
    assert [reloaded(each.id).status for each in pending] == ["PENDING"] * 2

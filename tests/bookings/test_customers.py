"""The pages of customers: list, search, bookings, edit and delete."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from bookings.queries import customers as queries
from bookings.services import customers
from dashboard.core.clock import now
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from tests.bookings.catalog import (
    BUSINESS,
    CUSTOMERS,
    a_customer,
    a_provider,
    a_service,
    actions,
    press_undo,
    put_booking,
    put_customer,
    raw_at,
    seed_items,
)
from tests.conftest import ACTOR, every_engine
from tests.ui.html import Element, form_to, parse
from tests.ui.walk import calls_of

NEW = f"{CUSTOMERS}new/"


def rows(client: Client, query: str = "") -> list[Element]:
    return parse(client.get(CUSTOMERS + query)).all("tr", data_row="")


def names(client: Client, query: str = "") -> list[str]:
    return [row.one("a").text for row in rows(client, query)]


@every_engine
def test_a_customer_is_created_edited_deleted_and_restored(table: str, as_owner: Client) -> None:
    form = form_to(as_owner.get(NEW), NEW)
    sent = form.data(name="Juan Pérez", email="Juan@Example.com", phone="+56 9 1234 5678")
    as_owner.post(NEW, sent)
    (customer,) = queries.customers_of(BUSINESS).items
    assert (customer.name, customer.email, customer.phone) == ("Juan Pérez", "juan@example.com", "+56 9 1234 5678")
    raw = raw_at(f"TENANT#{BUSINESS}", f"CUSTOMER#{customer.id}")
    assert (raw["customerId"], raw["tenantId"]) == ({"S": customer.id}, {"S": BUSINESS})
    url = f"{CUSTOMERS}{customer.id}/"
    as_owner.get(url)
    as_owner.post(url, form_to(as_owner.get(url), url).data(phone=""))
    assert queries.load_customer(BUSINESS, customer.id).phone is None
    press_undo(as_owner, url)
    assert queries.load_customer(BUSINESS, customer.id).phone == "+56 9 1234 5678"
    deletion = form_to(as_owner.get(url), f"{url}delete/")
    as_owner.post(deletion.action, deletion.data())
    assert queries.find_customer(BUSINESS, customer.id) is None
    assert press_undo(as_owner, CUSTOMERS).status_code == 303
    assert queries.load_customer(BUSINESS, customer.id).name == "Juan Pérez"
    expected_actions = ["customer.create", "customer.edit", "customer.edit", "customer.remove", "customer.restore"]
    assert sorted(filter(None, actions("customer", customer.id))) == expected_actions


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", ""), ("email", "no address"), ("phone", "call me"), ("phone", "12"), ("name", "x" * 101)],
)
def test_an_invalid_field_shows_an_error_and_keeps_the_input(
    table: str, as_owner: Client, field: str, value: str
) -> None:
    answer = as_owner.post(NEW, {"name": "Juan", field: value})
    assert answer.status_code == 422
    page = parse(answer)
    assert page.all("p", id=f"id_{field}_error")
    assert page.one("input", name=field).attrs.get("value", "") == value
    assert queries.customers_of(BUSINESS).items == []


def test_concurrent_edits_of_a_customer_are_a_conflict(table: str, as_owner: Client) -> None:
    customer = a_customer()
    url = f"{CUSTOMERS}{customer.id}/"
    form = form_to(as_owner.get(url), url)
    customers.edit(BUSINESS, customer.id, {"name": "Juana"}, revision=1, command=new_command(ACTOR))
    answer = as_owner.post(url, form.data(phone="123 456"))
    assert answer.status_code == 409 and "Alma Ríos changed this" in parse(answer).text


# --- The list ---
def test_the_list_is_newest_first_and_searched_by_name_email_and_phone(table: str, as_owner: Client) -> None:
    assert "No customers yet" in parse(as_owner.get(CUSTOMERS)).text
    a_customer("Ana Núñez", "ana@example.com", "+56 9 1111 2222")
    a_customer("Beto", "beto@example.org", "")
    assert names(as_owner) == ["Beto", "Ana Núñez"]
    assert names(as_owner, "?q=nunez") == ["Ana Núñez"]
    assert names(as_owner, "?q=example.org") == ["Beto"]
    assert names(as_owner, "?q=911112222") == ["Ana Núñez"], "a phone number without spaces"
    assert names(as_owner, "?q=nobody") == []
    assert "No customer matches the search." in parse(as_owner.get(f"{CUSTOMERS}?q=nobody")).text


def test_a_search_says_how_many_customers_were_searched(table: str, as_owner: Client) -> None:
    for number in range(queries.SEARCHED + 20):
        put_customer(f"cust_{number:05}", name=f"Persona {number:05}")
    first = as_owner.get(f"{CUSTOMERS}?q=00003")
    page = parse(first)
    assert page.all("tr", data_row="") == []
    assert f"{queries.SEARCHED} searched · Nothing found yet" in page.text
    assert calls_of(first).trips == 2
    following = parse(as_owner.get(page.one("a", data_more="").attrs["href"]))
    assert [row.one("a").text for row in following.all("tr", data_row="")] == ["Persona 00003"]
    assert "20 searched · end of list" in following.text
    listed = as_owner.get(CUSTOMERS)
    assert (len(calls_of(listed).calls), len(parse(listed).all("tr", data_row=""))) == (2, queries.PAGE)


# --- Bookings of a customer ---
def test_bookings_of_a_customer_are_newest_first_in_the_providers_time_zone(table: str, as_owner: Client) -> None:
    service, provider = a_service("Masaje"), a_provider("María", zone="Asia/Tokyo")
    customer = a_customer()
    early, late = now().replace(hour=1, minute=0, second=0), now().replace(hour=5, minute=0, second=0)
    for number, start in enumerate((early, late)):
        put_booking(provider.id, start, f"b{number}", serviceId=service.id, customerId=customer.id)
    put_booking(provider.id, late + timedelta(hours=3), "b9", serviceId=service.id, customerId="someone else")
    answer = as_owner.get(f"{CUSTOMERS}{customer.id}/")
    found = [row.text for row in parse(answer).all("tr", data_row="")]
    assert len(found) == 2
    assert "14:00–15:00 JST" in found[0] and "10:00–11:00 JST" in found[1]
    assert "Masaje" in found[0] and "María" in found[0] and "Confirmed" in found[0]
    (new,) = [each for each in parse(answer).all("a") if "New booking" in each.text]
    assert new.attrs["href"].endswith(f"bookings/new/?customer={customer.id}")
    assert calls_of(answer).trips == 2
    refusal = as_owner.post(f"{CUSTOMERS}{customer.id}/delete/", {"revision": 1})
    assert refusal.status_code == 422 and "This customer has bookings" in parse(refusal).text
    assert "delete/" not in answer.content.decode()


def test_a_lapsed_booking_is_shown_as_not_confirmed_in_time(table: str, as_owner: Client) -> None:
    provider, customer = a_provider(), a_customer()
    pending: dict[str, Any] = {
        "status": "PENDING",
        "lapsesAt": to_wire(now() - timedelta(minutes=1)),
        "customerId": customer.id,
    }
    put_booking(provider.id, now() + timedelta(days=1), **pending)
    (row,) = parse(as_owner.get(f"{CUSTOMERS}{customer.id}/")).all("tr", data_row="")
    assert "Not confirmed in time" in row.text


def test_the_seeds_customer_is_shown_with_their_booking(table: str, as_owner: Client) -> None:
    seed_items()
    put_customer("cust_001", name="Juan Pérez")
    text = parse(as_owner.get(f"{CUSTOMERS}cust_001/")).text
    assert "1 Dec 2025, 14:30" in text and "Masaje descontracturante" in text and "María González" in text


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"name": 7, "email": ["a"], "phone": {"b": 1}},
        {"name": "x" * 5000, "email": "not an address", "phone": "call me"},
        {"revision": "seven", "createdAt": "never"},
    ],
)
def test_odd_values_of_outside_writers_break_no_page(table: str, as_owner: Client, odd: dict[str, Any]) -> None:
    put_customer("cust_1", **odd)
    put_customer("odd#key", name="no page")
    assert len(rows(as_owner)) == 1
    assert len(rows(as_owner, "?q=cust")) <= 1
    url = f"{CUSTOMERS}cust_1/"
    assert as_owner.get(url).status_code == 200
    assert as_owner.post(url, form_to(as_owner.get(url), url).data(name="Ana")).status_code == 303
    assert as_owner.get(f"{CUSTOMERS}nobody/").status_code == 404


def test_a_customer_with_the_phone_of_another_is_reported_by_name(table: str, as_owner: Client) -> None:
    rosa = a_customer("Rosa Díaz", "rosa@example.com")
    sent = {"name": "Rosita", "phone": "9 1234 5678"}
    answer = as_owner.post(f"{CUSTOMERS}new/", sent)
    assert answer.status_code == 422 and "Rosa Díaz already has the phone" in parse(answer).by_class("notice")[0].text
    form = form_to(answer, f"{CUSTOMERS}new/")
    (accept,) = [each for each in form.buttons if each.attrs.get("name") == "accepts"]
    assert as_owner.post(form.action, form.data(accept)).status_code == 303
    # The same for a changed phone or e-mail, and not for other changes.
    other = a_customer("Eva", "eva@example.com", "")
    url = f"{CUSTOMERS}{other.id}/"
    answer = as_owner.post(url, {"name": "Eva", "email": "rosa@example.com", "phone": "", "revision": 1})
    assert answer.status_code == 422 and "Rosa Díaz already has the e-mail" in parse(answer).by_class("notice")[0].text
    assert as_owner.post(url, {"name": "Eva Luz", "revision": 1}).status_code == 303
    assert as_owner.post(f"{CUSTOMERS}{rosa.id}/", {"name": "Rosa D", "revision": 1}).status_code == 303

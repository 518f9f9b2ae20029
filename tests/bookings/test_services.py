"""The pages of services: list, create, edit, deactivate and delete."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from bookings.queries import services as queries
from bookings.services import catalog
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound
from dashboard.table.commands import new_command
from tests.bookings.catalog import (
    BUSINESS,
    SERVICES,
    a_service,
    actions,
    press_undo,
    put_booking,
    put_service,
    raw_at,
    seed_items,
)
from tests.conftest import ACTOR
from tests.ui.html import Element, form_to, parse, toasts, undo_form
from tests.ui.walk import calls_of

NEW = f"{SERVICES}new/"


def rows(client: Client, query: str = "") -> list[Element]:
    return parse(client.get(SERVICES + query)).all("tr", data_row="")


def names(client: Client, query: str = "") -> list[str]:
    return [row.one("a").text for row in rows(client, query)]


def test_a_service_is_created_and_undone(table: str, as_owner: Client) -> None:
    form = form_to(as_owner.get(NEW), NEW)
    sent = form.data(name="Masaje", category="masajes", duration_minutes="60", price="25000", currency="CLP")
    assert as_owner.post(NEW, sent).headers["Location"] == SERVICES
    (service,) = queries.services_of(BUSINESS).items
    raw = raw_at(f"TENANT#{BUSINESS}", f"SERVICE#{service.id}")
    expected = {
        "tenantId": BUSINESS,
        "serviceId": service.id,
        "name": "Masaje",
        "category": "masajes",
        "currency": "CLP",
    }
    assert {name: raw[name] for name in expected} == {name: {"S": value} for name, value in expected.items()}
    assert (raw["durationMinutes"], raw["price"], raw["active"]) == ({"N": "60"}, {"N": "25000"}, {"BOOL": True})
    assert raw["GSI1PK"] == {"S": f"TENANT#{BUSINESS}#CATEGORY#masajes"}
    assert actions("service", service.id) == ["service.create"]
    as_owner.get(SERVICES)
    as_owner.post(NEW, sent)
    assert len(queries.services_of(BUSINESS).items) == 1, "a form sent twice creates one service"
    assert press_undo(as_owner, SERVICES).status_code == 303
    assert queries.services_of(BUSINESS).items == []
    assert press_undo(as_owner, SERVICES).status_code == 303, "undo of the undo"
    assert queries.load_service(BUSINESS, service.id).title == "Masaje"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "", "required"),
        ("duration_minutes", "4", "greater than or equal to 5"),
        ("duration_minutes", "1441", "less than or equal to 1440"),
        ("duration_minutes", "an hour", "whole number"),
        ("buffer_after", "481", "less than or equal to 480"),
        ("price", "25.00", "CLP has no decimal places"),
        ("price", "-3", "Enter an amount in digits"),
        ("price", "1e9", "Enter an amount in digits"),
        ("price", "٣", "Enter an amount in digits"),
        ("currency", "XYZ", "not one of the available choices"),
        ("category", "a#b", "A category can't contain #"),
    ],
)
def test_an_invalid_field_shows_an_error_and_keeps_the_input(
    table: str, as_owner: Client, field: str, value: str, message: str
) -> None:
    sent = {"name": "Masaje", "duration_minutes": "60", "price": "25000", "currency": "CLP", field: value}
    answer = as_owner.post(NEW, sent)
    page = parse(answer)
    assert answer.status_code == 422
    assert message in page.one("p", id=f"id_{field}_error").text
    element = page.one("select" if field == "currency" else "input", name=field)
    assert field == "currency" or element.attrs.get("value", "") == value
    assert queries.services_of(BUSINESS).items == []


def test_a_service_is_edited_and_undone(table: str, as_owner: Client) -> None:
    service = a_service(description="Una hora")
    url = f"{SERVICES}{service.id}/"
    form = form_to(as_owner.get(url), url)
    as_owner.post(url, form.data(name="Masaje largo", duration_minutes="90", price="31000", description=""))
    after = queries.load_service(BUSINESS, service.id)
    assert (after.name, after.duration_minutes, after.price) == ("Masaje largo", 90, Decimal(31000))
    assert "description" not in raw_at(f"TENANT#{BUSINESS}", f"SERVICE#{service.id}")
    assert actions("service", service.id)[-1] == "service.edit"
    assert press_undo(as_owner, url).status_code == 303
    restored = queries.load_service(BUSINESS, service.id)
    assert (restored.name, restored.duration_minutes, restored.price, restored.description) == (
        "Masaje",
        60,
        Decimal(25000),
        "Una hora",
    )


def test_saving_without_changes_writes_nothing(table: str, as_owner: Client) -> None:
    service = a_service()
    url = f"{SERVICES}{service.id}/"
    as_owner.post(url, form_to(as_owner.get(url), url).data())
    assert toasts(as_owner.get(url)) == ["Nothing was changed."]
    assert queries.load_service(BUSINESS, service.id).revision == 1


def test_after_a_conflict_both_edits_of_a_service_can_be_saved(table: str, as_owner: Client) -> None:
    service = a_service()
    url = f"{SERVICES}{service.id}/"
    form = form_to(as_owner.get(url), url)
    catalog.edit(BUSINESS, service.id, {"name": "Suyo"}, revision=1, command=new_command(ACTOR))
    answer = as_owner.post(url, form.data(price="30000"))
    assert answer.status_code == 409
    assert "Alma Ríos changed this while you had it open" in parse(answer).text
    mine = form_to(answer, url)
    assert as_owner.post(url, mine.data()).status_code == 303
    after = queries.load_service(BUSINESS, service.id)
    assert (after.name, after.price) == ("Suyo", Decimal(30000)), "only the changed field is replaced"


def test_a_service_is_deactivated_and_activated(table: str, as_owner: Client) -> None:
    service = a_service()
    url = f"{SERVICES}{service.id}/"
    form = form_to(as_owner.get(url), f"{url}deactivate/")
    as_owner.post(form.action, form.data())
    assert raw_at(f"TENANT#{BUSINESS}", f"SERVICE#{service.id}")["active"] == {"BOOL": False}
    assert "Inactive" in rows(as_owner)[0].text
    assert as_owner.post(form.action, form.data()).status_code == 303, "the form sent twice acts once"
    as_owner.get(url)
    again = form_to(as_owner.get(url), f"{url}activate/")
    as_owner.post(again.action, again.data())
    assert queries.load_service(BUSINESS, service.id).is_active
    assert sorted(filter(None, actions("service", service.id))) == [
        "service.activate",
        "service.create",
        "service.deactivate",
    ]
    with pytest.raises(Conflict):
        catalog.activate(BUSINESS, service.id, revision=3, command=new_command(ACTOR))


def test_a_service_with_bookings_cannot_be_deleted(table: str, as_owner: Client) -> None:
    service = a_service()
    url = f"{SERVICES}{service.id}/"
    form = form_to(as_owner.get(url), f"{url}delete/")
    put_booking("pro_55", now(), serviceId=service.id, status="CANCELLED")
    answer = as_owner.post(form.action, form.data())
    assert answer.status_code == 422
    assert "Deactivate it instead" in parse(answer).text
    page = parse(as_owner.get(url))
    assert "A service with bookings cannot be deleted, only deactivated." in page.text
    assert f"{url}deactivate/" in [each.attrs.get("action") for each in page.all("form")]
    assert queries.load_service(BUSINESS, service.id).is_active


def test_a_restored_service_has_the_extra_attributes_of_outside_writers(table: str, as_owner: Client) -> None:
    put_service("svc_9", name="Ajeno", price=19.999, widget={"color": "red"}, tags={"a", "b"}, active=True)
    before = raw_at(f"TENANT#{BUSINESS}", "SERVICE#svc_9")
    url = f"{SERVICES}svc_9/"
    form = form_to(as_owner.get(url), f"{url}delete/")
    as_owner.post(form.action, form.data())
    assert raw_at(f"TENANT#{BUSINESS}", "SERVICE#svc_9") == {}
    assert press_undo(as_owner, SERVICES).status_code == 303
    after = raw_at(f"TENANT#{BUSINESS}", "SERVICE#svc_9")
    after["tags"]["SS"].sort()
    before["tags"]["SS"].sort()
    assert {name: after[name] for name in before} == before
    assert actions("service", "svc_9")[-1] in {"service.restore", "service.remove"}


def test_only_the_person_who_deleted_a_service_can_restore_it(table: str, as_owner: Client, as_admin: Client) -> None:
    service = a_service()
    url = f"{SERVICES}{service.id}/"
    deletion = form_to(as_owner.get(url), f"{url}delete/")
    as_owner.post(deletion.action, deletion.data())
    undo = undo_form(as_owner.get(SERVICES))
    assert as_admin.post(undo.action, undo.data()).status_code == 404
    for of in ("", "x", "a#b", "x" * 300):
        assert as_owner.post(f"{url}restore/", {"of": of}).status_code == 404
    other = a_service("Otro")
    assert as_owner.post(f"{SERVICES}{other.id}/restore/", undo.data()).status_code == 422
    with pytest.raises(NotFound):
        queries.load_service(BUSINESS, service.id)


# --- The list ---
def test_the_list_is_sorted_by_name_with_active_services_first(table: str, as_owner: Client) -> None:
    for name in ("ñandú", "Águila", "zorro", "burro"):
        a_service(name)
    last = a_service("aaa")
    catalog.deactivate(BUSINESS, last.id, revision=1, command=new_command(ACTOR))
    assert names(as_owner) == ["Águila", "burro", "ñandú", "zorro", "aaa"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=MASAJE", ["Masaje", "Masaje largo"]),
        ("?q=largo mas", ["Masaje largo"]),
        ("?category=cosmética", ["Manicura"]),
        ("?category=masajes&q=largo", ["Masaje largo"]),
        ("?q=pies", ["Manicura"]),
        ("?q=nothing-is-called-so", []),
        ("?category=no#such", []),
    ],
)
def test_the_list_is_filtered_by_text_and_category(table: str, as_owner: Client, query: str, found: list[str]) -> None:
    a_service("Masaje")
    a_service("Masaje largo")
    a_service("Manicura", category="cosmética", description="Manos y pies")
    assert names(as_owner, query.replace("#", "%23")) == found


def test_the_category_filter_finds_services_beyond_the_first_page(table: str, as_owner: Client) -> None:
    for number in range(queries.PAGE + 3):
        put_service(f"svc_{number:04}", name=f"Servicio {number:04}", category="a")
    a_service("Lejos", category="b")
    put_service("zzz", name="Al final", category="b", GSI1PK=f"TENANT#{BUSINESS}#CATEGORY#b", GSI1SK="Al final")
    assert names(as_owner, "?category=b") == ["Al final", "Lejos"]


def test_a_long_list_has_pages_and_costs_the_same(table: str, as_owner: Client) -> None:
    for number in range(queries.PAGE):
        put_service(f"svc_{number:05}", name=f"Servicio {number:05}", durationMinutes=30)
    few = calls_of(as_owner.get(SERVICES))
    for number in range(queries.PAGE, 2 * queries.PAGE + 50):
        put_service(f"svc_{number:05}", name=f"Servicio {number:05}", durationMinutes=30)
    answer = as_owner.get(SERVICES)
    many = calls_of(answer)
    assert (len(many.calls), many.trips) == (len(few.calls), few.trips) == (2, 2)
    page = parse(answer)
    assert len(page.all("tr", data_row="")) == queries.PAGE
    following = parse(as_owner.get(page.one("a", data_more="").attrs["href"]))
    assert len(following.all("tr", data_row="")) == queries.PAGE


def test_an_empty_list_explains_services(table: str, as_owner: Client) -> None:
    page = parse(as_owner.get(SERVICES))
    assert "No services yet" in page.text and "A service is what customers book" in page.text


# --- Outside writers ---
def test_the_seeds_service_is_shown_and_keeps_its_price(table: str, as_owner: Client) -> None:
    seed_items()
    assert "Masaje descontracturante" in rows(as_owner)[0].text and "25,000" in rows(as_owner)[0].text
    url = f"{SERVICES}svc_123/"
    as_owner.post(url, form_to(as_owner.get(url), url).data(name="Masaje"))
    raw = raw_at(f"TENANT#{BUSINESS}", "SERVICE#svc_123")
    assert (raw["name"], raw["price"], raw["durationMinutes"]) == ({"S": "Masaje"}, {"N": "25000"}, {"N": "60"})
    assert "currency" not in raw


def test_the_exact_price_of_an_outside_writer_is_kept(table: str, as_owner: Client) -> None:
    exact = "0.10000000000000000000000000001"
    put_service("svc_1", name="Uno", durationMinutes=3, price=Decimal(exact), currency="USD")
    url = f"{SERVICES}svc_1/"
    answer = as_owner.post(url, form_to(as_owner.get(url), url).data(name="Otro"))
    assert answer.status_code == 303, "also with a duration that the form does not accept"
    raw = raw_at(f"TENANT#{BUSINESS}", "SERVICE#svc_1")
    assert raw["name"] == {"S": "Otro"}
    assert (raw["price"], raw["durationMinutes"]) == ({"N": exact}, {"N": "3"})


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"name": ["a"], "description": 7, "durationMinutes": "an hour", "price": "gratis", "active": "yes"},
        {"durationMinutes": 10**30, "bufferBeforeMinutes": -5, "price": Decimal("-1.5"), "currency": "doubloons"},
        {"durationMinutes": Decimal("12.5"), "price": Decimal("1e37"), "category": "a#b", "active": False},
        {"name": "x" * 3000, "category": "y" * 3000, "description": "z" * 9000},
        {"category": {"a": 1}, "currency": 4, "revision": "seven", "updatedAt": "never"},
    ],
)
def test_odd_values_of_outside_writers_break_no_page(table: str, as_owner: Client, odd: dict[str, Any]) -> None:
    put_service("svc_1", **odd)
    put_service("odd#key", name="no page")
    assert len(rows(as_owner)) == 1
    url = f"{SERVICES}svc_1/"
    assert as_owner.get(url).status_code == 200
    assert as_owner.post(url, form_to(as_owner.get(url), url).data()).status_code in {303, 409, 422}
    assert as_owner.get(NEW).status_code == 200


def test_an_odd_id_has_a_page(table: str, as_owner: Client) -> None:
    for service_id in ("Único id", "50%", "a+b", "x" * 200):
        put_service(service_id, name="Masaje")
        assert as_owner.get(rows(as_owner)[0].one("a").attrs["href"]).status_code == 200
    put_service("a/b", name="Sin página")
    assert len(rows(as_owner)) == 5


def test_a_service_of_another_business_is_not_found(table: str, as_owner: Client) -> None:
    service = a_service()
    assert as_owner.get(f"/b/harbour/bookings/services/{service.id}/").status_code == 404
    assert as_owner.get(f"{SERVICES}nothing/").status_code == 404

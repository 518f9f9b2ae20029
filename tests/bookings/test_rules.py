"""The booking rules of a business, in its settings beside the values of outside writers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from pynamodb.expressions.operand import Path

from bookings.queries.services import services_of
from bookings.rules import rules_of
from bookings.slots import Rules
from dashboard.platform.audit.queries import latest_of
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.queries import load_business
from dashboard.platform.businesses.services import businesses
from dashboard.table import keys, write
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import new_command
from tests.bookings.catalog import BOOKINGS, BUSINESS, PROVIDERS, SERVICES, press_undo, put_service, raw_at
from tests.conftest import ACTOR
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of

URL = f"{BOOKINGS}rules/"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def settings() -> dict[str, Any]:
    return raw_at("SYSTEM", f"TENANT#{BUSINESS}")["settings"]["M"]  # type: ignore[no-any-return]


def test_rules_are_saved_in_the_settings_and_undone(table: str, as_owner: Client) -> None:
    assert rules_of(load_business(BUSINESS), NOON) == Rules(NOON, step=timedelta(minutes=15))
    page = as_owner.get(URL)
    assert calls_of(page).trips <= 2
    as_owner.post(URL, form_to(page, URL).data(notice_minutes="120", horizon_days="60", step_minutes="30"))
    expected = {"noticeMinutes": {"N": "120"}, "horizonDays": {"N": "60"}, "stepMinutes": {"N": "30"}}
    assert settings()["booking"] == {"M": expected}
    assert settings()["defaultTimezone"] == {"S": "America/Santiago"}
    assert rules_of(load_business(BUSINESS), NOON) == Rules(
        NOON, timedelta(hours=2), timedelta(days=60), timedelta(minutes=30)
    )
    entry = latest_of(BUSINESS)[0]
    assert (entry.action, (entry.after or {})["notice_minutes"]) == ("booking_rules.save", 120)
    assert press_undo(as_owner, URL).status_code == 303
    assert rules_of(load_business(BUSINESS), NOON) == Rules(NOON, step=timedelta(minutes=15))


def test_other_settings_of_outside_writers_are_kept(table: str, as_owner: Client) -> None:
    key = keys.TENANT.key(tenant=BUSINESS)
    stored = {"deposit": 5, "noticeMinutes": "soon"}
    write.update(key, [Path(["settings", "booking"]).set(to_attribute(stored))])
    as_owner.post(URL, form_to(as_owner.get(URL), URL).data(notice_minutes="0"))
    found = settings()["booking"]["M"]
    assert (found["deposit"], found["noticeMinutes"]) == ({"N": "5"}, {"N": "0"})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("notice_minutes", "-1"),
        ("notice_minutes", "43201"),
        ("horizon_days", "0"),
        ("horizon_days", "731"),
        ("step_minutes", "7"),
        ("notice_minutes", "soon"),
    ],
)
def test_an_invalid_field_shows_an_error_and_saves_nothing(
    table: str, as_owner: Client, field: str, value: str
) -> None:
    answer = as_owner.post(URL, {"step_minutes": "15", field: value})
    assert answer.status_code == 422
    assert parse(answer).all("p", id=f"id_{field}_error")
    assert "booking" not in settings()


def test_a_concurrent_change_of_the_business_is_a_conflict(table: str, as_owner: Client) -> None:
    form = form_to(as_owner.get(URL), URL)
    businesses.configure(BUSINESS, {"name": "Otra"}, revision=1, command=new_command(ACTOR))
    answer = as_owner.post(URL, form.data(notice_minutes="30"))
    assert answer.status_code == 409 and "Alma Ríos changed this" in parse(answer).text


@pytest.mark.parametrize("odd", ["always", {"noticeMinutes": 10**12, "horizonDays": -4, "stepMinutes": 0.5}, [1], {}])
def test_odd_rules_of_outside_writers_count_as_missing(table: str, as_owner: Client, odd: Any) -> None:
    write.update(keys.TENANT.key(tenant=BUSINESS), [Path(["settings", "booking"]).set(to_attribute(odd))])
    assert rules_of(load_business(BUSINESS), NOON) == Rules(NOON, step=timedelta(minutes=15))
    form = form_to(as_owner.get(URL), URL)
    assert as_owner.post(URL, form.data(notice_minutes="45")).status_code == 303
    assert isinstance(load_business(BUSINESS), Business) and load_business(BUSINESS).notice_minutes == 45


def test_new_services_and_staff_members_have_the_currency_and_time_zone_of_the_business(
    table: str, as_owner: Client
) -> None:
    as_owner.post(URL, form_to(as_owner.get(URL), URL).data(currency="CLP"))
    assert settings()["booking"]["M"]["currency"] == {"S": "CLP"}
    form = form_to(as_owner.get(f"{SERVICES}new/"), f"{SERVICES}new/")
    assert dict(form.fields)["currency"] == "CLP"
    as_owner.post(form.action, form.data(name="Corte", duration_minutes="30", price="15.000"))
    # Without a currency, it has the currency of the business.
    as_owner.post(form.action, {"name": "Tinte", "duration_minutes": "30", "price": "1.500.000"})
    found = {each.name: (int(each.price), each.currency) for each in services_of(BUSINESS).items}
    assert found == {"Corte": (15000, "CLP"), "Tinte": (1500000, "CLP")}
    # So has the price of a service of an outside writer that names no currency.
    put_service("svc_1", name="Peinado", durationMinutes=30, price=9000)
    url = f"{SERVICES}svc_1/"
    assert as_owner.post(url, form_to(as_owner.get(url), url).data(price="12.000")).status_code == 303
    assert raw_at(f"TENANT#{BUSINESS}", "SERVICE#svc_1")["price"] == {"N": "12000"}
    form = form_to(as_owner.get(f"{PROVIDERS}new/"), f"{PROVIDERS}new/")
    assert dict(form.fields)["timezone"] == "America/Santiago"

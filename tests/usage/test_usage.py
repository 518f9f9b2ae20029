"""Usage is counted once, by day, key and access pattern, and shown to those who pay for it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.businesses.items import Plan
from dashboard.platform.usage import meter, queries
from dashboard.platform.usage.items import ALL, PEOPLE, REQUESTS, UNKNOWN_KEY, Counters, usage_key
from dashboard.platform.usage.meter import Meter
from dashboard.platform.usage.presenters import PlanState
from dashboard.platform.usage.prices import PLAN_LIMITS
from dashboard.table import read
from tests.apikeys.factories import call_api, create_key, revoke
from tests.conftest import add_business, every_engine, real_engines, sign_in
from tests.faults import bad_network, lose_reply
from tests.table.test_races import run_at_once
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of

MONTH = datetime(2026, 3, 1, tzinfo=UTC).date()
BUSINESS = "andina"


@pytest.fixture
def own_meter(people_by_role: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Meter]:
    """The meter of a new process, in March 2026."""
    with frozen(datetime(2026, 3, 2, 10, 0, tzinfo=UTC)):
        add_business(BUSINESS, "Coca-Cola Andina", "olivia@example.com")
        created = Meter()
        monkeypatch.setattr(meter, "METER", created)
        yield created


def usage_of(key: str, business: str = BUSINESS) -> dict[str, Counters]:
    found = {each.api_key: each.patterns for each in queries.usage_of(business, MONTH)}
    return found.get(key, {})


@every_engine
def test_a_call_of_the_api_is_counted_with_its_access_patterns(own_meter: Meter) -> None:
    key, secret = create_key(BUSINESS, "Server")
    for _ in range(3):
        assert call_api(secret).status_code == 200
    own_meter.flush()
    patterns = usage_of(key.id)
    whole = patterns[REQUESTS]
    assert (whole.calls, whole.errors) == (3, 0)
    assert whole.bytes > 100 and whole.ms > 0 and whole.cost > 0
    found = patterns["dashboard.platform.apikeys.queries.find_key_and_business"]
    assert found.calls == 3
    assert usage_of(ALL, "")[REQUESTS].calls == 3
    month = queries.find_month(BUSINESS, MONTH)
    assert month is not None and month.api_requests.calls == month.requests.calls == 3


def test_pages_of_people_are_counted_but_not_towards_the_limit(own_meter: Meter, people_by_role: Any) -> None:
    browser = sign_in(people_by_role["admin"])
    browser.get(f"/b/{BUSINESS}/keys/")
    browser.get("/people/")
    own_meter.flush()
    assert usage_of(PEOPLE)[REQUESTS].calls >= 1
    assert usage_of(PEOPLE, "")[REQUESTS].calls >= 1, "pages of the platform belong to no business"
    month = queries.find_month(BUSINESS, MONTH)
    assert month is not None and month.api_requests.calls == 0 and month.requests.calls >= 1


@real_engines
def test_a_lost_reply_adds_nothing_twice(own_meter: Meter) -> None:
    own_meter.add(BUSINESS, "k1", [(REQUESTS, Counters(calls=5))])
    with bad_network() as network:
        network.next("UpdateItem", lose_reply, lose_reply, lose_reply)
        own_meter.flush()
    own_meter.add(BUSINESS, "k1", [(REQUESTS, Counters(calls=2))])
    own_meter.flush()
    own_meter.flush()
    assert usage_of("k1")[REQUESTS].calls == 7
    assert usage_of(ALL, "")[REQUESTS].calls == 7


@real_engines
def test_eight_processes_at_once_lose_nothing(own_meter: Meter) -> None:
    moment = now()
    meters = [Meter() for _ in range(8)]

    def work(number: int) -> None:
        with frozen(moment):
            for _ in range(5):
                meters[number].add(BUSINESS, "k1", [(REQUESTS, Counters(calls=1, reads=0.5))])
                meters[number].flush()

    run_at_once(work, threads=8)
    whole = usage_of("k1")[REQUESTS]
    assert (whole.calls, whole.reads) == (40, 20)


def test_what_could_not_be_added_is_added_later(own_meter: Meter, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise OSError

    own_meter.add(BUSINESS, "k1", [(REQUESTS, Counters(calls=1))])
    with monkeypatch.context() as patch:
        patch.setattr("dashboard.table.write.update", fail)
        assert own_meter.flush() == 0
    own_meter.add(BUSINESS, "k1", [(REQUESTS, Counters(calls=1))])
    own_meter.flush()
    assert usage_of("k1")[REQUESTS].calls == 2


@every_engine
def test_many_access_patterns_need_several_additions_and_have_a_maximum(own_meter: Meter) -> None:
    many = [(f"module.queries.question_{number}", Counters(calls=1, reads=1, ms=1.5)) for number in range(400)]
    own_meter.add(BUSINESS, "k1", many)
    own_meter.flush()
    patterns = usage_of("k1")
    assert len(patterns) <= 151
    assert sum(each.calls for each in patterns.values()) == 400
    assert read.raw_item(usage_key(BUSINESS, now(), "k1")) is not None


def test_refusals_are_counted_for_the_key_that_they_belong_to(own_meter: Meter) -> None:
    site, public = create_key(BUSINESS, "Site", ["https://www.andina.cl"])
    busy, secret = create_key(BUSINESS, "Busy", limit=1)
    old, gone = create_key(BUSINESS, "Old")
    revoke(old)
    call_api(public, headers={"Origin": "https://evil.example"})
    call_api(secret)
    call_api(secret)
    call_api(gone)
    call_api("tk_00000000_" + "0" * 64)
    own_meter.flush()
    assert usage_of(site.id)[REQUESTS].foreign == 1
    assert usage_of(busy.id)[REQUESTS].throttled == 1
    assert usage_of(old.id)[REQUESTS].rejected == 1
    assert usage_of(UNKNOWN_KEY, "")[REQUESTS].rejected == 1


def test_the_button_of_a_widget_is_counted_for_its_key(own_meter: Meter, monkeypatch: pytest.MonkeyPatch) -> None:
    site, public = create_key(BUSINESS, "Site", ["https://www.andina.cl"])
    old, gone = create_key(BUSINESS, "Old", ["https://www.andina.cl"])
    revoke(old)
    for secret in (public, gone, "tk_00000000_" + "0" * 64):
        Client().get("/widget/button/", {"key": secret})
    monkeypatch.setattr("bookings.online.limits.MAX_PAGES", 2)
    assert Client().get("/widget/button/", {"key": public}).status_code == 429
    own_meter.flush()
    of_site, of_old, of_nobody = usage_of(site.id), usage_of(old.id), usage_of(UNKNOWN_KEY, "")
    assert (of_site[REQUESTS].calls, of_site[REQUESTS].throttled) == (2, 1)
    assert of_site["bookings.online.limits.count_page"].writes == 2, "the pages of a network are counted"
    assert (of_old[REQUESTS].calls, of_old[REQUESTS].rejected) == (1, 1)
    assert (of_nobody[REQUESTS].calls, of_nobody[REQUESTS].rejected) == (1, 1)


def test_a_business_and_a_key_that_do_not_exist_have_no_usage(own_meter: Meter) -> None:
    """Anyone could otherwise fill the table, and the list of businesses for admins."""
    for path in ("/book/nobody/", "/book/nobody/colors.css", "/book/nobody/theme.css", f"/book/{BUSINESS}/?key=none"):
        Client().get(path)
    call_api(None, "/api/v1/businesses/nobody/theme")
    own_meter.flush()
    assert queries.months_of_businesses(MONTH).items == [] == queries.usage_of(BUSINESS, MONTH)
    assert sum(each.requests.calls for each in queries.usage_of("", MONTH) if each.api_key == ALL) == 5


# --- The pages -----------------------------------------------------------------------------------
def test_the_page_shows_day_key_and_pattern_in_two_trips(own_meter: Meter, people_by_role: Any) -> None:
    _key, secret = create_key(BUSINESS, "Server")
    call_api(secret)
    own_meter.flush()
    browser = sign_in(people_by_role["admin"])
    response = browser.get(f"/b/{BUSINESS}/usage/")
    assert calls_of(response).trips <= 2
    text = parse(response).text
    assert "Server" in text and "1 of 200,000 API requests" in text
    assert "What may this API key do, and in which business?" in text
    assert browser.get(f"/b/{BUSINESS}/usage/?month=2026-02").status_code == 200
    assert browser.get(f"/b/{BUSINESS}/usage/?month=2026-13").status_code == 404


def test_a_key_that_is_misused_is_revoked_with_one_click(own_meter: Meter, people_by_role: Any) -> None:
    key, secret = create_key(BUSINESS, "Busy", limit=1)
    call_api(secret)
    call_api(secret)
    own_meter.flush()
    browser = sign_in(people_by_role["admin"])
    url = f"/b/{BUSINESS}/keys/{key.id}/revoke/"
    form = form_to(parse(browser.get(f"/b/{BUSINESS}/usage/")), url)
    assert browser.post(url, form.data()).status_code == 303
    assert call_api(secret).status_code == 401


def test_the_file_has_every_day_key_and_pattern(own_meter: Meter, people_by_role: Any) -> None:
    key, secret = create_key(BUSINESS, "=Server")
    call_api(secret)
    own_meter.flush()
    response = sign_in(people_by_role["admin"]).get(f"/b/{BUSINESS}/usage/file/")
    rows = list(csv.DictReader(io.StringIO(response.content.decode().lstrip("\ufeff"))))
    whole = next(row for row in rows if row["api_key" if "api_key" in row else "key"] == key.id)
    assert (whole["day"], whole["access_pattern"], whole["calls"]) == ("2026-03-02", REQUESTS, "1")
    assert whole["key_name"] == "'=Server" and float(whole["cost_usd"]) > 0
    assert any(row["access_pattern"].endswith("find_key_and_business") for row in rows)


def test_admins_compare_businesses_and_export_them_for_billing(own_meter: Meter, people_by_role: Any) -> None:
    add_business("harbour", "Harbour Coffee", "nuria@example.com")
    own_meter.add(BUSINESS, "k1", [(REQUESTS, Counters(calls=190_000))])
    own_meter.add("harbour", "k2", [(REQUESTS, Counters(calls=250_000))])
    own_meter.flush()
    browser: Client = sign_in(people_by_role["admin"])
    response = browser.get("/usage/")
    assert calls_of(response).trips <= 2
    text = parse(response).text
    assert "Harbour Coffee" in text and "440,000" in text
    assert "Near the limit" in text and "Over the limit" in text
    rows = list(csv.DictReader(io.StringIO(browser.get("/usage/file/").content.decode().lstrip("\ufeff"))))
    assert [(row["business"], row["api_requests"], row["limit"]) for row in rows] == [
        (BUSINESS, "190000", "200000"),
        ("harbour", "250000", "200000"),
    ]


def test_the_home_page_warns_before_the_limit(own_meter: Meter, people_by_role: Any) -> None:
    browser = sign_in(people_by_role["admin"])
    own_meter.add(BUSINESS, "k1", [(REQUESTS, Counters(calls=170_000))])
    own_meter.flush()
    assert "170,000 of 200,000 API requests" in parse(browser.get(f"/b/{BUSINESS}/")).text


@pytest.mark.parametrize(
    ("plan", "calls", "near", "over"),
    [
        (Plan.FREE, 7_999, False, False),
        (Plan.FREE, 8_000, True, False),
        (Plan.FREE, 10_000, False, True),
        (Plan.ENTERPRISE, 10**9, False, False),
        ("Agency", 10**9, False, False),
    ],
)
def test_the_limit_of_a_plan(plan: str, calls: int, near: bool, over: bool) -> None:
    state = PlanState(calls, PLAN_LIMITS.get(plan))
    assert (state.is_near, state.is_over) == (near, over)

"""The home page of a business: lines by role, and the checklist of a new business."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from bookings.items import Booking
from bookings.states import Payment, Status
from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.businesses.services import members
from dashboard.table import write
from dashboard.table.commands import new_command
from tests.apikeys.factories import create_key
from tests.bookings.bookable_business import customer, provider, put, service, working_hours
from tests.branding.publishing_factory import put_schedule
from tests.branding.theme_factory import create_draft, create_published
from tests.conftest import ACTOR, add_business, add_person, sign_in
from tests.home.home_pages import lines, steps
from tests.ui.html import parse
from tests.ui.walk import calls_of

BUSINESS = "andina"
# Noon in Santiago.
NOON = datetime.fromisoformat("2026-11-18T15:00:00+00:00")


@pytest.fixture
def business(people_by_role: dict[str, Person]) -> str:
    add_business(BUSINESS, "Andina", "olivia@example.com", status="ACTIVE")
    return BUSINESS


def member(role: BusinessRole) -> Client:
    person = add_person(f"{role}@example.com", Role.OWNER)
    members.add(BUSINESS, person.email, role=role, command=new_command(ACTOR))
    return sign_in(person)


def booking(start: datetime, status: Status = Status.CONFIRMED, payment: Payment = Payment.NONE, **more: Any) -> str:
    booking_id = f"b{start:%d%H%M}{status[:2]}"
    item = Booking.new(tenant=BUSINESS, provider="maria", start=start, booking=booking_id)
    item.end_time, item.status, item.payment_status = start + timedelta(hours=1), status, payment
    item.customer_name = "Ana Ruiz"
    for name, value in more.items():
        setattr(item, name, value)
    put(item)
    return booking_id


def fill_calendar() -> None:
    put(provider())
    hour = timedelta(hours=1)
    booking(NOON - 2 * hour, payment=Payment.PENDING)
    booking(NOON + 2 * hour)
    booking(NOON + 4 * hour, status=Status.CANCELLED)
    booking(NOON + 30 * hour, status=Status.PENDING)
    booking(NOON - 48 * hour, status=Status.NO_SHOW)
    booking(NOON - 50 * hour, status=Status.PENDING)


def test_a_receptionist_sees_bookings_and_nothing_else(business: str) -> None:
    with frozen(NOON):
        browser = member(BusinessRole.RECEPTIONIST)
        fill_calendar()
        response = browser.get(f"/b/{business}/")
        found = lines(response)
        base = f"/b/{business}/bookings/"
        assert found == {
            "1 booking to confirm": f"{base}?view=agenda&status=PENDING",
            "2 bookings today": base,
            "1 past booking was never confirmed": f"{base}unconfirmed/",
            "1 past booking is not paid": f"{base}?view=agenda&day=2026-11-18&payment=PENDING",
            "1 no-show": f"{base}?view=agenda&day=2026-11-16&status=NO_SHOW",
        }
        text = parse(response).by_class("home")[0].text
        assert "Next: 14:00 Ana Ruiz" in text and "First: Thu 19 Nov, 18:00 Ana Ruiz" in text
        assert not parse(response).by_class("home-setup")
        assert {browser.get(url).status_code for url in found.values()} == {200}
        assert calls_of(response).trips == 2


def test_a_designer_sees_the_brand_and_nothing_else(business: str) -> None:
    browser = member(BusinessRole.DESIGNER)
    live = create_published(business, name="Verano")
    draft = create_draft(business, name="Otoño")
    put_schedule(business, draft.number, now() + timedelta(days=2))
    fill_calendar()
    found = lines(browser.get(f"/b/{business}/"))
    base = f"/b/{business}/branding/"
    assert found == {
        f"v{draft.number} Otoño is scheduled to publish": base,
        "1 draft is not published": f"{base}?status=drafts",
        "Live: Verano": f"{base}themes/{live.number}/",
    }
    assert {browser.get(url).status_code for url in found.values()} == {200}
    assert "Publish your brand" not in steps(browser.get(f"/b/{business}/"))


def test_a_version_that_was_not_published_as_scheduled_is_listed_first(business: str) -> None:
    browser = member(BusinessRole.DESIGNER)
    create_published(business, name="Verano")
    draft = create_draft(business, name="Otoño")
    put_schedule(business, draft.number, now() + timedelta(days=2))
    put_schedule(business, 9, now() - timedelta(hours=3), missed="gone")
    found = lines(browser.get(f"/b/{business}/"))
    base = f"/b/{business}/branding/"
    assert list(found.items())[:2] == [
        ("v9 was not published as scheduled", base),
        (f"v{draft.number} Otoño is scheduled to publish", base),
    ]
    schedules = parse(browser.get(base)).one("section", id="schedules").text
    assert "The version no longer exists." in schedules and f"v{draft.number} Otoño" in schedules


def test_a_stock_keeper_has_no_lines_yet(business: str) -> None:
    fill_calendar()
    create_draft(business)
    assert lines(member(BusinessRole.STOCK_KEEPER).get(f"/b/{business}/")) == {}


def test_other_businesses_are_not_shown(business: str, people_by_role: dict[str, Person]) -> None:
    with frozen(NOON):
        add_business("vecina", "Vecina", "vera@example.com")
        other = sign_in(add_person("vera@example.com", Role.OWNER))
        fill_calendar()
        assert [text for text in lines(other.get("/b/vecina/")) if "booking" in text] == []
        assert other.get(f"/b/{business}/").status_code == 404


def test_the_checklist_marks_completed_steps(business: str, people_by_role: dict[str, Person]) -> None:
    owner = sign_in(people_by_role["owner"])
    url = f"/b/{business}/"
    assert steps(owner.get(url)) == {
        "Set language and time zone": True,
        "Add a service": False,
        "Add a staff member": False,
        "Set working hours": False,
        "Publish your brand": False,
        "Create an API key": False,
        "Invite your team": False,
    }
    put(service(), provider(), customer(), *working_hours())
    create_key(business)
    response = owner.get(url)
    assert steps(response) == {
        "Set language and time zone": True,
        "Add a service": True,
        "Add a staff member": True,
        "Set working hours": True,
        "Publish your brand": False,
        "Create an API key": True,
        "Invite your team": False,
    }
    assert "5 of 7 steps completed" in parse(response).by_class("home-setup")[0].text
    create_published(business)
    member(BusinessRole.RECEPTIONIST)
    response = owner.get(url)
    assert steps(response) == {}, "a completed checklist disappears"
    assert calls_of(response).trips == 2


def test_a_line_does_not_repeat_an_open_step(business: str, people_by_role: dict[str, Person]) -> None:
    owner, line = sign_in(people_by_role["owner"]), "No version of the brand is live"
    page = owner.get(f"/b/{business}/")
    assert "Publish your brand" in steps(page) and line not in lines(page)
    assert "Nothing needs your attention" not in page.content.decode()
    with frozen(now() + timedelta(days=90)):
        assert line in lines(sign_in(people_by_role["owner"]).get(f"/b/{business}/"))


def test_an_older_business_has_no_checklist(business: str, people_by_role: dict[str, Person]) -> None:
    with frozen(now() + timedelta(days=90)):
        assert steps(sign_in(people_by_role["owner"]).get(f"/b/{business}/")) == {}


def test_the_home_page_of_a_member_loads_the_lines_of_each_business(
    business: str, people_by_role: dict[str, Person]
) -> None:
    browser = sign_in(people_by_role["owner"])
    page = parse(browser.get("/"))
    (card,) = page.by_class("home-businesses")[0].all("li")
    assert card.all("a")[0].attrs["href"] == f"/b/{business}/", "without JavaScript the link opens the business"
    assert [each.attrs["hx-get"] for each in card.all("div") if "hx-get" in each.attrs] == [f"/b/{business}/"]
    target = {"HX-Request": "true", "HX-Target": f"brief-{business}"}
    fragment = browser.get(f"/b/{business}/", headers=target)
    assert b"<html" not in fragment.content and parse(fragment).by_class("home")
    assert "1 of 7 setup steps completed" in parse(fragment).text and not steps(fragment)
    assert "Nothing needs your attention" not in page.text


def test_an_outside_booking_without_a_readable_start_is_harmless(business: str) -> None:
    item = Booking.new(tenant=BUSINESS, provider="maria", start="zzzz", booking="odd")
    item.status = Status.PENDING
    item.set_index_keys()
    write.put(item)
    assert member(BusinessRole.RECEPTIONIST).get(f"/b/{business}/").status_code == 200

"""Alerts on the home page of admins: many failures, a new network or browser, an attempt on another business."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts import lockout
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses import queries as businesses
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.security_log import services
from dashboard.platform.security_log.alerts import build_alerts
from dashboard.platform.security_log.hashes import account_hash
from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import EventKind
from tests.accounts.second_factors import enter_code, enter_password, switch_on
from tests.attacks.causes import log_in, stored
from tests.branding.pictures import upload_asset
from tests.conftest import PASSWORD
from tests.ui.samples import BUSINESS, NEIGHBOURS
from tests.ui.walk import calls_of, new_browser
from tests.ui.world import World


@pytest.fixture(autouse=True)
def no_earlier_events() -> None:
    """Events that are stored once a minute do not remember those of other tests."""
    services._minute_limit.clear()


def sign_in_from(email: str, address: str, agent: str) -> None:
    sent = {"email": email, "password": PASSWORD}
    response = new_browser().post("/login/", sent, REMOTE_ADDR=address, HTTP_USER_AGENT=agent)
    assert response.status_code == 303


FIREFOX, SAFARI = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", "Mozilla/5.0 (iPhone) Version/18 Safari/605"


@pytest.mark.parametrize(
    ("role", "address", "agent", "new"),
    [
        (Role.ADMIN, "192.0.2.10", FIREFOX, None),
        (Role.ADMIN, "192.0.2.99", FIREFOX, None),
        (Role.ADMIN, "203.0.113.5", FIREFOX, "network"),
        (Role.ADMIN, "192.0.2.10", SAFARI, "browser"),
        (Role.ADMIN, "203.0.113.5", SAFARI, "network browser"),
        (Role.STAFF, "203.0.113.5", SAFARI, None),
    ],
)
def test_a_new_network_or_browser_of_an_admin_is_an_event_and_an_alert(
    world: World, role: Role, address: str, agent: str, new: str | None
) -> None:
    person = world.add(role, "Ada Admin")
    with frozen(now() - timedelta(hours=1)):
        sign_in_from(person.email, "192.0.2.10", FIREFOX)
    assert stored(EventKind.NEW_DEVICE) == [], "the first sign-in is not compared with anything"
    sign_in_from(person.email, address, agent)
    assert [(event.details or {})["new"] for event in stored(EventKind.NEW_DEVICE)] == ([new] if new else [])
    home = world.browser("admin").get("/")
    assert ("Sign-in from a new network or browser: Ada Admin" in home.content.decode()) is (new is not None)
    assert calls_of(home).trips <= 2


def test_an_attempt_to_open_another_business_is_an_alert_with_a_link_to_the_log(world: World) -> None:
    admin = world.browser("admin")
    assert "Security alerts" not in admin.get("/").content.decode()
    assert world.browser("owner").get("/b/no-such-business/").status_code == 404
    assert stored(EventKind.FOREIGN_BUSINESS) == [], "a business that does not exist is a typing error"
    assert world.browser("owner").get(f"/b/{NEIGHBOURS}/bookings/").status_code == 404
    page = admin.get("/").content.decode()
    assert "1 person tried to open someone else’s business" in page
    assert '"/security/?kind=business.foreign"' in page


def fail_to_sign_in(count: int, first: int = 0) -> None:
    """Wrong passwords for accounts that do not exist, from three addresses."""
    for number in range(first, first + count):
        assert log_in(f"a{number}@example.com", "x", f"10.20.{number % 3}.1").status_code == 422


def home_of(world: World, who: str = "admin") -> str:
    return str(world.browser(who).get("/").content.decode())


def test_many_failures_within_an_hour_are_an_alert(world: World) -> None:
    with frozen(now() - timedelta(minutes=61)):
        fail_to_sign_in(20)
    fail_to_sign_in(19)
    assert "failed sign-ins" not in home_of(world)
    fail_to_sign_in(1, first=19)
    home = home_of(world)
    assert "20 failed sign-ins in the last hour, from 3 addresses" in home
    assert '"/security/?kind=sign_in.failed"' in home
    assert "failed sign-ins" not in home_of(world, "moderator")


def test_wrong_codes_count_for_the_alert(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Someone who knows the passwords and guesses the codes is as dangerous."""
    monkeypatch.setattr(lockout, "CODES", 20)
    person, _codes = switch_on(world.add())
    browser = enter_password(person)
    for _ in range(11):
        assert enter_code(browser, "123123").status_code == 422
    fail_to_sign_in(8)
    assert "failed sign-ins" not in home_of(world)
    fail_to_sign_in(1, first=8)
    home = world.browser("admin").get("/")
    assert "20 failed sign-ins in the last hour" in home.content.decode()
    assert '"/security/?kind=factor.failed"' in home.content.decode()
    assert calls_of(home).trips <= 2


@pytest.mark.parametrize(("who", "status"), [("moderator", 403), ("staff", 403), ("receptionist", 404)])
def test_an_attempt_of_other_roles_is_an_alert_too(world: World, who: str, status: int) -> None:
    for path in ("", "bookings/", "people/"):
        assert world.browser(who).get(f"/b/{NEIGHBOURS}/{path}").status_code == status
    assert world.browser(who).post(f"/b/{NEIGHBOURS}/people/", {"email": "x@example.com"}).status_code == status
    assert {(event.details or {})["business"] for event in stored(EventKind.FOREIGN_BUSINESS)} == {NEIGHBOURS}
    assert "1 person tried to open someone else’s business" in home_of(world)
    assert world.browser(who).get("/b/no-such-business/").status_code == status, "the answer is the same"


def test_the_id_of_a_file_of_another_business_is_an_attempt_of_the_person(world: World) -> None:
    asset = upload_asset(NEIGHBOURS).id
    assert world.browser("owner").get(f"/b/{BUSINESS}/branding/assets/{asset}/").status_code == 404
    (event,) = stored(EventKind.FOREIGN_BUSINESS)
    assert event.account == account_hash(world.people["owner"].email)


def test_a_programming_error_is_not_an_attempt_of_the_person(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A page that asks for a key of another business is refused and logged as an error; nobody is accused."""
    monkeypatch.setattr(businesses, "members", lambda business: find_business(NEIGHBOURS))
    with caplog.at_level("ERROR", logger="trastienda.tenancy"):
        assert world.browser("owner").get(f"/b/{BUSINESS}/people/").status_code == 404
    assert "a key of another tenant" in caplog.text
    assert stored(EventKind.FOREIGN_BUSINESS) == []
    assert "someone else’s business" not in home_of(world)


def test_an_alert_counts_api_keys_and_people_separately() -> None:
    def attempt(email: str, key: str = "") -> SecurityEvent:
        event = services.new_event(EventKind.FOREIGN_BUSINESS, email, address="10.0.0.1", browser="")
        event.details = {"key": key} if key else None
        return event

    by_keys = [attempt("", "one"), attempt("", "two"), attempt("", "two")]
    by_people = [attempt("a@example.com"), attempt("a@example.com")]
    (alert,) = build_alerts([], [], by_keys, [])
    assert alert.text == "2 API keys asked for files of another business"
    (alert,) = build_alerts([], [], [*by_people, *by_keys[:1]], [])
    assert alert.text == (
        "1 person tried to open someone else’s business · 1 API key asked for a file of another business"
    )

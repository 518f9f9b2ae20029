"""The widget: the script, the button, and pages that only the websites of a key may show in a frame."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from bookings.online import limits, visits
from bookings.online.views.widget import LOADER
from bookings.rules import OPEN_PAGE
from dashboard.core.errors import Unavailable
from dashboard.platform.apikeys.items import ApiKey, key_at
from dashboard.table import write
from tests.apikeys.factories import create_key, revoke
from tests.bookings.bookable_business import BUSINESS, MINUTE, at, book, check_bookings, open_shop
from tests.bookings.online.visitor import CONTACT, MONDAY_AT_TEN, PAGE, Visitor, open_booking_page, set_rules
from tests.conftest import add_business
from tests.ui.html import parse

SITE = "https://www.andina.cl"


def frame_ancestors(response: Any) -> list[str]:
    match = re.search(r"frame-ancestors ([^;]+)", response.headers["Content-Security-Policy"])
    assert match is not None
    return match[1].split()


def button(secret: str, **params: str) -> Any:
    return Client().get("/widget/button/", {"key": secret, "lang": "en"} | params)


def test_the_script_is_small_and_every_website_may_load_it() -> None:
    response = Client().get("/widget/v1.js")
    assert len(response.content) < 5_000 and response.content.decode() == LOADER.read_text()
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    again = Client().get("/widget/v1.js", headers={"if-none-match": response.headers["ETag"]})
    assert again.status_code == 304


def test_the_button_opens_the_page_of_its_business(table: str) -> None:
    open_booking_page(page=False)
    set_rules(position="bottom-left")
    key, secret = create_key(BUSINESS, "Website", origins=[SITE])
    response = button(secret, tz="Europe/Madrid")
    element = parse(response).one("button")
    assert element.attrs["data-position"] == "bottom-left"
    panel = element.attrs["data-panel"]
    assert panel.startswith(f"{PAGE}?") and f"key={key.id}" in panel and "tz=Europe" in panel
    assert secret not in panel
    assert frame_ancestors(response) == ["'self'", SITE] and "X-Frame-Options" not in response.headers
    assert response.wsgi_request.oplog.trips == 2


def test_a_page_in_the_frame_books(visitor: Visitor) -> None:
    open_booking_page(page=False)
    key, _secret = create_key(BUSINESS, "Website", origins=[SITE])
    path = f"{PAGE}?service=masaje&provider=any&start={MONDAY_AT_TEN:%Y-%m-%dT%H:%M:%SZ}&key={key.id}"
    response = visitor.client.get(path)
    assert frame_ancestors(response) == ["'self'", SITE]
    booked = visitor.send(parse(response).one("form"), CONTACT)
    assert f"key={key.id}" in booked.headers["Location"]
    own = visitor.client.get(booked.headers["Location"])
    assert own.status_code == 200 and frame_ancestors(own) == ["'self'", SITE]
    (booking,) = check_bookings()
    assert booking.updated_by == f"key:{key.id}"


def test_the_page_itself_is_in_no_frame(visitor: Visitor) -> None:
    open_booking_page()
    response = visitor.client.get(PAGE)
    assert frame_ancestors(response) == ["'none'"] and response.headers["X-Frame-Options"] == "DENY"


def test_keys_that_open_nothing(visitor: Visitor) -> None:
    open_booking_page(page=False)
    add_business("other", "Other")
    server, server_secret = create_key(BUSINESS, "Server")
    gone, gone_secret = create_key(BUSINESS, "Old", origins=[SITE])
    revoke(gone)
    foreign, _ = create_key("other", "Other", origins=[SITE])
    for key_id in (server.id, gone.id, foreign.id, "unknown", "a#b", "x" * 500):
        response = visitor.client.get(PAGE, {"key": key_id})
        assert response.status_code == 404 and frame_ancestors(response) == ["'none'"], key_id
    for secret in (server_secret, gone_secret, "", "tk_nothing", "x" * 500):
        response = button(secret)
        assert response.status_code in {400, 401, 404} and frame_ancestors(response) == ["'none'"], secret


@pytest.mark.parametrize(
    ("color", "rules"),
    [("#b3001b", "--widget-text: #ffffff"), ("#ffee00", "--widget-text: #111318"), ("red;} body{", ""), (None, "")],
)
def test_only_a_color_reaches_the_stylesheet(table: str, color: str | None, rules: str) -> None:
    open_booking_page()
    set_rules(color=color)
    response = Client().get(f"{PAGE}colors.css")
    assert response.headers["Content-Type"].startswith("text/css")
    text = response.content.decode()
    assert rules in text and bool(text) == bool(rules)


def test_the_page_of_a_public_key_shows_the_code(as_owner: Client) -> None:
    key, secret = create_key(BUSINESS, "Website", origins=[SITE])
    page = parse(as_owner.get(f"/b/{BUSINESS}/keys/{key.id}/"))
    snippet = page.one("input", id="snippet").attrs["value"]
    assert secret in snippet and "/widget/v1.js" in snippet
    preview = as_owner.get(page.one("iframe").attrs["src"])
    assert preview.status_code == 200 and secret in preview.content.decode()
    assert frame_ancestors(preview)[0] == "'self'"


def test_the_page_of_a_secret_key_shows_no_code(as_owner: Client) -> None:
    key, secret = create_key(BUSINESS, "Server")
    response = as_owner.get(f"/b/{BUSINESS}/keys/{key.id}/")
    assert secret not in response.content.decode() and not parse(response).all("iframe")
    assert as_owner.get(f"/b/{BUSINESS}/bookings/widget/{key.id}/").status_code == 404


def test_addresses_do_not_come_from_the_request(as_owner: Client, settings: Any) -> None:
    settings.SITE_URL = "https://office.example.com"
    set_rules(online_page=OPEN_PAGE)
    key, secret = create_key(BUSINESS, "Website", origins=[SITE])
    headers = {"host": "testserver:4711"}
    for path in (f"/b/{BUSINESS}/keys/{key.id}/", f"/b/{BUSINESS}/bookings/rules/"):
        content = as_owner.get(path, headers=headers).content.decode()
        assert "https://office.example.com/" in content and "4711" not in content, path
    response = Client().get("/widget/button/", {"key": secret}, headers=headers)
    assert "4711" not in response.content.decode()


def test_a_key_of_an_outside_writer_for_every_website(visitor: Visitor) -> None:
    """Its frames may be anywhere. An origin that is none of them adds nothing to the policy."""
    open_booking_page(page=False)
    key, _secret = create_key(BUSINESS, "Website", origins=[SITE])
    for stored, expected in (
        (["*"], ["'self'", "*"]),
        ([SITE, "https://a.example; script-src *", "javascript:alert(1)", 7], ["'self'", SITE]),
    ):
        actions = [ApiKey.allowed_origins.set(stored)]
        assert write.update(key_at(BUSINESS, key.id), actions) is not None
        response = visitor.client.get(PAGE, {"key": key.id})
        assert frame_ancestors(response) == expected
        directives = response.headers["Content-Security-Policy"].split("; ")
        assert [each for each in directives if each.startswith("script-src")] == ["script-src 'self'"]


def test_an_error_is_shown_in_the_frame_of_a_known_key_only(visitor: Visitor, monkeypatch: Any) -> None:
    """A frame without a page has no button that closes it."""
    open_booking_page(page=False)
    key, _secret = create_key(BUSINESS, "Website", origins=[SITE])
    unknown = visitor.client.get(PAGE, {"key": key.id, "service": "other"})
    assert unknown.status_code == 404 and frame_ancestors(unknown) == ["'self'", SITE]
    monkeypatch.setattr(limits, "MAX_PAGES", 0)
    busy = visitor.client.get(PAGE, {"key": key.id})
    assert busy.status_code == 429 and busy.headers["Retry-After"] and frame_ancestors(busy) == ["'self'", SITE]
    assert frame_ancestors(visitor.client.get(PAGE, {"key": "unknown"})) == ["'none'"]


def test_without_the_table_the_page_says_so(visitor: Visitor, monkeypatch: Any) -> None:
    open_booking_page()

    def fail(*_: Any) -> Any:
        raise Unavailable

    monkeypatch.setattr(visits, "find_business", fail)
    response = visitor.client.get(PAGE)
    assert response.status_code == 503 and "Try again" in response.content.decode()


def test_values_of_outside_writers_and_addresses_are_text(visitor: Visitor) -> None:
    open_booking_page()
    evil = '"><img src=x onerror=alert(1)>'
    set_rules(name=evil, position=evil, color=evil)
    _key, secret = create_key(BUSINESS, "Website", origins=[SITE])
    params = {"lang": evil, "tz": evil, "day": evil, evil: evil}
    responses = [visitor.client.get(PAGE, params), button(secret, tz=evil), visitor.client.get(f"{PAGE}colors.css")]
    own = visitor.book(MONDAY_AT_TEN, name=evil, note=evil).headers["Location"]
    responses += [visitor.client.get(own), visitor.client.get(f"{own}&did={evil}")]
    for response in responses:
        assert response.status_code == 200 and "<img" not in response.content.decode()
    assert parse(responses[1]).one("button").attrs["data-position"] == "bottom-right"


def test_nothing_of_a_visitor_may_be_kept_by_a_cache(visitor: Visitor) -> None:
    open_booking_page()
    own = visitor.book(MONDAY_AT_TEN).headers["Location"]
    base = own.partition("?")[0]
    for path in (PAGE, own, f"{base}times/", f"{base}booking.ics", f"{PAGE}?key=unknown"):
        response = visitor.client.get(path)
        assert response.headers["Cache-Control"] == "no-store, private", path
        assert response.headers["Referrer-Policy"] == "same-origin", path


def test_a_key_is_counted_alone(visitor: Visitor) -> None:
    """Bookings on the booking page do not use up the limit of a key."""
    # Limits are counted by the minute of the clock.
    visitor.clock.set((visitor.clock.moment + MINUTE).replace(second=0, microsecond=0))
    open_booking_page()
    key, _secret = create_key(BUSINESS, "Website", origins=[SITE])
    assert write.update(key_at(BUSINESS, key.id), [ApiKey.rate_limit.set(1)]) is not None
    visitor.book(at(9), email="a@example.com")
    for start, status in ((at(11), 303), (at(13), 429)):
        path = f"{PAGE}?service=masaje&provider=any&start={start:%Y-%m-%dT%H:%M:%SZ}&key={key.id}"
        form = parse(visitor.client.get(path)).one("form")
        visitor.send(form, CONTACT | {"email": f"{start.hour}@example.com"}, status=status, after=2.5)


def test_a_page_without_a_live_theme_has_an_empty_stylesheet(visitor: Visitor) -> None:
    """A missing one would be an error in every visitor's browser."""
    open_booking_page()
    (path,) = [each.attrs["href"] for each in visitor.get(PAGE).all("link") if each.attrs["href"].endswith("theme.css")]
    for address in (path, "/book/nobody/theme.css", "/book/SYSTEM/theme.css"):
        response = visitor.client.get(address)
        assert (response.status_code, response.content) == (200, b""), address
        assert response.headers["Content-Type"].startswith("text/css")


def test_the_page_of_a_booking_says_that_it_was_made_online(as_owner: Client, visitor: Visitor) -> None:
    open_shop()
    set_rules(online_page=OPEN_PAGE)
    visitor.book(MONDAY_AT_TEN)
    at_the_counter = book(at(14))
    (online,) = [each for each in check_bookings() if each.id != at_the_counter.id]
    for booking, is_online in ((online, True), (at_the_counter, False)):
        page = as_owner.get(f"/b/{BUSINESS}/bookings/{booking.id}/").content.decode()
        assert ("Booked online" in page) == is_online

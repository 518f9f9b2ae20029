"""The widget: the script, the button, and pages that only the websites of a key may show in a frame."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from bookings.online.views.widget import LOADER
from tests.apikeys.factories import create_key, revoke
from tests.bookings.bookable_business import BUSINESS, check_bookings
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

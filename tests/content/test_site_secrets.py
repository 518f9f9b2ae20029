"""Secrets that other services keep in items of a business are masked on every page and in every file."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from tests.adoption.outside import put_raw
from tests.audit.entries import put as put_entry
from tests.audit.entries import raw_entry, utc
from tests.content.shop_items import put_shop_item
from tests.content.site import BUSINESS
from tests.content.visitors import put_lead
from tests.outside_writes import raw_at
from tests.ui.html import form_to, parse

SECRETS = ("GOCSPX-very-secret", "brave-very-secret", "recaptcha-very-secret")
SETTINGS = {
    "integrations": {"google": {"clientSecret": SECRETS[0], "clientId": "public-id"}, "braveApiKey": SECRETS[1]},
    "recaptcha": {"secretKey": SECRETS[2], "siteKey": "public-site-key"},
}
TOKENS = ("ya29-very-secret", "1//-very-secret", "calendar-very-secret", "lead-very-secret")
PROVIDER = {
    "name": "Paula Paz",
    "active": True,
    "googleIntegration": {"accessToken": TOKENS[0], "refreshToken": TOKENS[1], "calendarId": "paula@calendar.example"},
    # As JSON, which some services write.
    "microsoftIntegration": json.dumps({"oauth": {"access_token": TOKENS[2]}, "account": "paula@outlook.example"}),
}
VIEWER = "/table/item/?pk=SYSTEM&sk=TENANT%23andina"
PROVIDER_VIEWER = "/table/item/?pk=TENANT%23andina&sk=PROVIDER%23p1"
TRAIL = "audit/export.csv?since=2025-09-22&until=2025-09-22"
OWNERS_PAGES = ("/b/andina/", "/b/andina/settings/", "/b/andina/audit/", "/b/andina/audit/2025-09-22T10:00:00Z_e/")
ADMINS_PAGES = ("/businesses/andina/", VIEWER, "/audit/", "/b/andina/", "/b/andina/audit/")


@pytest.fixture
def site(as_owner: Client, as_admin: Client) -> dict[str, Client]:
    """A business with the settings of the website service, and an audit entry that has them before and after."""
    values = {"name": "Coca-Cola Andina", "status": "LIVE", "plan": "Pro", "slug": BUSINESS, "id": BUSINESS}
    put_raw(keys.TENANT.key(tenant=BUSINESS), **values, **SETTINGS)
    put_raw(keys.PROVIDER.key(tenant=BUSINESS, provider="p1"), providerId="p1", tenantId=BUSINESS, **PROVIDER)
    put_lead(data={"message": "Hola", "authToken": TOKENS[3], "more": json.dumps({"apiKey": TOKENS[3]})})
    flat = {
        "provider": json.dumps(PROVIDER),
        "recaptcha.secretKey": SECRETS[2],
        "integrations.google.clientSecret": SECRETS[0],
    }
    put_entry(
        raw_entry(
            utc("2025-09-22T10:00:00"),
            "e",
            business=BUSINESS,
            action="business.edit",
            before=SETTINGS | flat,
            after={"integrations": {"braveApiKey": SECRETS[1] + "-2"}},
        )
    )
    return {"owner": as_owner, "admin": as_admin}


def text_of(answer: Any) -> str:
    assert answer.status_code == 200
    return b"".join(answer.streaming_content if answer.streaming else [answer.content]).decode()


@pytest.mark.parametrize(
    ("who", "url"), [*(("owner", url) for url in OWNERS_PAGES), *(("admin", url) for url in ADMINS_PAGES)]
)
def test_no_page_shows_a_secret_of_the_settings(site: dict[str, Client], who: str, url: str) -> None:
    answer = site[who].get(url)
    assert answer.status_code == 200
    text = answer.content.decode()
    assert [secret for secret in (*SECRETS, *TOKENS) if secret in text] == []


def test_the_export_of_the_trail_has_no_secret(site: dict[str, Client]) -> None:
    for who, url in (("owner", f"/b/andina/{TRAIL}"), ("admin", f"/b/andina/{TRAIL}")):
        text = text_of(site[who].get(url))
        assert "business.edit" in text and "paula@outlook.example" in text
        assert [secret for secret in (*SECRETS, *TOKENS) if secret in text] == []


@pytest.mark.parametrize(
    "url", ["site/leads/export/", "site/consents/export/", "bookings/providers/p1/", "bookings/providers/", TRAIL]
)
def test_pages_and_files_of_a_business_have_no_token(site: dict[str, Client], url: str) -> None:
    assert [token for token in TOKENS if token in text_of(site["owner"].get(f"/b/andina/{url}"))] == []


def test_the_viewer_masks_the_tokens_of_calendars(site: dict[str, Client]) -> None:
    text = text_of(site["admin"].get(PROVIDER_VIEWER))
    assert "paula@calendar.example" in text and "paula@outlook.example" in text and "••••" in text
    assert [token for token in TOKENS if token in text] == []


def test_the_code_of_a_coupon_is_shown_everywhere(site: dict[str, Client]) -> None:
    """Visitors type it, an order names it, and the key of its code has it in clear: it is no secret."""
    put_shop_item("coupons")
    for url in ("/b/andina/site/coupons/", "/b/andina/site/coupons/c1/"):
        assert "SPRING10" in text_of(site["owner"].get(url))
    details = parse(site["owner"].get("/b/andina/site/coupons/c1/")).text
    viewer = parse(site["admin"].get("/table/item/?pk=TENANT%23andina&sk=COUPON%23c1")).text
    assert "SPRING10" in viewer
    assert "••••" not in details + viewer


def test_the_viewer_shows_what_is_no_secret(site: dict[str, Client]) -> None:
    text = parse(site["admin"].get(VIEWER)).text
    assert "public-site-key" in text and "public-id" in text and "••••" in text


def test_the_settings_of_a_business_keep_the_secrets_when_someone_saves_them(site: dict[str, Client]) -> None:
    url, key = "/b/andina/settings/", keys.TENANT.key(tenant=BUSINESS)
    form = form_to(site["owner"].get(url), url)
    assert site["owner"].post(url, form.data(name="Andina")).status_code == 303
    raw = raw_at(key) or {}
    assert {name: raw[name] for name in SETTINGS} == {name: to_attribute(value) for name, value in SETTINGS.items()}
    assert raw["name"] == {"S": "Andina"}

"""The secrets that the website service keeps in the settings of a business are masked on every page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from tests.adoption.outside import put_raw
from tests.audit.entries import put as put_entry
from tests.audit.entries import raw_entry, utc
from tests.content.site import BUSINESS
from tests.outside_writes import raw_at
from tests.ui.html import form_to, parse

SECRETS = ("GOCSPX-very-secret", "brave-very-secret", "recaptcha-very-secret")
SETTINGS = {
    "integrations": {"google": {"clientSecret": SECRETS[0], "clientId": "public-id"}, "braveApiKey": SECRETS[1]},
    "recaptcha": {"secretKey": SECRETS[2], "siteKey": "public-site-key"},
}
VIEWER = "/table/item/?pk=SYSTEM&sk=TENANT%23andina"
OWNERS_PAGES = ("/b/andina/", "/b/andina/settings/", "/b/andina/audit/", "/b/andina/audit/2025-09-22T10:00:00Z_e/")
ADMINS_PAGES = ("/businesses/andina/", VIEWER, "/audit/", "/b/andina/", "/b/andina/audit/")


@pytest.fixture
def site(as_owner: Client, as_admin: Client) -> dict[str, Client]:
    """A business with the settings of the website service, and an audit entry that has them before and after."""
    values = {"name": "Coca-Cola Andina", "status": "LIVE", "plan": "Pro", "slug": BUSINESS, "id": BUSINESS}
    put_raw(keys.TENANT.key(tenant=BUSINESS), **values, **SETTINGS)
    flat = {"recaptcha.secretKey": SECRETS[2], "integrations.google.clientSecret": SECRETS[0]}
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


@pytest.mark.parametrize(
    ("who", "url"), [*(("owner", url) for url in OWNERS_PAGES), *(("admin", url) for url in ADMINS_PAGES)]
)
def test_no_page_shows_a_secret_of_the_settings(site: dict[str, Client], who: str, url: str) -> None:
    answer = site[who].get(url)
    assert answer.status_code == 200
    text = answer.content.decode()
    assert [secret for secret in SECRETS if secret in text] == []


def test_the_export_of_the_trail_has_no_secret(site: dict[str, Client]) -> None:
    answer: Any = site["owner"].get("/b/andina/audit/export.csv?since=2025-09-22&until=2025-09-22")
    text = b"".join(answer.streaming_content if answer.streaming else [answer.content]).decode()
    assert "business.edit" in text
    assert [secret for secret in SECRETS if secret in text] == []


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

"""Creation of API keys: the secret is shown once, and a refusal shows its reason."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.apikeys import queries, services
from tests.apikeys.factories import call_api, create_key, history_of_key, revoke
from tests.apikeys.pages import new_key_form, reload, toast_text, url_of
from tests.ui.html import form_to, parse, undo_form


def test_a_new_key_is_shown_once_and_works(olivia: Client, business: str) -> None:
    assert queries.keys_of(business).items == []
    typed = {
        "name": " Booking page ",
        "key_type": "public",
        "origins": "HTTPS://WWW.Andina.cl:443/\r\n\r\nhttp://localhost:3000",
        "rate_limit": "60",
    }
    response = new_key_form(olivia, business).send(olivia, values=typed)

    assert response.status_code == 200
    page = parse(response)
    secret = page.one("input", id="secret").attrs["value"]
    (listed,) = queries.keys_of(business).items
    key = reload(listed)
    assert (key.name, key.origins, key.limit) == (
        "Booking page",
        ["https://www.andina.cl", "http://localhost:3000"],
        60,
    )
    assert (key.business_id, key.api_key_id, key.status, key.revision) == (business, key.id, "ACTIVE", 1)
    assert secret.startswith(f"{key.api_key_public}_") and len(secret) == 76
    assert page.one("input", id="curl").attrs["value"] == (
        f'curl -H "Authorization: Bearer {secret}" http://testserver/api/v1/whoami'
    )
    assert "no-store" in response.headers["Cache-Control"]
    assert call_api(secret).json()["key"]["id"] == key.id
    (entry,) = history_of_key(key)
    assert (entry.action, entry.actor["email"], entry.scope) == (
        "apikey.issue",
        "olivia@example.com",
        f"TENANT#{business}",
    )
    assert entry.target == {"type": "apikey", "id": key.id, "title": "Booking page"}
    assert secret.rpartition("_")[2] not in str(entry.serialize())

    # A public key is part of a website: its page shows it again, as the code of the widget. No other page does.
    assert secret in parse(olivia.get(url_of(key))).one("input", id="snippet").attrs["value"]
    for url in (f"/b/{business}/keys/", f"/b/{business}/"):
        assert secret not in olivia.get(url).content.decode()
    for url in (url_of(key), f"/b/{business}/keys/", f"/b/{business}/"):
        assert str(key.api_key_hash) not in olivia.get(url).content.decode()

    undo_form(response).send(olivia)
    assert reload(key).is_revoked
    assert call_api(secret).status_code == 401


def test_no_page_shows_a_secret_key_again(olivia: Client, business: str) -> None:
    page = parse(new_key_form(olivia, business).send(olivia, values={"name": "Server", "key_type": "secret"}))
    secret = page.one("input", id="secret").attrs["value"]
    (listed,) = queries.keys_of(business).items
    key = reload(listed)
    assert not key.is_public and call_api(secret).json()["key"]["id"] == key.id
    assert secret.rpartition("_")[2] not in str(key.serialize())
    for url in (url_of(key), f"/b/{business}/keys/", f"/b/{business}/"):
        text = olivia.get(url).content.decode()
        assert secret not in text and str(key.api_key_hash) not in text


def test_a_form_sent_twice_shows_the_same_key(olivia: Client, business: str) -> None:
    form, typed = new_key_form(olivia, business), {"name": "Once"}
    first, second = (parse(form.send(olivia, values=typed)).one("input", id="secret").attrs["value"] for _ in range(2))
    assert first == second
    (key,) = queries.keys_of(business).items
    assert [entry.action for entry in history_of_key(key)] == ["apikey.issue"]
    revoke(key)
    again = form.send(olivia, values=typed)
    assert again.status_code == 200 and first not in again.content.decode()
    assert "has been revoked" in parse(again).text
    assert toast_text(again) == "This was already done, and has changed since."


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "", "required"),
        ("name", "x" * 101, "at most 100"),
        ("rate_limit", "", "required"),
        ("rate_limit", "0", "greater than or equal to 1"),
        ("rate_limit", "10001", "less than or equal to 10000"),
        ("rate_limit", "1.5", "whole number"),
        ("rate_limit", "9" * 5000, "whole number"),
        ("origins", "http://www.andina.cl", "use https://"),
        ("origins", "www.andina.cl", "use the form https://www.example.com"),
        ("origins", "*", "use the form https://www.example.com"),
        ("origins", "https://*.andina.cl", "use the form https://www.example.com"),
        ("origins", "null", "use the form https://www.example.com"),
        ("origins", "https://andina", "use the form https://www.example.com"),
        ("origins", "https://[::1", "not a valid address"),
        ("origins", "https://[::1]", "use the form https://www.example.com"),
        ("origins", "https://www.andina.cl:99999", "not a valid address"),
        ("origins", "https://www.andina.cl:0", "use the form https://www.example.com"),
        ("origins", "https://www.andina.cl/reservas", "remove everything after"),
        ("origins", "https://www.andina.cl?x=1", "remove everything after"),
        ("origins", "https://ana@www.andina.cl", "remove everything"),
        ("origins", "javascript:alert(1)", "use the form https://www.example.com"),
        ("origins", f"https://{'a' * 64}.cl", "not a valid address"),
        ("origins", "\n".join(f"https://s{number}.example.com" for number in range(21)), "can have up to 20"),
        ("origins", "https://a.example.com\nhttp://x.example.com\nftp://y", "ftp://y"),
        ("origins", "x" * 4001, "at most 4000"),
    ],
)
def test_an_invalid_form_shows_errors_and_keeps_the_input(
    olivia: Client, business: str, field: str, value: str, message: str
) -> None:
    typed = {"name": "Mine", "key_type": "public", "origins": "https://www.andina.cl", "rate_limit": "7"}
    typed |= {field: value}
    response = new_key_form(olivia, business).send(olivia, values=typed)
    assert response.status_code == 422
    page = parse(response)
    (error,) = page.by_class("error")
    assert message in error.text
    form_data = form_to(page, f"/b/{business}/keys/new/").data()
    assert {name: form_data[name] for name in typed} == typed
    assert queries.keys_of(business).items == []


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("https://www.andina.cl", "https://www.andina.cl"),
        ("  https://WWW.ANDINA.CL/  ", "https://www.andina.cl"),
        ("https://www.andina.cl:443", "https://www.andina.cl"),
        ("https://www.andina.cl:8443/", "https://www.andina.cl:8443"),
        ("http://localhost:80", "http://localhost"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("https://cañón.cl", "https://xn--can-8mak.cl"),
        ("https://10.0.0.7", "https://10.0.0.7"),
    ],
)
def test_an_origin_is_stored_as_browsers_write_it(olivia: Client, business: str, typed: str, stored: str) -> None:
    data = {"name": "x", "key_type": "public", "origins": f"{typed}\n{typed}", "rate_limit": "5"}
    assert new_key_form(olivia, business).send(olivia, values=data).status_code == 200
    (key,) = queries.keys_of(business).items
    assert key.allowed_origins == [stored]


def test_a_business_has_a_maximum_number_of_keys(
    olivia: Client, business: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_KEYS", 3)
    created = [create_key(business, f"Key {number}")[0] for number in range(3)]
    refused = new_key_form(olivia, business).send(olivia, values={"name": "One more"})
    assert refused.status_code == 422
    assert "3 active keys" in parse(refused).by_class("notice")[0].text
    # A new key replaces the key that was revoked first. The history of that key is kept.
    revoke(created[1])
    revoke(created[0])
    oldest = min((reload(created[0]), reload(created[1])), key=lambda key: (key.updated_at, key.id))
    assert new_key_form(olivia, business).send(olivia, values={"name": "One more"}).status_code == 200
    assert len(queries.keys_of(business).items) == 3
    assert olivia.get(url_of(oldest)).status_code == 404
    assert [each.action for each in queries.history_of(business, oldest.id)] == ["apikey.revoke", "apikey.issue"]

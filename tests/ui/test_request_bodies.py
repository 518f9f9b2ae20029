"""Limits of request bodies and hosts; a form never restores a value that a colleague has changed."""

from __future__ import annotations

import io

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from tests.ui.html import form_to, parse
from tests.ui.world import World

LIMIT = settings.DATA_UPLOAD_MAX_MEMORY_SIZE


class UnreadableBody(io.RawIOBase):
    """A body that fails the test if it is read."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        raise AssertionError("The body was read.")


def test_a_large_upload_is_refused_without_reading_it(world: World) -> None:
    sent = {"CONTENT_LENGTH": str(LIMIT + 1), "wsgi.input": UnreadableBody()}
    response = Client(enforce_csrf_checks=True).generic(
        "POST",
        "/login/",
        content_type="multipart/form-data; boundary=x",
        **sent,  # type: ignore[arg-type]
    )
    assert response.status_code == 413


@pytest.mark.parametrize("length", ["-1", "1e9", "９"])
def test_an_invalid_content_length_is_refused(world: World, length: str) -> None:
    assert Client().post("/login/", CONTENT_LENGTH=length).status_code == 413


def test_a_form_of_ordinary_size_is_read(world: World) -> None:
    assert Client().post("/login/", {"email": "x" * 1000, "password": "y"}).status_code == 422


def test_the_health_check_accepts_an_ip_address_as_host(world: World) -> None:
    assert Client().get("/healthz", HTTP_HOST="10.0.0.7").json() == {"status": "ok"}
    assert Client().get("/login/", HTTP_HOST="10.0.0.7").status_code == 400


def test_the_charset_of_the_request_is_ignored(world: World) -> None:
    strange = {"CONTENT_TYPE": "text/plain; charset=utf-7"}
    assert world.browser("admin").get("/people/?q=%2B2AA-", **strange).status_code == 200  # type: ignore[arg-type]


def test_demo_accounts_are_refused_in_production(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "PRODUCTION", True)
    with pytest.raises(CommandError, match="public password"):
        call_command("seed_demo")


def test_an_unchanged_field_of_a_form_does_not_overwrite_a_colleagues_change(world: World) -> None:
    """Aldo changes the name, Alma the role. Her form still has the old name and must not restore it."""
    person, browser = world.add(name="Old name"), world.browser("admin")
    form = form_to(browser.get(f"/people/{person.email}/"), f"/people/{person.email}/edit/")
    theirs = form_to(world.browser("admin2").get(f"/people/{person.email}/"), form.action)
    theirs.send(world.browser("admin2"), values={"name": "New name"})

    response = form.send(browser, values={"role": "owner"})

    assert response.status_code == 409
    changed = [row for row in parse(response).one("tbody").all("tr") if "data-changed" in row.attrs]
    assert [row.one("th").text.removesuffix("differs") for row in changed] == ["Role"]
    form_to(response, form.action).send(browser, follow=True)
    shown = form_to(browser.get(f"/people/{person.email}/"), form.action).data()
    assert (shown["name"], shown["role"]) == ("New name", "owner")

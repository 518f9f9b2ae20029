"""What is too large is refused before anyone reads it; the pulse answers to any name."""

from __future__ import annotations

import io

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from tests.ui.html import form_to, parse
from tests.ui.world import World

LIMIT = settings.DATA_UPLOAD_MAX_MEMORY_SIZE


class Unread(io.RawIOBase):
    """A body that must not be read."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        raise AssertionError("The body was read.")


def test_a_large_upload_is_refused_unread(world: World) -> None:
    sent = {"CONTENT_LENGTH": str(LIMIT + 1), "wsgi.input": Unread()}
    response = Client(enforce_csrf_checks=True).generic(
        "POST",
        "/login/",
        content_type="multipart/form-data; boundary=x",
        **sent,  # type: ignore[arg-type]
    )
    assert response.status_code == 413


@pytest.mark.parametrize("length", ["-1", "1e9", "９"])
def test_a_length_that_is_none_is_refused(world: World, length: str) -> None:
    assert Client().post("/login/", CONTENT_LENGTH=length).status_code == 413


def test_a_form_of_ordinary_size_is_read(world: World) -> None:
    assert Client().post("/login/", {"email": "x" * 1000, "password": "y"}).status_code == 422


def test_the_pulse_answers_to_a_load_balancer_that_calls_by_address(world: World) -> None:
    assert Client().get("/healthz", HTTP_HOST="10.0.0.7").json() == {"status": "ok"}
    assert Client().get("/login/", HTTP_HOST="10.0.0.7").status_code == 400


def test_an_encoding_of_the_browsers_own_is_not_taken(world: World) -> None:
    strange = {"CONTENT_TYPE": "text/plain; charset=utf-7"}
    assert world.browser("admin").get("/people/?q=%2B2AA-", **strange).status_code == 200  # type: ignore[arg-type]


def test_demo_accounts_never_reach_production(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "PRODUCTION", True)
    with pytest.raises(CommandError, match="public password"):
        call_command("seed_demo")


def test_what_was_only_on_the_screen_does_not_undo_a_colleague(world: World) -> None:
    """Aldo changes the name, Alma the role: her form still holds the old name, and must not bring it back."""
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

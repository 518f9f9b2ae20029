"""The command `create_admin`."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Admins, Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.table import keys, read, write
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.conftest import ACTOR, add_person
from tests.ui.walk import new_browser, values
from tests.ui.world import World

PASSWORD = "chosen-at-the-terminal"


def create_admin(monkeypatch: pytest.MonkeyPatch, email: str, password: str = PASSWORD, **options: Any) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(password + "\n"))
    out = io.StringIO()
    call_command("create_admin", email, stdin=True, stdout=out, **options)
    return out.getvalue()


def can_sign_in(email: str, password: str) -> bool:
    return bool(new_browser().post("/login/", {"email": email, "password": password}).status_code == 303)


def admin_roster() -> set[str]:
    item = read.get(Admins, keys.ADMINS.key())
    return set(item.emails or ()) if item else set()


def test_the_first_admin_is_created_and_can_sign_in(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    output = create_admin(monkeypatch, " Alma@Example.com", name="Alma Ríos")
    assert output == "alma@example.com is an admin and can sign in.\n"
    person = queries.load_person("alma@example.com")
    assert (person.name, person.state) == ("Alma Ríos", Role.ADMIN)
    assert admin_roster() == {"alma@example.com"}
    assert audit_entries.last_entry("alma@example.com")[:2] == ("system", "person.create")
    assert can_sign_in("alma@example.com", PASSWORD)


def test_the_password_can_be_typed_at_a_prompt(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getpass", lambda prompt: PASSWORD)
    call_command("create_admin", "alma@example.com", stdout=io.StringIO())
    assert can_sign_in("alma@example.com", PASSWORD)


@pytest.mark.parametrize("password", ["", "short", "password1234", "123456789012345"])
def test_a_weak_password_is_refused(world: World, monkeypatch: pytest.MonkeyPatch, password: str) -> None:
    with pytest.raises(CommandError, match="password"):
        create_admin(monkeypatch, "weak@example.com", password)
    assert queries.find_person("weak@example.com") is None


@pytest.mark.parametrize("email", ["alma", "al#ma@example.com", "al/ma@example.com", "a" * 300 + "@example.com"])
def test_an_invalid_address_is_refused(world: World, monkeypatch: pytest.MonkeyPatch, email: str) -> None:
    with pytest.raises(CommandError):
        create_admin(monkeypatch, email)


def test_a_person_of_an_outside_writer_becomes_admin_and_keeps_their_attributes(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = [Person.email.set("eva@example.com"), Person.name.set("Eva"), Person.country.set("PE")]
    write.update(keys.PERSON.key(email="eva@example.com"), [*written, Person.role.set("attendee")])
    create_admin(monkeypatch, "eva@example.com")
    person = queries.load_person("eva@example.com")
    assert (person.name, person.country, person.role) == ("Eva", "PE", "attendee")
    assert values(person, "state", "made_here") == (Role.ADMIN, None)
    assert admin_roster() == {"eva@example.com"}


def test_a_disabled_person_becomes_an_admin_who_can_sign_in(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sam = add_person("sam@example.com", Role.STAFF, "Sam")
    people.disable(sam.email, revision=sam.revision, command=new_command(ACTOR))
    create_admin(monkeypatch, "sam@example.com")
    person = queries.load_person("sam@example.com")
    assert (person.name, person.state) == ("Sam", Role.ADMIN)
    assert person.epoch > sam.epoch, "all earlier sessions have ended"
    assert can_sign_in("sam@example.com", PASSWORD)

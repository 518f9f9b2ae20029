"""One admin who can sign in always remains, also after parallel requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from dashboard.core.errors import DomainError, Refused
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Admins, Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links, people
from dashboard.table import keys, read
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.conftest import ACTOR, HASHED, add_person, real_engines, sign_in
from tests.ui.html import form_to, parse, toasts, undo_form

LAST = "This is the last admin who can sign in."


def admin_roster() -> set[str]:
    item = read.get(Admins, keys.ADMINS.key())
    return set(item.emails or ()) if item else set()


def listed_admins() -> set[str]:
    """The admins in the list of people. The roster must contain the same ones."""
    return {person.email for person in queries.accounts("admin").items}


def disable(person: Person) -> Person:
    return people.disable(person.email, revision=person.revision, command=new_command(ACTOR))


def demote(person: Person) -> Person:
    return people.edit(person.email, name="", role=Role.OWNER, revision=person.revision, command=new_command(ACTOR))


@pytest.mark.parametrize("act", [disable, demote])
def test_the_last_admin_cannot_be_disabled_or_demoted(table: str, act: Callable[[Person], Person]) -> None:
    alma, aldo = add_person("alma@example.com", Role.ADMIN), add_person("aldo@example.com", Role.ADMIN)
    act(aldo)
    with pytest.raises(Refused, match=LAST):
        act(alma)
    assert queries.load_person("alma@example.com").revision == alma.revision
    assert admin_roster() == listed_admins() == {"alma@example.com"}


def test_the_last_admin_sees_why_the_change_is_refused(table: str) -> None:
    alma = add_person("alma@example.com", Role.ADMIN)
    browser = sign_in(alma)
    page = browser.get("/people/alma@example.com/")

    demoted = form_to(page, "/people/alma@example.com/edit/").send(browser, values={"role": "staff", "name": "A."})
    assert demoted.status_code == 422
    assert LAST in parse(demoted).text
    assert form_to(demoted, "/people/alma@example.com/edit/").data()["name"] == "A."

    disabled = form_to(page, "/people/alma@example.com/disable/").send(browser)
    assert disabled.status_code == 422
    assert LAST in parse(disabled).text

    sent = {"action": "disable", "selected": [alma.selection_value]}
    assert LAST in toasts(browser.post("/people/bulk/", sent, follow=True))[0]
    assert queries.load_person("alma@example.com").state == "admin"
    assert audit_entries.actions("alma@example.com") == ["person.create"]


@real_engines
def test_disabling_all_admins_at_once_leaves_one(table: str) -> None:
    """They are disabled in parallel, so any one of them may remain."""
    everyone = [add_person(f"{name}@example.com", Role.ADMIN) for name in ("alma", "aldo", "ana")]
    sent = {"action": "disable", "selected": [person.selection_value for person in everyone]}
    response = sign_in(everyone[0]).post("/people/bulk/", sent, follow=True)
    assert any(LAST in text for text in toasts(response))
    assert len(admin_roster()) == 1
    assert admin_roster() == listed_admins()


@real_engines
@pytest.mark.parametrize("act", [disable, demote])
def test_two_admins_at_once_cannot_lock_everyone_out(table: str, act: Callable[[Person], Person]) -> None:
    for turn in range(2):
        pair = [add_person(f"{name}-{turn}@example.com", Role.ADMIN) for name in ("alma", "aldo")]
        for other in listed_admins() - {person.email for person in pair}:
            disable(queries.load_person(other))
        start = Barrier(2)

        def race(person: Person, start: Barrier = start) -> str:
            start.wait()
            try:
                act(person)
                return "done"
            except DomainError as refusal:
                return type(refusal).__name__

        with ThreadPoolExecutor(2) as threads:
            assert Counter(threads.map(race, pair)) == {"done": 1, "Refused": 1}
        assert len(admin_roster()) == 1
        assert admin_roster() == listed_admins()


def test_every_change_of_who_is_an_admin_updates_the_roster(table: str) -> None:
    alma = add_person("alma@example.com", Role.ADMIN)
    browser = sign_in(alma)
    sam = add_person("sam@example.com", Role.STAFF)

    sam = people.edit("sam@example.com", name="", role=Role.ADMIN, revision=sam.revision, command=new_command(ACTOR))
    assert admin_roster() == {"alma@example.com", "sam@example.com"}
    sam = disable(sam)
    assert admin_roster() == {"alma@example.com"}
    # A disabled admin is never on the roster.
    sam = people.edit("sam@example.com", name="S", role=Role.OWNER, revision=sam.revision, command=new_command(ACTOR))
    sam = people.edit("sam@example.com", name="S", role=Role.ADMIN, revision=sam.revision, command=new_command(ACTOR))
    assert admin_roster() == {"alma@example.com"}
    people.enable("sam@example.com", revision=sam.revision, command=new_command(ACTOR))
    assert admin_roster() == {"alma@example.com", "sam@example.com"}

    # An invited admin is on the roster only after they have joined.
    command = new_command(ACTOR)
    ines = people.invite("ines@example.com", name="", role=Role.ADMIN, command=command)
    assert "ines@example.com" not in admin_roster()
    token = links.token_of(ines, command)
    assert token is not None
    links.open_account(token, password="a-long-enough-one", command=new_command(ACTOR))
    assert admin_roster() == listed_admins() == {"alma@example.com", "sam@example.com", "ines@example.com"}

    # Undo of a demotion puts them back on the roster.
    page = browser.get("/people/ines@example.com/")
    demoted = form_to(page, "/people/ines@example.com/edit/").send(browser, values={"role": "staff"}, follow=True)
    assert admin_roster() == {"alma@example.com", "sam@example.com"}
    undo_form(demoted).send(browser)
    assert admin_roster() == listed_admins() == {"alma@example.com", "sam@example.com", "ines@example.com"}


def test_an_admin_created_twice_is_on_the_roster_once(table: str) -> None:
    for _ in range(2):
        people.create("alma@example.com", name="", role=Role.ADMIN, password_hash=HASHED, command=new_command(ACTOR))
    assert admin_roster() == {"alma@example.com"}

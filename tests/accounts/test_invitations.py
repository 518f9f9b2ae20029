"""Invitations: create, withdraw, and create again by undo."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.invitations import assert_link_is_refused, create_invitation, invite, link_of, new_email
from tests.conftest import ACTOR
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import values
from tests.ui.world import World


def test_a_new_person_is_invited_and_the_link_is_shown_once(world: World) -> None:
    browser, email = world.browser("admin"), new_email()
    assert queries.find_person(email) is None

    response = invite(browser, email=f" {email.upper()}", name="Nora", role="moderator")

    assert response.status_code == 200
    assert "Nora" in toasts(response)[0]
    person = queries.load_person(email)
    assert (person.name, person.state, person.office_role) == ("Nora", "invited", Role.MODERATOR)
    assert values(person, "password_hash", "made_here") == (None, 1)
    assert person.link_expires_at == person.invited_at + timedelta(days=7)
    token = link_of(response).split("/")[2]
    assert token.partition(".")[2] not in str(person.serialize()), "only the hash of the token is stored"
    assert audit_entries.last_entry(email) == (
        "alma@example.com",
        "person.invite",
        {"name": None, "role": None, "state": None},
        {"name": "Nora", "role": "moderator", "state": "invited"},
    )
    assert token not in browser.get(f"/people/{email}/").content.decode()


def test_inviting_a_person_of_an_outside_writer_keeps_their_attributes(world: World) -> None:
    email = new_email()
    key = keys.PERSON.key(email=email)
    progress = [{"step": 1, "done": True}]
    written = [Person.email.set(email), Person.name.set("Ximena"), Person.role.set("attendee")]
    written += [Person.country.set("CL"), Person.progress.set(progress), Person.language.set("es-CL")]
    write.update(key, written)

    response = invite(world.browser("admin"), email=email, name="", role="staff")

    person = queries.load_person(email)
    assert (person.name, person.role, person.country) == ("Ximena", "attendee", "CL")
    assert values(person, "progress", "language", "made_here") == (progress, "es-CL", None)
    assert (person.state, person.revision) == ("invited", 1)
    # Withdrawing the invitation keeps the attributes too.
    withdrawn = undo_form(response).send(world.browser("admin"))
    assert withdrawn.status_code == 303
    after = queries.load_person(email)
    assert values(after, "name", "progress", "state", "link_hash") == ("Ximena", progress, None, None)


def test_inviting_someone_with_an_account_is_refused_and_keeps_the_input(world: World) -> None:
    before = world.people["moderator"]
    response = invite(world.browser("admin"), email="MARCO@example.com", name="Another Marco", role="admin")
    assert response.status_code == 422
    form_data = form_to(response, "/people/new/").data()
    assert (form_data["email"], form_data["name"], form_data["role"]) == ("MARCO@example.com", "Another Marco", "admin")
    assert "This person already has an account." in parse(response).by_class("error")[0].text
    assert queries.load_person(before.email).revision == before.revision
    assert "person.invite" not in audit_entries.actions(before.email)


@pytest.mark.parametrize(
    "email",
    [
        "",
        "nobody",
        "no@body",
        "a b@example.com",
        "a@b@example.com",
        "a#b@example.com",
        "a/b@example.com",
        "a?b@example.com",
        "a\\b@example.com",
        '"a#b"@example.com',
        "a@example.com\r\nBcc: x@example.com",
        "\x00@example.com",
        "a@-example.com",
        "<script>@example.com",
        f"{'a' * 64}@{'b' * 63}.{'c' * 63}.{'d' * 63}.com",
        "a" * 300 + "@example.com",
    ],
)
def test_an_invalid_address_is_refused(world: World, email: str) -> None:
    response = invite(world.browser("admin"), email=email, name="N", role="staff")
    assert response.status_code == 422
    assert form_to(response, "/people/new/").data()["name"] == "N"
    assert queries.find_person(email.lower()) is None


@pytest.mark.parametrize(
    "email",
    ["o'brien@example.com", "a+b%2f@example.com", "a&b=c{d}|e~@example.com", "x@münchen.example", "new@example.com"],
)
def test_an_unusual_but_valid_address_works_on_every_page(world: World, email: str) -> None:
    browser = world.browser("admin")
    assert invite(browser, email=email, name="", role="staff").status_code == 200
    list_page = parse(browser.get("/people/", {"q": email}))
    (link,) = list_page.by_class("row-link")
    page = browser.get(link.attrs["href"])
    assert email in parse(page).one("dl", class_="details").text
    form = next(each for each in parse(page).all("form") if each.attrs["action"].endswith("/withdraw/"))
    assert browser.post(form.attrs["action"], {"revision": "1"}).status_code == 303
    assert queries.find_person(email) is None


@pytest.mark.parametrize("role", ["", "root", "ADMIN", "attendee"])
def test_an_unknown_role_is_refused(world: World, role: str) -> None:
    email = new_email()
    assert world.browser("admin").post("/people/new/", {"email": email, "role": role}).status_code == 422
    assert queries.find_person(email) is None


def test_a_form_sent_twice_invites_once_and_shows_the_same_link(world: World) -> None:
    browser, email = world.browser("admin"), new_email()
    form = form_to(browser.get("/people/new/"), "/people/new/")
    first, second = (form.send(browser, values={"email": email, "role": "staff"}) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert link_of(first) == link_of(second)
    assert toasts(first) == toasts(second) and email in toasts(first)[0]
    assert audit_entries.actions(email) == ["person.invite"]
    # After a newer link has replaced it, the old form does not show the invalid link.
    browser.post(f"/people/{email}/link/", {"revision": queries.load_person(email).revision})
    third = form.send(browser, values={"email": email, "role": "staff"})
    assert "This link has been used or replaced" in parse(third).text
    assert not parse(third).all("input", id="link")


def test_an_invitation_is_withdrawn_and_the_undo_creates_a_new_link(world: World) -> None:
    browser = world.browser("admin")
    person, link = create_invitation()
    page = browser.get(f"/people/{person.email}/")
    withdrawn_page = form_to(page, f"/people/{person.email}/withdraw/").send(browser, follow=True)
    assert withdrawn_page.redirect_chain == [("/people/", 303)]
    assert person.email in toasts(withdrawn_page)[0]
    assert queries.find_person(person.email) is None
    assert audit_entries.actions(person.email) == ["person.withdraw", "person.invite"]

    again = undo_form(withdrawn_page).send(browser)
    back = queries.load_person(person.email)
    assert (back.name, back.state, back.back_office_role) == ("New", "invited", "staff")
    assert link_of(again) != link
    assert_link_is_refused(link)


def test_a_withdraw_form_sent_twice_is_answered_as_done(world: World) -> None:
    browser = world.browser("admin")
    person, _ = create_invitation()
    form = form_to(browser.get(f"/people/{person.email}/"), f"/people/{person.email}/withdraw/")
    assert [form.send(browser).status_code for _ in range(2)] == [303, 303]
    # Without the command of that form it is a new command, and there is nobody to withdraw.
    assert browser.post(f"/people/{person.email}/withdraw/", {"revision": "1"}).status_code == 404


def test_an_active_account_cannot_be_withdrawn(world: World) -> None:
    person = world.add()
    response = world.browser("admin").post(f"/people/{person.email}/withdraw/", {"revision": person.revision})
    assert response.status_code == 409
    assert queries.load_person(person.email).state == "staff"


def test_withdrawing_with_an_old_revision_is_a_conflict(world: World) -> None:
    person, _ = create_invitation()
    links.create_link(person.email, revision=person.revision, command=new_command(ACTOR))
    response = world.browser("admin").post(f"/people/{person.email}/withdraw/", {"revision": person.revision})
    assert response.status_code == 409
    assert queries.load_person(person.email).state == "invited"

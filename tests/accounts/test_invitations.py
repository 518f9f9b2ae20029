"""Invitations: given, taken back and given again."""

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
from tests.accounts.invitations import assert_dead, invite, invited, link_of, new_email
from tests.conftest import ACTOR
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.walk import values
from tests.ui.world import World


def test_someone_new_is_invited_by_a_link_that_is_shown_once(world: World) -> None:
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
    assert token.partition(".")[2] not in str(person.serialize()), "only its hash is stored"
    assert audit_entries.last(email) == (
        "alma@example.com",
        "person.invite",
        {"name": None, "role": None, "state": None},
        {"name": "Nora", "role": "moderator", "state": "invited"},
    )
    assert token not in browser.get(f"/people/{email}/").content.decode()


def test_a_person_of_another_service_keeps_what_it_wrote(world: World) -> None:
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
    # And keeps it when the invitation is taken back.
    withdrawn = undo_form(response).send(world.browser("admin"))
    assert withdrawn.status_code == 303
    after = queries.load_person(email)
    assert values(after, "name", "progress", "state", "link_hash") == ("Ximena", progress, None, None)


def test_whoever_has_an_account_cannot_be_invited_and_what_was_typed_stays(world: World) -> None:
    before = world.people["moderator"]
    response = invite(world.browser("admin"), email="MARCO@example.com", name="Another Marco", role="admin")
    assert response.status_code == 422
    typed = form_to(response, "/people/new/").data()
    assert (typed["email"], typed["name"], typed["role"]) == ("MARCO@example.com", "Another Marco", "admin")
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
def test_an_address_that_cannot_name_a_person_is_refused(world: World, email: str) -> None:
    response = invite(world.browser("admin"), email=email, name="N", role="staff")
    assert response.status_code == 422
    assert form_to(response, "/people/new/").data()["name"] == "N"
    assert queries.find_person(email.lower()) is None


@pytest.mark.parametrize(
    "email",
    ["o'brien@example.com", "a+b%2f@example.com", "a&b=c{d}|e~@example.com", "x@münchen.example", "new@example.com"],
)
def test_an_odd_address_works_everywhere(world: World, email: str) -> None:
    browser = world.browser("admin")
    assert invite(browser, email=email, name="", role="staff").status_code == 200
    listed = parse(browser.get("/people/", {"q": email}))
    (link,) = listed.by_class("row-link")
    page = browser.get(link.attrs["href"])
    assert email in parse(page).one("dl", class_="details").text
    form = next(each for each in parse(page).all("form") if each.attrs["action"].endswith("/withdraw/"))
    assert browser.post(form.attrs["action"], {"revision": "1"}).status_code == 303
    assert queries.find_person(email) is None


@pytest.mark.parametrize("role", ["", "root", "ADMIN", "attendee"])
def test_a_role_that_does_not_exist_cannot_be_given(world: World, role: str) -> None:
    email = new_email()
    assert world.browser("admin").post("/people/new/", {"email": email, "role": role}).status_code == 422
    assert queries.find_person(email) is None


def test_the_same_form_sent_twice_invites_once_and_shows_the_same_link(world: World) -> None:
    browser, email = world.browser("admin"), new_email()
    form = form_to(browser.get("/people/new/"), "/people/new/")
    first, second = (form.send(browser, values={"email": email, "role": "staff"}) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert link_of(first) == link_of(second)
    assert toasts(first) == toasts(second) and email in toasts(first)[0]
    assert audit_entries.actions(email) == ["person.invite"]
    # Once a newer link has taken its place, the old answer does not show a link that is dead.
    browser.post(f"/people/{email}/link/", {"revision": queries.load_person(email).revision})
    third = form.send(browser, values={"email": email, "role": "staff"})
    assert "This link has been used or replaced" in parse(third).text
    assert not parse(third).all("input", id="link")


def test_an_invitation_is_taken_back_and_given_again(world: World) -> None:
    browser = world.browser("admin")
    person, link = invited()
    page = browser.get(f"/people/{person.email}/")
    gone = form_to(page, f"/people/{person.email}/withdraw/").send(browser, follow=True)
    assert gone.redirect_chain == [("/people/", 303)]
    assert person.email in toasts(gone)[0]
    assert queries.find_person(person.email) is None
    assert audit_entries.actions(person.email) == ["person.withdraw", "person.invite"]

    again = undo_form(gone).send(browser)
    back = queries.load_person(person.email)
    assert (back.name, back.state, back.back_office_role) == ("New", "invited", "staff")
    assert link_of(again) != link
    assert_dead(link)


def test_withdrawing_twice_with_one_form_is_answered_as_done(world: World) -> None:
    browser = world.browser("admin")
    person, _ = invited()
    form = form_to(browser.get(f"/people/{person.email}/"), f"/people/{person.email}/withdraw/")
    assert [form.send(browser).status_code for _ in range(2)] == [303, 303]
    # Without that form's command it is another wish, and there is nobody to withdraw.
    assert browser.post(f"/people/{person.email}/withdraw/", {"revision": "1"}).status_code == 404


def test_an_account_that_was_opened_cannot_be_withdrawn(world: World) -> None:
    person = world.add()
    response = world.browser("admin").post(f"/people/{person.email}/withdraw/", {"revision": person.revision})
    assert response.status_code == 409
    assert queries.load_person(person.email).state == "staff"


def test_an_invitation_seen_in_an_older_version_is_not_withdrawn(world: World) -> None:
    person, _ = invited()
    links.create_link(person.email, revision=person.revision, command=new_command(ACTOR))
    response = world.browser("admin").post(f"/people/{person.email}/withdraw/", {"revision": person.revision})
    assert response.status_code == 409
    assert queries.load_person(person.email).state == "invited"

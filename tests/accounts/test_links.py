"""One-time links: valid once, for a limited time, until a newer link replaces them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.core.clock import frozen, now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links, people, profile
from dashboard.table import read
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.invitations import NEW_PASSWORD, assert_link_is_refused, create_invitation, join, link_of
from tests.conftest import ACTOR, PASSWORD, sign_in
from tests.ui.html import form_to, parse, toasts
from tests.ui.walk import new_browser, values
from tests.ui.world import World


def test_joining_with_the_link_activates_the_account_and_signs_in(world: World) -> None:
    person, link = create_invitation()
    browser = new_browser()
    page = browser.get(link)
    assert page.status_code == 200 and person.email in parse(page).text

    response = form_to(page, link).send(browser, values={"password": NEW_PASSWORD}, follow=True)

    assert response.redirect_chain == [("/", 303)]
    assert "New" in toasts(response)[0]
    after = queries.load_person(person.email)
    assert after.state == Role.STAFF and after.may_sign_in
    assert values(after, "link_hash", "link_expires_at", "invited_at") == (None, None, None)
    actor, action, before, changed = audit_entries.last_entry(person.email)
    assert (action, before["state"], changed["state"]) == ("person.join", "invited", "active")
    assert actor == person.email
    assert browser.get("/account/").status_code == 200
    signed_in = new_browser().post("/login/", {"email": person.email, "password": NEW_PASSWORD})
    assert signed_in.status_code == 303


def test_joining_in_the_browser_of_another_person_ends_their_session(world: World) -> None:
    _, link = create_invitation()
    other = world.add()
    browser = sign_in(other)
    join(link, browser=browser)
    assert queries.sessions(other.email) == []


def test_a_link_works_once(world: World) -> None:
    _, link = create_invitation()
    assert join(link).status_code == 303
    assert_link_is_refused(link)


def test_a_join_form_sent_twice_is_answered_as_done(world: World) -> None:
    person, link = create_invitation()
    browser = new_browser()
    form = form_to(browser.get(link), link)
    twice = [form.send(new_browser(), values={"password": NEW_PASSWORD}) for _ in range(2)]
    assert [response.status_code for response in twice] == [303, 303]
    assert audit_entries.actions(person.email) == ["person.join", "person.invite"]


def test_a_join_form_sent_again_after_a_password_change_is_refused(world: World) -> None:
    person, link = create_invitation()
    form = form_to(new_browser().get(link), link)
    form.send(new_browser(), values={"password": NEW_PASSWORD})
    command = new_command(person.actor)
    profile.change_password(person.email, current=NEW_PASSWORD, new="another-long-one", session_id="", command=command)
    again = form.send(new_browser(), values={"password": NEW_PASSWORD})
    assert again.status_code == 404 and "session" not in again.cookies


def test_a_link_works_for_seven_days(world: World) -> None:
    person, link = create_invitation()
    assert person.link_expires_at is not None
    with frozen(person.link_expires_at - timedelta(seconds=1)):
        assert new_browser().get(link).status_code == 200
    with frozen(person.link_expires_at):
        assert_link_is_refused(link)


def test_a_newer_link_replaces_the_older_one(world: World) -> None:
    person, link = create_invitation()
    newer = world.browser("admin").post(f"/people/{person.email}/link/", {"revision": person.revision})
    assert_link_is_refused(link)
    assert new_browser().get(link_of(newer)).status_code == 200
    assert audit_entries.last_entry(person.email)[:2] == ("alma@example.com", "person.invite_again")


def test_a_link_is_refused_after_withdrawal(world: World) -> None:
    withdrawn, link = create_invitation()
    people.withdraw(withdrawn.email, revision=withdrawn.revision, command=new_command(ACTOR))
    assert_link_is_refused(link)


def test_a_forged_link_is_not_found(world: World) -> None:
    person, link = create_invitation()
    _, other_link = create_invitation()
    name, secret = link.split("/")[2].split(".")
    other_name, _ = other_link.split("/")[2].split(".")
    tampered = [
        f"{name}.{secret[:-1]}",
        f"{name}.{secret[:-1]}{'0' if secret[-1] != '0' else '1'}",
        f"{name}.",
        name,
        f"{other_name}.{secret}",
        f".{secret}",
        "x",
        "%00.x",
        "ñ.ñ",
        f"{name}.{secret}.more",
        "YSNi.x",
        "w" * 3000 + ".x",
    ]
    for token in tampered:
        assert_link_is_refused(f"/join/{token}/")
    assert queries.load_person(person.email).revision == person.revision
    with pytest.raises(NotFound):
        links.load_person_by_token("")


@pytest.mark.parametrize(
    "password", ["", "too-brief", "password1234", "123456789012345", "x" * 129, "with-a-nul-\x00-byte"]
)
def test_a_weak_password_is_refused_and_the_link_stays_valid(world: World, password: str) -> None:
    person, link = create_invitation()
    response = join(link, password)
    assert response.status_code == 422
    assert queries.load_person(person.email).revision == person.revision
    assert password == "" or password not in response.content.decode()
    assert join(link).status_code == 303


def test_a_password_link_changes_the_password_and_ends_every_session(world: World) -> None:
    person = world.add()
    theirs = sign_in(person)
    browser = world.browser("admin")
    page = browser.get(f"/people/{person.email}/")
    response = form_to(page, f"/people/{person.email}/link/").send(browser)
    assert audit_entries.last_entry(person.email)[:2] == ("alma@example.com", "person.reset")
    linked = queries.load_person(person.email)
    assert linked.link_expires_at is not None
    assert timedelta(hours=23, minutes=59) < linked.link_expires_at - now() <= timedelta(hours=24)
    # Nothing changes for the person until the link is used.
    assert theirs.get("/").status_code == 200

    assert join(link_of(response)).status_code == 303
    assert theirs.get("/").status_code == 302
    assert audit_entries.last_entry(person.email)[1] == "person.new_password"
    responses = {
        word: new_browser().post("/login/", {"email": person.email, "password": word})
        for word in (PASSWORD, NEW_PASSWORD)
    }
    assert (responses[PASSWORD].status_code, responses[NEW_PASSWORD].status_code) == (422, 303)


def test_no_link_can_be_created_for_a_disabled_person(world: World) -> None:
    person = world.people["disabled"]
    response = world.browser("admin").post(f"/people/{person.email}/link/", {"revision": person.revision})
    assert response.status_code == 422
    assert "Enable this person first" in parse(response).text
    assert read.get(Person, person.key).link_hash is None  # type: ignore[union-attr]

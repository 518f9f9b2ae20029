"""One-time links: used once, for a while, until a newer one takes their place."""

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
from tests.accounts.invitations import NEW_PASSWORD, assert_dead, invited, join, link_of
from tests.conftest import ACTOR, PASSWORD, sign_in
from tests.ui.html import form_to, parse, toasts
from tests.ui.walk import new_browser, values
from tests.ui.world import World


def test_joining_by_the_link_opens_the_account_and_signs_in(world: World) -> None:
    person, link = invited()
    browser = new_browser()
    page = browser.get(link)
    assert page.status_code == 200 and person.email in parse(page).text

    response = form_to(page, link).send(browser, values={"password": NEW_PASSWORD}, follow=True)

    assert response.redirect_chain == [("/", 303)]
    assert "New" in toasts(response)[0]
    after = queries.load_person(person.email)
    assert after.state == Role.STAFF and after.may_sign_in
    assert values(after, "link_hash", "link_expires_at", "invited_at") == (None, None, None)
    actor, action, before, reloaded = audit_entries.last(person.email)
    assert (action, before["state"], reloaded["state"]) == ("person.join", "invited", "active")
    assert actor == person.email
    assert browser.get("/account/").status_code == 200
    signed_in = new_browser().post("/login/", {"email": person.email, "password": NEW_PASSWORD})
    assert signed_in.status_code == 303


def test_joining_in_anothers_browser_ends_their_session_there(world: World) -> None:
    _, link = invited()
    other = world.add()
    browser = sign_in(other)
    join(link, browser=browser)
    assert queries.sessions(other.email) == []


def test_a_link_works_once(world: World) -> None:
    _, link = invited()
    assert join(link).status_code == 303
    assert_dead(link)


def test_a_join_form_sent_twice_is_answered_as_done(world: World) -> None:
    person, link = invited()
    browser = new_browser()
    form = form_to(browser.get(link), link)
    twice = [form.send(new_browser(), values={"password": NEW_PASSWORD}) for _ in range(2)]
    assert [response.status_code for response in twice] == [303, 303]
    assert audit_entries.actions(person.email) == ["person.join", "person.invite"]


def test_a_join_form_sent_again_after_the_password_was_changed_opens_nothing(world: World) -> None:
    person, link = invited()
    form = form_to(new_browser().get(link), link)
    form.send(new_browser(), values={"password": NEW_PASSWORD})
    command = new_command(person.actor)
    profile.change_password(person.email, current=NEW_PASSWORD, new="another-long-one", session_id="", command=command)
    again = form.send(new_browser(), values={"password": NEW_PASSWORD})
    assert again.status_code == 404 and "session" not in again.cookies


def test_a_link_works_for_seven_days(world: World) -> None:
    person, link = invited()
    assert person.link_expires_at is not None
    with frozen(person.link_expires_at - timedelta(seconds=1)):
        assert new_browser().get(link).status_code == 200
    with frozen(person.link_expires_at):
        assert_dead(link)


def test_a_newer_link_replaces_it(world: World) -> None:
    person, link = invited()
    newer = world.browser("admin").post(f"/people/{person.email}/link/", {"revision": person.revision})
    assert_dead(link)
    assert new_browser().get(link_of(newer)).status_code == 200
    assert audit_entries.last(person.email)[:2] == ("alma@example.com", "person.invite_again")


def test_a_link_dies_with_the_invitation(world: World) -> None:
    withdrawn, link = invited()
    people.withdraw(withdrawn.email, revision=withdrawn.revision, command=new_command(ACTOR))
    assert_dead(link)


def test_a_made_up_link_is_not_found(world: World) -> None:
    person, link = invited()
    _, other_link = invited()
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
        assert_dead(f"/join/{token}/")
    assert queries.load_person(person.email).revision == person.revision
    with pytest.raises(NotFound):
        links.load_person_by_token("")


@pytest.mark.parametrize(
    "password", ["", "too-brief", "password1234", "123456789012345", "x" * 129, "with-a-nul-\x00-byte"]
)
def test_a_weak_password_leaves_the_link_as_it_was(world: World, password: str) -> None:
    person, link = invited()
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
    assert audit_entries.last(person.email)[:2] == ("alma@example.com", "person.reset")
    linked = queries.load_person(person.email)
    assert linked.link_expires_at is not None
    assert timedelta(hours=23, minutes=59) < linked.link_expires_at - now() <= timedelta(hours=24)
    # Until it is used nothing changes for them.
    assert theirs.get("/").status_code == 200

    assert join(link_of(response)).status_code == 303
    assert theirs.get("/").status_code == 302
    assert audit_entries.last(person.email)[1] == "person.new_password"
    tried = {
        word: new_browser().post("/login/", {"email": person.email, "password": word})
        for word in (PASSWORD, NEW_PASSWORD)
    }
    assert (tried[PASSWORD].status_code, tried[NEW_PASSWORD].status_code) == (422, 303)


def test_a_disabled_person_gets_no_link(world: World) -> None:
    person = world.people["disabled"]
    response = world.browser("admin").post(f"/people/{person.email}/link/", {"revision": person.revision})
    assert response.status_code == 422
    assert "Enable this person first" in parse(response).text
    assert read.get(Person, person.key).link_hash is None  # type: ignore[union-attr]

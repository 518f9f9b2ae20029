"""Who someone is, their key says: an attribute that another service rewrote opens nobody else's account."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.core.errors import NotFound, Refused
from dashboard.core.ids import new_id
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links, people, profile
from dashboard.platform.businesses.items import Member
from dashboard.platform.businesses.services import members
from dashboard.table import connection, keys, read
from dashboard.table.commands import new_command
from tests.conftest import ACTOR, HASHED, PASSWORD, add_business
from tests.ui.world import World


def person_said_to_be(address: str, said: str | None) -> None:
    """Someone with a password, whose `email` another service has written."""
    at = keys.PERSON.key(email=address)
    raw = {
        "PK": {"S": at.pk},
        "SK": {"S": at.sk},
        "backOfficeRole": {"S": "staff"},
        "passwordHash": {"S": HASHED},
        "sessionEpoch": {"N": "1"},
    }
    more = {} if said is None else {"email": {"S": said}}
    connection.client().put_item(TableName=connection.table().table_name, Item=raw | more)


@pytest.mark.parametrize("said", ["aldo@example.com", "", None, "Cap@Example.com"])
def test_a_rewritten_address_lets_nobody_into_anothers_account(world: World, said: str | None) -> None:
    address = f"mal-{new_id()[-8:]}@example.com"
    person_said_to_be(address, said)
    browser = Client()
    assert browser.post("/login/", {"email": address, "password": PASSWORD}).status_code == 303
    assert browser.get("/people/").status_code == 403, "staff, as their own key says"
    assert address in browser.get("/account/").content.decode()
    assert queries.sessions(address) and queries.load_person(address).email == address


def test_a_link_ends_with_the_password_and_with_the_role_it_was_made_for(world: World) -> None:
    for change in ("password", "role", "disabled"):
        person = world.add(Role.STAFF)
        command = new_command(ACTOR)
        given = links.create_link(person.email, revision=person.revision, command=command)
        token = links.token_of(given, command)
        assert token is not None and links.load_person_by_token(token).email == person.email
        if change == "password":
            profile.change_password(
                person.email, current=PASSWORD, new="another-long-one-9", session_id="", command=new_command(ACTOR)
            )
        elif change == "role":
            people.edit(person.email, name="", role=Role.ADMIN, revision=given.revision, command=new_command(ACTOR))
        else:
            gone = people.disable(person.email, revision=given.revision, command=new_command(ACTOR))
            people.enable(person.email, revision=gone.revision, command=new_command(ACTOR))
        with pytest.raises(NotFound):
            links.load_person_by_token(token)


def test_an_invitation_survives_another_role(world: World) -> None:
    command = new_command(ACTOR)
    email = f"new-{new_id()[-8:]}@example.com"
    guest = people.invite(email, name="", role=Role.STAFF, command=command)
    token = links.token_of(guest, command)
    assert token is not None
    people.edit(email, name="", role=Role.OWNER, revision=guest.revision, command=new_command(ACTOR))
    assert links.load_person_by_token(token).office_role == Role.OWNER


def test_a_withdrawn_invitation_leaves_no_place_in_a_business(world: World) -> None:
    """Whoever gets the address later would come in with it."""
    email, business = f"temp-{new_id()[-8:]}@example.com", f"shop-{new_id()[-8:]}"
    add_business(business, "Shop")
    guest = people.invite(email, name="Temp", role=Role.OWNER, command=new_command(ACTOR))
    members.add(business, email, command=new_command(ACTOR))
    people.withdraw(email, revision=guest.revision, command=new_command(ACTOR))
    assert read.get(Member, keys.MEMBER.key(tenant=business, email=email)) is None
    for number in range(people.MAX_MEMBERSHIPS + 1):
        add_business(f"{business}-{number}", "Shop")
    guest = people.invite(email, name="Temp", role=Role.OWNER, command=new_command(ACTOR))
    for number in range(people.MAX_MEMBERSHIPS + 1):
        members.add(f"{business}-{number}", email, command=new_command(ACTOR))
    with pytest.raises(Refused):
        people.withdraw(email, revision=guest.revision, command=new_command(ACTOR))


@pytest.mark.parametrize("email", ['"x\x0b1:victim@example.com\x0b"@evil.example', '"a b"@example.com', "a\x1fb@x.org"])
def test_an_address_that_could_be_read_as_two_is_refused(world: World, email: str) -> None:
    response = world.browser("admin").post("/people/new/", {"email": email, "name": "", "role": "staff"})
    assert response.status_code == 422


def test_a_row_is_picked_as_one_whatever_its_address(world: World) -> None:
    """One of another service may hold a space."""
    victim = world.add(Role.STAFF)
    odd = f'"x 1:{victim.email} "@example.com'
    person_said_to_be(odd, odd)
    picked = queries.load_person(odd).selection_value
    assert " " not in picked
    world.browser("admin").post("/people/bulk/", {"action": "disable", "selected": picked})
    assert queries.load_person(victim.email).state == Role.STAFF
    assert queries.load_person(odd).state == "disabled"

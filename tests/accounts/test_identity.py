"""A person is identified by their key. An e-mail that an outside writer changed gives no access to another account."""

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


def put_person(address: str, email: str | None) -> None:
    """Write a person with a password, whose attribute `email` was written by an outside writer."""
    at = keys.PERSON.key(email=address)
    raw = {
        "PK": {"S": at.pk},
        "SK": {"S": at.sk},
        "backOfficeRole": {"S": "staff"},
        "passwordHash": {"S": HASHED},
        "sessionEpoch": {"N": "1"},
    }
    more = {} if email is None else {"email": {"S": email}}
    connection.client().put_item(TableName=connection.table().table_name, Item=raw | more)


@pytest.mark.parametrize("email", ["aldo@example.com", "", None, "Cap@Example.com"])
def test_a_changed_email_attribute_gives_no_access_to_another_account(world: World, email: str | None) -> None:
    address = f"mal-{new_id()[-8:]}@example.com"
    put_person(address, email)
    browser = Client()
    assert browser.post("/login/", {"email": address, "password": PASSWORD}).status_code == 303
    assert browser.get("/people/").status_code == 403, "the role is staff, as on their own item"
    assert address in browser.get("/account/").content.decode()
    assert queries.sessions(address) and queries.load_person(address).email == address


def test_a_link_is_invalid_after_a_change_of_password_role_or_state(world: World) -> None:
    for change in ("password", "role", "disabled"):
        person = world.add(Role.STAFF)
        command = new_command(ACTOR)
        linked = links.create_link(person.email, revision=person.revision, command=command)
        token = links.token_of(linked, command)
        assert token is not None and links.load_person_by_token(token).email == person.email
        if change == "password":
            profile.change_password(
                person.email, current=PASSWORD, new="another-long-one-9", session_id="", command=new_command(ACTOR)
            )
        elif change == "role":
            people.edit(person.email, name="", role=Role.ADMIN, revision=linked.revision, command=new_command(ACTOR))
        else:
            disabled = people.disable(person.email, revision=linked.revision, command=new_command(ACTOR))
            people.enable(person.email, revision=disabled.revision, command=new_command(ACTOR))
        with pytest.raises(NotFound):
            links.load_person_by_token(token)


def test_an_invitation_stays_valid_after_a_change_of_role(world: World) -> None:
    command = new_command(ACTOR)
    email = f"new-{new_id()[-8:]}@example.com"
    guest = people.invite(email, name="", role=Role.STAFF, command=command)
    token = links.token_of(guest, command)
    assert token is not None
    people.edit(email, name="", role=Role.OWNER, revision=guest.revision, command=new_command(ACTOR))
    assert links.load_person_by_token(token).office_role == Role.OWNER


def test_withdrawing_an_invitation_removes_its_memberships(world: World) -> None:
    """Otherwise a later owner of the address would be a member of the business."""
    email, business = f"temp-{new_id()[-8:]}@example.com", f"shop-{new_id()[-8:]}"
    add_business(business, "Shop")
    guest = people.invite(email, name="Temp", role=Role.OWNER, command=new_command(ACTOR))
    members.add(business, email, command=new_command(ACTOR))
    people.withdraw(email, revision=guest.revision, confirmed=[business], command=new_command(ACTOR))
    assert read.get(Member, keys.MEMBER.key(tenant=business, email=email)) is None
    for number in range(people.MAX_MEMBERSHIPS + 1):
        add_business(f"{business}-{number}", "Shop")
    guest = people.invite(email, name="Temp", role=Role.OWNER, command=new_command(ACTOR))
    for number in range(people.MAX_MEMBERSHIPS + 1):
        members.add(f"{business}-{number}", email, command=new_command(ACTOR))
    with pytest.raises(Refused):
        people.withdraw(email, revision=guest.revision, command=new_command(ACTOR))


@pytest.mark.parametrize("email", ['"x\x0b1:victim@example.com\x0b"@evil.example', '"a b"@example.com', "a\x1fb@x.org"])
def test_an_address_with_whitespace_or_control_characters_is_refused(world: World, email: str) -> None:
    response = world.browser("admin").post("/people/new/", {"email": email, "name": "", "role": "staff"})
    assert response.status_code == 422


def test_a_selected_row_is_one_person_although_its_address_contains_a_space(world: World) -> None:
    """An address that an outside writer wrote may contain a space."""
    victim = world.add(Role.STAFF)
    odd = f'"x 1:{victim.email} "@example.com'
    put_person(odd, odd)
    selection_value = queries.load_person(odd).selection_value
    assert " " not in selection_value
    world.browser("admin").post("/people/bulk/", {"action": "disable", "selected": selection_value})
    assert queries.load_person(victim.email).state == Role.STAFF
    assert queries.load_person(odd).state == "disabled"

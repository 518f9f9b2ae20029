"""Roles inside a business: members do only what their role permits.

`tests/accounts/test_permissions.py` requests every URL in every role. These tests attack the rules behind the pages.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts import queries as accounts
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.accounts.services import links, people
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Member
from dashboard.platform.businesses.services import invitations, members
from dashboard.table import keys, tenancy, write
from dashboard.table.commands import Actor, Command, new_command
from tests.accounts.invitations import NEW_PASSWORD, link_of
from tests.attacks.test_last_owner import run_at_once
from tests.conftest import ACTOR, HASHED, PASSWORD, add_business, add_person, real_engines, sign_in
from tests.faults import bad_network, lose_reply
from tests.ui.html import form_to, parse

OWNER = Actor("olivia@example.com", "Olivia Andrade")
NEIGHBOUR = Actor("nuria@example.com", "Nuria Vidal")


@pytest.fixture
def business(table: str) -> str:
    add_person(OWNER.email, Role.OWNER, OWNER.name)
    add_person(NEIGHBOUR.email, Role.OWNER, NEIGHBOUR.name)
    add_business("harbour", "Harbour Coffee", NEIGHBOUR.email)
    return add_business("andina", "Coca-Cola Andina", OWNER.email).id


def invite(business: str, email: str, role: str = "receptionist", by: Actor = OWNER) -> Command:
    """Invite as the page does: bound to the business."""
    command = new_command(by)
    with tenancy.bind(tenancy.Binding(business, by.email)):
        invitations.invite(business, email, name="", role=BusinessRole(role), command=command)
    return command


def join(email: str, command: Command) -> Client:
    """Open the account with the link that the command created, and sign in."""
    token = invitations.token_of(email, command)
    assert token
    links.open_account(token, password=PASSWORD, command=new_command(Actor(email)))
    return sign_in(accounts.load_person(email))


@real_engines
def test_a_lost_reply_invites_once(table: str) -> None:
    add_person(OWNER.email, Role.OWNER)
    add_business("andina", "Coca-Cola Andina", OWNER.email)
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply, lose_reply)
        command = invite("andina", "rita@example.com")
    assert [each.email for each in queries.members("andina")] == [OWNER.email, "rita@example.com"]
    assert invitations.token_of("rita@example.com", command)


# --- Accounts that owners create -----------------------------------------------------------------
def test_a_receptionist_opens_bookings_and_nothing_else(business: str) -> None:
    client = join("rita@example.com", invite(business, "rita@example.com"))
    opened = {
        path: client.get(f"/b/{business}/{path}").status_code for path in ("", "bookings/", "bookings/customers/")
    }
    assert set(opened.values()) == {200}
    for path in ("people/", "settings/", "branding/", "keys/", "audit/", "bookings/services/", "bookings/rules/"):
        assert client.get(f"/b/{business}/{path}").status_code == 403, path
    assert client.get("/b/harbour/").status_code == 404
    for path in ("/people/", "/businesses/", "/audit/", "/forum/"):
        assert client.get(path).status_code == 403, path


def test_a_new_role_applies_at_the_next_request(business: str) -> None:
    client = join("rita@example.com", invite(business, "rita@example.com"))
    member = queries.find_member(business, "rita@example.com")
    assert (member and member.invited_at is None) or client.get(f"/b/{business}/").status_code == 200
    member = queries.find_member(business, "rita@example.com")
    assert member is not None
    members.change_role(
        business,
        "rita@example.com",
        role=BusinessRole.DESIGNER,
        revision=member.revision,
        command=new_command(OWNER),
    )
    assert client.get(f"/b/{business}/branding/").status_code == 200
    assert client.get(f"/b/{business}/bookings/").status_code == 403


@pytest.mark.parametrize("role", ["admin", "superuser", "OWNER", ""])
def test_a_role_that_an_outside_writer_invented_opens_nothing(business: str, role: str) -> None:
    client = join("rita@example.com", invite(business, "rita@example.com"))
    stored = "nobody" if role == "" else role
    write.update(keys.MEMBER.key(tenant=business, email="rita@example.com"), [Member.role.set(stored)])
    assert client.get(f"/b/{business}/").status_code == 403
    assert client.get(f"/b/{business}/people/").status_code == 403


def test_an_owner_cannot_take_over_an_account_that_they_did_not_create(business: str) -> None:
    """A link sets the password, so an owner gets one only for an account that their own invitation created."""
    add_person("known@example.com", Role.OWNER, "Known")
    command = invite(business, "known@example.com")
    assert invitations.token_of("known@example.com", command) is None
    member = queries.find_member(business, "known@example.com")
    assert member is not None and not member.invited_at
    with tenancy.bind(tenancy.Binding(business, OWNER.email)), pytest.raises(Refused, match="activated their account"):
        invitations.create_link(business, "known@example.com", revision=member.revision, command=new_command(OWNER))


@pytest.mark.parametrize("role", [Role.ADMIN, Role.MODERATOR, Role.STAFF])
def test_people_of_the_platform_cannot_be_added_by_owners(business: str, role: Role) -> None:
    add_person("platform@example.com", role)
    with pytest.raises(Refused, match="cannot be added"):
        invite(business, "platform@example.com")
    assert accounts.load_person("platform@example.com").office_role == role


def test_an_account_that_another_business_created_is_not_trusted(business: str) -> None:
    """Its owner may know the password: nobody else has confirmed whose address it is."""
    invite("harbour", "victim@example.com", by=NEIGHBOUR)
    with pytest.raises(Refused, match="another business"):
        invite(business, "victim@example.com")
    join("rita@example.com", invite("harbour", "rita@example.com", by=NEIGHBOUR))
    with pytest.raises(Refused, match="another business"):
        invite(business, "rita@example.com")
    assert [each.email for each in queries.members(business)] == [OWNER.email]


@real_engines
def test_an_account_that_two_businesses_create_at_once_belongs_to_one_of_them(table: str) -> None:
    """Otherwise the link that one owner sees would open the other business."""
    for owner, business in ((OWNER, "andina"), (NEIGHBOUR, "harbour")):
        add_person(owner.email, Role.OWNER, owner.name)
        add_business(business, business.title(), owner.email)
    browsers = {"andina": sign_in(accounts.load_person(OWNER.email))}
    browsers["harbour"] = sign_in(accounts.load_person(NEIGHBOUR.email))
    sent = {"email": "rita@example.com", "name": "", "role": "receptionist"}
    answers = run_at_once(
        *(
            lambda business=business: browsers[business].post(f"/b/{business}/people/", sent).status_code
            for business in browsers
        )
    )
    assert answers["200"] == 1 and set(answers) <= {"200", "409", "422"}, answers
    (joined,) = [each for each in browsers if queries.find_member(each, "rita@example.com")]
    assert accounts.load_person("rita@example.com").invited_by_business == joined


@real_engines
def test_owners_who_invite_the_same_person_at_once_create_one_membership_and_one_link(table: str) -> None:
    for owner in (OWNER, NEIGHBOUR):
        add_person(owner.email, Role.OWNER, owner.name)
    add_business("andina", "Coca-Cola Andina", OWNER.email, NEIGHBOUR.email)
    browsers = [sign_in(accounts.load_person(owner.email)) for owner in (OWNER, NEIGHBOUR)]
    answers: list[Any] = []

    def send(browser: Client, role: str) -> int:
        answers.append(browser.post("/b/andina/people/", {"email": "rita@example.com", "name": "", "role": role}))
        return int(answers[-1].status_code)

    roles = ["receptionist", "designer", "manager", "owner"]
    statuses = run_at_once(*(lambda number=n, role=r: send(browsers[number % 2], role) for n, r in enumerate(roles)))
    assert statuses["200"] == 1 and set(statuses) <= {"200", "409", "422"}, statuses
    (link,) = [link_of(each) for each in answers if each.status_code == 200]
    assert Client().get(link).status_code == 200
    assert len(queries.members("andina")) == 3


def test_the_link_of_an_owner_does_not_open_an_account_that_got_another_role(business: str) -> None:
    command = invite(business, "rita@example.com")
    token = invitations.token_of("rita@example.com", command)
    assert token
    person, member = accounts.load_person("rita@example.com"), queries.find_member(business, "rita@example.com")
    assert member is not None
    edited = people.edit(
        person.email, name="", role=Role.MODERATOR, revision=person.revision, command=new_command(ACTOR)
    )
    assert edited.office_role == Role.MODERATOR
    with pytest.raises(NotFound):
        links.load_person_by_token(token)
    with tenancy.bind(tenancy.Binding(business, OWNER.email)), pytest.raises(Refused):
        invitations.create_link(business, person.email, revision=member.revision, command=new_command(OWNER))


@pytest.mark.parametrize("role", [Role.ADMIN, Role.MODERATOR, Role.STAFF])
@pytest.mark.parametrize("is_disabled", [False, True])
def test_an_owner_who_joined_as_someone_else_gets_no_role_of_the_platform(
    business: str, role: Role, is_disabled: bool
) -> None:
    """An owner can use the link of an invitation, and knows the password then. An admin trusts the address later."""
    owner_as_rita = join("rita@example.com", invite(business, "rita@example.com"))
    admin, url = sign_in(add_person("alma@example.com", Role.ADMIN)), "/people/rita@example.com/"

    def promote() -> Any:
        return form_to(admin.get(url), f"{url}edit/").send(admin, values={"role": role.value})

    if is_disabled:
        person = accounts.load_person("rita@example.com")
        people.disable(person.email, revision=person.revision, command=new_command(ACTOR))
    refused = promote()
    assert refused.status_code == 422 and "may know its password" in parse(refused).text
    assert accounts.load_person("rita@example.com").office_role == Role.OWNER
    if is_disabled:
        form_to(admin.get(url), f"{url}enable/").send(admin)
    link = link_of(form_to(admin.get(url), f"{url}link/").send(admin))
    assert promote().status_code == 422, "the link is not used yet, and the first password still works"
    assert Client().post(link, {"password": NEW_PASSWORD}).status_code == 303
    assert promote().status_code == 303
    assert accounts.load_person("rita@example.com").office_role == role
    assert owner_as_rita.get("/").status_code == 302
    assert Client().post("/login/", {"email": "rita@example.com", "password": PASSWORD}).status_code == 422


def test_an_invitation_by_an_admin_replaces_that_of_an_owner(business: str) -> None:
    """From then on the owner gets no link any more, and the person can be added to other businesses."""
    invite(business, "rita@example.com")
    with pytest.raises(Refused, match="Another business invited"):
        members.add("harbour", "rita@example.com", command=new_command(ACTOR))
    person = accounts.load_person("rita@example.com")
    links.create_link(person.email, revision=person.revision, command=new_command(ACTOR))
    members.add("harbour", "rita@example.com", command=new_command(ACTOR))
    member = queries.find_member(business, "rita@example.com")
    assert member is not None
    with tenancy.bind(tenancy.Binding(business, OWNER.email)), pytest.raises(Refused):
        invitations.create_link(business, person.email, revision=member.revision, command=new_command(OWNER))


def test_a_person_of_an_outside_writer_keeps_their_password_and_name(business: str) -> None:
    key = keys.PERSON.key(email="eva@example.com")
    write.update(key, [Person.email.set("eva@example.com"), Person.name.set("Eva"), Person.password_hash.set(HASHED)])
    with pytest.raises(Refused, match="cannot be added"):
        invite(business, "eva@example.com")
    write.update(key, [Person.password_hash.remove()])
    with tenancy.bind(tenancy.Binding(business, OWNER.email)):
        invitations.invite(
            business, "eva@example.com", name="Mine", role=BusinessRole.DESIGNER, command=new_command(OWNER)
        )
    member = queries.find_member(business, "eva@example.com")
    assert member is not None and member.name == "Mine"
    assert accounts.load_person("eva@example.com").name == "Eva"


def test_the_link_of_a_removed_invitation_stops_working(business: str) -> None:
    command = invite(business, "rita@example.com")
    token = invitations.token_of("rita@example.com", command)
    assert token
    member = queries.find_member(business, "rita@example.com")
    assert member is not None
    with tenancy.bind(tenancy.Binding(business, OWNER.email)):
        members.remove(business, "rita@example.com", revision=member.revision, command=new_command(OWNER))
    assert Client().post(f"/join/{token}/", {"password": PASSWORD, "again": PASSWORD}).status_code == 404
    with pytest.raises(NotFound):
        links.load_person_by_token(token)


def test_an_invitation_reaches_one_account_and_no_session_of_it(business: str) -> None:
    """Inside a business, the accounts and sessions of other people stay out of reach."""
    add_person("known@example.com", Role.OWNER)
    with tenancy.bind(tenancy.Binding(business, OWNER.email)):
        with pytest.raises(tenancy.ForeignTenant):
            accounts.find_person("known@example.com")
        with tenancy.allowing_account("known@example.com"):
            assert isinstance(accounts.find_person("known@example.com"), Person)
            with pytest.raises(tenancy.ForeignTenant):
                accounts.find_person(NEIGHBOUR.email)
            with pytest.raises(tenancy.ForeignTenant):
                accounts.sessions("known@example.com")
            with pytest.raises(tenancy.ForeignTenant):
                queries.members("harbour")
        with pytest.raises(tenancy.ForeignTenant):
            accounts.find_person("known@example.com")


def test_a_manager_cannot_make_themselves_an_owner(business: str) -> None:
    client = join("mateo@example.com", invite(business, "mateo@example.com", "manager"))
    url = f"/b/{business}/people/mateo@example.com/"
    for path, values in (("role/", {"role": "owner", "revision": "1"}), ("remove/", {"revision": "1"})):
        assert client.post(url + path, values).status_code == 403
    assert client.post(f"/b/{business}/people/", {"email": "x@example.com", "role": "owner"}).status_code == 403
    member = queries.find_member(business, "mateo@example.com")
    assert member is not None and member.business_role == BusinessRole.MANAGER


def test_invitations_have_a_limit_per_hour(business: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "MAX_PER_HOUR", 2)
    client = sign_in(accounts.load_person(OWNER.email))
    answers = [
        client.post(f"/b/{business}/people/", {"email": f"p{number}@example.com", "role": "designer"}).status_code
        for number in range(3)
    ]
    assert answers == [200, 200, 429]

"""The page where owners invite, remove and change the role of the people of their business."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts import queries as accounts
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.audit.queries import history, latest_of
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Member
from dashboard.table import keys, write
from tests.conftest import add_person
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.samples import BUSINESS
from tests.ui.walk import calls_of
from tests.ui.world import World

URL = f"/b/{BUSINESS}/people/"


def load(email: str) -> Member:
    member = queries.find_member(BUSINESS, email)
    assert member is not None
    return member


@pytest.fixture
def owner(world: World) -> Client:
    return world.browser("owner")


def test_an_invitation_shows_a_link_once_and_undo_withdraws_it(owner: Client) -> None:
    answer = form_to(owner.get(URL), URL).send(
        owner, values={"email": "New@Example.com", "name": "Nina", "role": "manager"}
    )
    page = parse(answer)
    assert answer.status_code == 200 and "/join/" in page.one("input", id="link").attrs["value"]
    member, person = load("new@example.com"), accounts.load_person("new@example.com")
    assert (member.business_role, member.name, bool(member.invited_at)) == (BusinessRole.MANAGER, "Nina", True)
    assert (person.office_role, person.invited_by_business, person.state) == (Role.OWNER, BUSINESS, "invited")
    assert latest_of(BUSINESS)[0].action == "member.invite"
    assert history("new@example.com")[0].action == "person.invite", "admins see it in the platform's trail"
    assert "Invited" in parse(owner.get(URL)).one("table").text
    undone = undo_form(answer).send(owner, follow=True)
    assert queries.find_member(BUSINESS, "new@example.com") is None
    assert not accounts.load_person("new@example.com").link_hash
    assert "removed from the business" in toasts(undone)[-1]


def test_the_same_form_sent_twice_invites_once_and_shows_the_same_link(owner: Client) -> None:
    form = form_to(owner.get(URL), URL)
    links = [
        parse(form.send(owner, values={"email": "new@example.com", "role": "designer"}))
        .one("input", id="link")
        .attrs["value"]
        for _ in range(2)
    ]
    assert links[0] == links[1]
    assert [entry.action for entry in latest_of(BUSINESS)].count("member.invite") == 1


def test_a_new_link_replaces_the_previous_one(owner: Client) -> None:
    form_to(owner.get(URL), URL).send(owner, values={"email": "new@example.com", "role": "designer"})
    url = f"{URL}new@example.com/link/"
    first = accounts.load_person("new@example.com").link_hash
    answer = form_to(owner.get(URL), url).send(owner)
    assert "/join/" in parse(answer).one("input", id="link").attrs["value"]
    assert accounts.load_person("new@example.com").link_hash != first


def test_someone_with_an_account_is_added_at_once(owner: Client) -> None:
    add_person("known@example.com", Role.OWNER, "Known Person")
    answer = form_to(owner.get(URL), URL).send(
        owner, values={"email": "known@example.com", "role": "stock_keeper"}, follow=True
    )
    assert toasts(answer)[-1].startswith("Known Person added to Coca-Cola Andina.")
    assert load("known@example.com").business_role == BusinessRole.STOCK_KEEPER


def test_a_role_is_changed_and_undone(owner: Client) -> None:
    url = f"{URL}receptionist@example.com/role/"
    answer = form_to(owner.get(URL), url).send(owner, values={"role": "designer"}, follow=True)
    assert load("receptionist@example.com").business_role == BusinessRole.DESIGNER
    entry = latest_of(BUSINESS)[0]
    assert (entry.action, entry.before, entry.after) == ("member.role", {"role": "receptionist"}, {"role": "designer"})
    undo_form(answer).send(owner)
    assert load("receptionist@example.com").business_role == BusinessRole.RECEPTIONIST
    assert owner.post(url, {"role": "designer", "revision": "1"}).status_code == 409, "the revision is an old one"
    assert owner.post(url, {"role": "king", "revision": "3"}).status_code == 422


def test_removing_someone_is_undone_with_the_same_role(owner: Client) -> None:
    url = f"{URL}designer@example.com/remove/"
    answer = form_to(owner.get(URL), url).send(owner, follow=True)
    assert queries.find_member(BUSINESS, "designer@example.com") is None
    undo_form(answer).send(owner)
    assert load("designer@example.com").business_role == BusinessRole.DESIGNER


def test_the_last_owner_stays_and_the_page_says_why(owner: Client) -> None:
    for path, values in (("remove/", {}), ("role/", {"role": "manager"})):
        url = f"{URL}olivia@example.com/{path}"
        answer = form_to(owner.get(URL), url).send(owner, values=values)
        assert answer.status_code == 422
        assert "A business needs an owner who can sign in." in parse(answer).text
    assert load("olivia@example.com").is_owner


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"email": "", "role": "manager"}, "required"),
        ({"email": "x", "role": "manager"}, "valid email"),
        ({"email": "x@example.com", "role": "king"}, "valid choice"),
        ({"email": "olivia@example.com", "role": "manager"}, "already in the business"),
    ],
)
def test_invalid_input_is_refused_and_kept(owner: Client, values: dict[str, str], error: str) -> None:
    answer = owner.post(URL, values)
    assert answer.status_code == 422
    page = parse(answer)
    assert error in page.text
    assert page.one("input", name="email").attrs.get("value", "") == values["email"]


def test_a_closed_business_is_read_only(owner: Client) -> None:
    write.update(keys.TENANT.key(tenant=BUSINESS), [Business.status.set("SUSPENDED")])
    page = parse(owner.get(URL))
    assert not page.one("main").all("form")
    assert owner.post(URL, {"email": "new@example.com", "role": "manager"}).status_code == 403


def test_the_list_costs_two_round_trips(owner: Client) -> None:
    assert calls_of(owner.get(URL)).trips <= 2

"""A business keeps an owner who can sign in. Only an admin who confirms it can take the last one away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, get_ident
from typing import Any

import pytest

from dashboard.core.clock import now
from dashboard.core.errors import DomainError, Refused
from dashboard.platform.accounts import queries as accounts
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.accounts.services import people
from dashboard.platform.businesses import owners as business_owners
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Member
from dashboard.platform.businesses.services import members
from dashboard.table import keys, tenancy, write
from dashboard.table.commands import Actor, new_command
from tests.accounts.person_page import form_of
from tests.businesses.business_pages import create_business
from tests.conftest import ACTOR, add_business, add_person, real_engines, sign_in
from tests.ui.html import form_to, parse, toasts

OWNER = Actor("olivia@example.com", "Olivia Andrade")
SECOND = "second@example.com"


@pytest.fixture
def business(table: str) -> str:
    add_person(OWNER.email, Role.OWNER, OWNER.name)
    return add_business("andina", "Coca-Cola Andina", OWNER.email).id


def run_at_once(*actions: Callable[[], object]) -> Counter[str]:
    barrier = Barrier(len(actions))

    def run(action: Callable[[], object]) -> str:
        barrier.wait()
        try:
            status = action()
            return str(status) if isinstance(status, int) else "done"
        except DomainError as error:
            return type(error).__name__

    with ThreadPoolExecutor(len(actions)) as threads:
        return Counter(threads.map(run, actions))


def usable(business: str) -> list[str]:
    """The owners who can sign in."""
    everyone = [each for each in queries.members(business) if each.is_owner]
    return [each.email for each in business_owners.usable_owners(everyone)]


@pytest.fixture
def all_have_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two requests have both read that the other owner can sign in, before either writes."""
    both_have_read, find, waited = Barrier(2), business_owners.usable_owners, {get_ident()}

    def find_then_wait(owners: Any) -> Any:
        found = find(owners)
        if get_ident() not in waited:
            waited.add(get_ident())
            both_have_read.wait(5)
        return found

    monkeypatch.setattr(business_owners, "usable_owners", find_then_wait)


def test_the_last_owner_can_be_neither_removed_nor_demoted(business: str) -> None:
    with pytest.raises(Refused, match="needs an owner who can sign in"):
        members.remove(business, OWNER.email, revision=1, command=new_command(OWNER))
    with pytest.raises(Refused, match="needs an owner who can sign in"):
        members.change_role(business, OWNER.email, role=BusinessRole.MANAGER, revision=1, command=new_command(OWNER))
    add_person(SECOND, Role.OWNER)
    members.add(business, SECOND, BusinessRole.MANAGER, command=new_command(ACTOR))
    with pytest.raises(Refused, match="needs an owner who can sign in"):
        members.remove(business, OWNER.email, revision=1, command=new_command(ACTOR))


@real_engines
@pytest.mark.parametrize("owners", [2, 3])
def test_owners_who_remove_each_other_at_the_same_time_leave_one(table: str, owners: int) -> None:
    business = create_business(slug="shop").id
    emails = [f"o{number}@example.com" for number in range(owners)]
    for email in emails:
        add_person(email, Role.OWNER)
        members.add(business, email, command=new_command(ACTOR))
    for turn in range(4):
        results = run_at_once(
            *(
                lambda email=email: members.remove(business, email, revision=1, command=new_command(ACTOR))
                for email in emails
            )
        )
        left = [each.email for each in queries.members(business)]
        assert len(left) == 1 and results["done"] == owners - 1, f"turn {turn}: {results}"
        for email in set(emails) - set(left):
            members.add(business, email, command=new_command(ACTOR))


@real_engines
def test_an_owner_who_demotes_the_other_while_they_leave_keeps_an_owner(table: str) -> None:
    business = create_business(slug="shop").id
    for email in ("a@example.com", "b@example.com"):
        add_person(email, Role.OWNER)
        members.add(business, email, command=new_command(ACTOR))
    results = run_at_once(
        lambda: members.remove(business, "a@example.com", revision=1, command=new_command(ACTOR)),
        lambda: members.change_role(
            business, "b@example.com", role=BusinessRole.DESIGNER, revision=1, command=new_command(ACTOR)
        ),
    )
    assert results["done"] == 1
    assert any(each.is_owner for each in queries.members(business))


def add_unusable(business: str, state: str) -> None:
    """Add a second owner who cannot open the business."""
    if state == "invited":
        people.invite(SECOND, name="Second", role=Role.OWNER, command=new_command(ACTOR))
    else:
        add_person(SECOND, Role.OWNER)
    members.add(business, SECOND, command=new_command(ACTOR))
    key = keys.PERSON.key(email=SECOND)
    if state == "disabled":
        write.update(key, [Person.disabled_at.set(now())])
    if state == "moderator":
        write.update(key, [Person.back_office_role.set("moderator")])
    if state == "no account":
        write.remove(key)


@pytest.mark.parametrize("state", ["invited", "disabled", "moderator", "no account"])
def test_an_owner_who_cannot_sign_in_does_not_count(business: str, state: str) -> None:
    """Otherwise the business would be left to someone who cannot open it."""
    add_unusable(business, state)
    browser = sign_in(accounts.load_person(OWNER.email))
    url = f"/b/{business}/people/{OWNER.email}/"
    for path, values in (("remove/", {"revision": "1"}), ("role/", {"role": "manager", "revision": "1"})):
        answer = browser.post(url + path, values)
        assert answer.status_code == 422 and "owner who can sign in" in parse(answer).text
    assert usable(business) == [OWNER.email]


def test_an_admin_who_is_an_owner_counts(business: str) -> None:
    add_person(SECOND, Role.ADMIN)
    members.add(business, SECOND, command=new_command(ACTOR))
    members.remove(business, OWNER.email, revision=1, command=new_command(OWNER))
    assert usable(business) == [SECOND]


@real_engines
@pytest.mark.usefixtures("all_have_read")
@pytest.mark.parametrize("who", ["owners", "admin"])
def test_two_requests_that_remove_the_two_owners_leave_one(table: str, who: str) -> None:
    """Both requests have read that the other owner exists before either writes."""
    emails = ["a@example.com", "b@example.com"]
    for email in emails:
        add_person(email, Role.OWNER)
    add_business("shop", "Shop", *emails)
    browsers = [sign_in(accounts.load_person(email)) for email in emails]
    if who == "admin":
        browsers = [sign_in(add_person("alma@example.com", Role.ADMIN))] * 2
    place = "/b/shop/people" if who == "owners" else "/businesses/shop/members"
    answers = run_at_once(
        *(
            lambda browser=browser, email=email: browser.post(f"{place}/{email}/remove/", {"revision": "1"}).status_code
            for browser, email in zip(browsers, reversed(emails), strict=True)
        )
    )
    assert answers["303"] == 1, answers
    assert len(usable("shop")) == 1


@real_engines
def test_an_owner_who_leaves_while_the_other_is_disabled_stays(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The account is disabled after the request has read it: the transaction checks it again."""
    for email in (OWNER.email, SECOND):
        add_person(email, Role.OWNER)
    add_business("shop", "Shop", OWNER.email, SECOND)
    browser, find = sign_in(accounts.load_person(OWNER.email)), business_owners.usable_owners

    def find_then_disable(owners: Any) -> Any:
        monkeypatch.undo()
        found = find(owners)
        binding = tenancy.bound.set(None)
        people.disable(SECOND, revision=1, command=new_command(ACTOR))
        tenancy.bound.reset(binding)
        return found

    monkeypatch.setattr(business_owners, "usable_owners", find_then_disable)
    answer = browser.post(f"/b/shop/people/{OWNER.email}/remove/", {"revision": "1"})
    assert answer.status_code == 422
    assert usable("shop") == [OWNER.email]


def test_the_accounts_of_other_owners_can_be_checked_but_not_written(business: str) -> None:
    add_person(SECOND, Role.OWNER)
    with tenancy.bind(tenancy.Binding(business, OWNER.email)), tenancy.reading_accounts([SECOND]):
        assert accounts.find_person(SECOND) is not None
        for attack in (
            lambda: write.update(keys.PERSON.key(email=SECOND), [Person.name.set("x")]),
            lambda: write.remove(keys.PERSON.key(email=SECOND)),
            lambda: accounts.sessions(SECOND),
            lambda: accounts.find_person("other@example.com"),
        ):
            with pytest.raises(tenancy.ForeignTenant):
                attack()
    with tenancy.bind(tenancy.Binding(business, OWNER.email)), pytest.raises(tenancy.ForeignTenant):
        accounts.find_person(SECOND)
    with tenancy.bind(tenancy.Binding(business, OWNER.email)), pytest.raises(tenancy.ForeignTenant):
        write.remove(keys.REMAINING_OWNER.key(email=SECOND))


# --- Accounts of owners that are disabled at the same time --------------------------------------
def disable(email: str) -> object:
    return people.disable(email, revision=1, command=new_command(ACTOR))


def give_other_role(email: str) -> object:
    return people.edit(email, name="", role=Role.MODERATOR, revision=1, command=new_command(ACTOR))


def leave(email: str) -> object:
    return members.remove("shop", email, revision=1, command=new_command(ACTOR))


TAKEN_AWAY = {"disable": disable, "edit": give_other_role, "remove": leave}


@real_engines
@pytest.mark.usefixtures("all_have_read")
@pytest.mark.parametrize(("first", "second"), [("disable", "disable"), ("disable", "remove"), ("edit", "disable")])
def test_two_requests_that_take_the_two_owners_away_leave_one(table: str, first: str, second: str) -> None:
    emails = ["a@example.com", "b@example.com"]
    for email in emails:
        add_person(email, Role.OWNER)
    add_business("shop", "Shop", *emails)
    results = run_at_once(lambda: TAKEN_AWAY[first](emails[0]), lambda: TAKEN_AWAY[second](emails[1]))
    assert results["done"] == 1, results
    assert len(usable("shop")) == 1
    (other,) = set(results) - {"done"}
    assert other in {"OnlyOwner", "Refused"}, "the other request says why"


@real_engines
def test_owners_of_several_businesses_who_are_disabled_at_the_same_time_leave_one_in_each(table: str) -> None:
    """Each account relies on another one in another business: a circle."""
    emails = [f"o{number}@example.com" for number in range(4)]
    for email in emails:
        add_person(email, Role.OWNER)
    for number, email in enumerate(emails):
        add_business(f"shop{number}", f"Shop {number}", email, emails[(number + 1) % len(emails)])
    results = run_at_once(*(lambda email=email: disable(email) for email in emails))
    assert results["done"] >= 1, results
    assert all(usable(f"shop{number}") for number in range(len(emails))), results


def test_an_owner_of_more_businesses_than_a_page_lists_is_checked_in_all_of_them(table: str) -> None:
    add_person(OWNER.email, Role.OWNER)
    add_person(SECOND, Role.OWNER)
    for number in range(54):
        add_business(f"shop{number}", f"Shop {number}", OWNER.email, SECOND)
    add_business("zoo", "Zoo", OWNER.email)
    with pytest.raises(business_owners.OnlyOwner, match="only owner of Zoo who can sign in"):
        disable(OWNER.email)


def test_no_owner_is_hidden_behind_too_many_members(table: str) -> None:
    """Outside writers, or invitations at the same moment, can exceed the maximum. Members are sorted by e-mail."""
    add_person(OWNER.email, Role.OWNER)
    add_business("shop", "Shop", OWNER.email, *(f"a{number:03}@example.com" for number in range(4)))
    for number in range(4, queries.MAX_MEMBERS + 2):
        key, role = keys.MEMBER.key(tenant="shop", email=f"a{number:03}@example.com"), BusinessRole.OWNER
        write.update(key, [Member.role.set(role)])
    with pytest.raises(business_owners.OnlyOwner):
        disable(OWNER.email)
    browser = sign_in(accounts.load_person(OWNER.email))
    assert OWNER.email in parse(browser.get("/b/shop/people/")).one("main").text


def test_a_membership_that_the_index_does_not_list_yet_counts(business: str, monkeypatch: pytest.MonkeyPatch) -> None:
    add_person(SECOND, Role.OWNER)
    members.add(business, SECOND, command=new_command(ACTOR))
    members.remove(business, OWNER.email, revision=1, command=new_command(ACTOR))
    monkeypatch.setattr(queries, "all_businesses_of", lambda email: [])
    with pytest.raises(business_owners.OnlyOwner):
        disable(SECOND)


def test_the_command_that_makes_an_owner_an_admin_keeps_the_owner(business: str) -> None:
    people.create(OWNER.email, name="", role=Role.ADMIN, password_hash="x", command=new_command(ACTOR))
    assert usable(business) == [OWNER.email]
    with pytest.raises(business_owners.OnlyOwner):
        people.create(OWNER.email, name="", role=Role.STAFF, password_hash="x", command=new_command(ACTOR))


# --- The account of the last owner ---------------------------------------------------------------
@pytest.mark.parametrize(
    ("action", "values"), [("disable", {}), ("edit", {"role": "moderator"}), ("edit", {"role": "staff"})]
)
def test_an_admin_confirms_before_a_business_loses_its_last_owner(
    business: str, action: str, values: dict[str, str]
) -> None:
    browser, olivia = sign_in(add_person("alma@example.com", Role.ADMIN)), accounts.load_person(OWNER.email)
    asked = form_of(browser, olivia, action).send(browser, values=values)
    assert asked.status_code == 422
    assert "One business would have no owner who can sign in" in parse(asked).text
    assert "Coca-Cola Andina" in parse(asked).text
    assert usable(business) == [OWNER.email], "nothing is saved yet"
    url = f"/people/{OWNER.email}/{action}/"
    assert form_to(asked, url).send(browser, follow=True).status_code == 200
    assert usable(business) == []
    page = parse(browser.get(f"/businesses/{business}/")).text
    assert "No owner of this business can sign in" in page and "Cannot sign in" in page


def test_the_page_of_a_business_says_who_cannot_sign_in_and_whether_an_owner_can(business: str) -> None:
    add_person(SECOND, Role.OWNER)
    members.add(business, SECOND, command=new_command(ACTOR))
    browser = sign_in(add_person("alma@example.com", Role.ADMIN))
    disabled = people.disable(SECOND, revision=1, command=new_command(ACTOR))
    page = parse(browser.get(f"/businesses/{business}/")).text
    assert "Cannot sign in" in page and "No owner of this business" not in page
    people.enable(SECOND, revision=disabled.revision, command=new_command(ACTOR))
    assert "Cannot sign in" not in parse(browser.get(f"/businesses/{business}/")).text


def test_a_confirmation_is_for_the_business_that_was_shown(business: str) -> None:
    add_business("harbour", "Harbour Coffee", OWNER.email)
    browser = sign_in(add_person("alma@example.com", Role.ADMIN))
    answer = browser.post(f"/people/{OWNER.email}/disable/", {"revision": "1", "confirm": business})
    assert answer.status_code == 422
    assert "Harbour Coffee" in parse(answer).text and "Coca-Cola Andina" not in parse(answer).text
    form = form_to(answer, f"/people/{OWNER.email}/disable/")
    confirmed = [value for name, value in form.fields if name == "confirm"]
    assert confirmed == [business, "harbour"]
    assert form.send(browser, values={"confirm": confirmed}).status_code == 303
    disabled = accounts.load_person(OWNER.email)
    assert not disabled.may_sign_in
    assert [each.id for each in queries.ownerless_businesses().items] == [business, "harbour"]
    people.enable(OWNER.email, revision=disabled.revision, command=new_command(ACTOR))
    assert queries.ownerless_businesses().items == []


def test_an_invitation_of_the_only_owner_is_withdrawn_after_a_confirmation(table: str) -> None:
    people.invite(SECOND, name="Second", role=Role.OWNER, command=new_command(ACTOR))
    business = add_business("andina", "Coca-Cola Andina", SECOND).id
    browser, invited = sign_in(add_person("alma@example.com", Role.ADMIN)), accounts.load_person(SECOND)
    asked = form_of(browser, invited, "withdraw").send(browser)
    assert asked.status_code == 422 and "Coca-Cola Andina" in parse(asked).text
    assert len(queries.members(business)) == 1, "nothing is saved yet"
    assert form_to(asked, f"/people/{SECOND}/withdraw/").send(browser).status_code == 303
    assert queries.members(business) == []
    assert [each.id for each in queries.ownerless_businesses().items] == [business]


def test_no_confirmation_is_needed_while_another_owner_can_sign_in(business: str) -> None:
    add_person(SECOND, Role.OWNER)
    members.add(business, SECOND, command=new_command(ACTOR))
    browser, olivia = sign_in(add_person("alma@example.com", Role.ADMIN)), accounts.load_person(OWNER.email)
    assert form_of(browser, olivia, "edit").send(browser, values={"role": "admin"}).status_code == 303
    assert form_of(browser, olivia, "disable").send(browser).status_code == 303


def test_disabling_several_people_leaves_out_the_last_owner(business: str) -> None:
    browser = sign_in(add_person("alma@example.com", Role.ADMIN))
    sent = {"action": "disable", "selected": accounts.load_person(OWNER.email).selection_value}
    answer = browser.post("/people/bulk/", sent, follow=True)
    (text,) = toasts(answer)
    assert "only owner of Coca-Cola Andina who can sign in" in text
    assert usable(business) == [OWNER.email]


def test_an_owner_who_cannot_sign_in_does_not_give_a_business_an_owner(business: str) -> None:
    add_person(SECOND, Role.OWNER)
    people.disable(SECOND, revision=1, command=new_command(ACTOR))
    people.disable(OWNER.email, revision=1, command=new_command(ACTOR), confirmed=[business])
    members.add(business, SECOND, command=new_command(ACTOR))
    assert [each.id for each in queries.ownerless_businesses().items] == [business]

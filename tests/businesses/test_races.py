"""Several at once, and replies that never come: one slug has one business, one wish is carried out once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from dashboard.core.errors import Conflict, DomainError, Refused, Unavailable
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.services import businesses, members
from dashboard.table.commands import new_command
from tests.businesses.business_pages import ALDO, actions, holder, new, reloaded, values
from tests.conftest import ACTOR, add_person, real_engines
from tests.faults import Fault, act_then_break, bad_network, collide, lose_reply, lose_request, throttle


def at_once(count: int, act: Callable[[int], object]) -> Counter[str]:
    start = Barrier(count)

    def run(number: int) -> str:
        start.wait()
        try:
            act(number)
            return "done"
        except DomainError as refusal:
            return type(refusal).__name__

    with ThreadPoolExecutor(count) as threads:
        return Counter(threads.map(run, range(count)))


@real_engines
def test_sixteen_want_the_same_slug_and_one_gets_it(table: str) -> None:
    def create(number: int) -> None:
        given = values(name=f"Shop {number}", slug="wanted", domain=f"shop-{number}.example.com")
        businesses.create(given, command=new_command(ACTOR))

    assert at_once(16, create) == {"done": 1, "Refused": 15}
    winner = queries.load_business("wanted")
    assert holder("slug", "wanted") == "wanted"
    taken = {number: holder("domain", f"shop-{number}.example.com") for number in range(16)}
    assert {number for number, has in taken.items() if has} == {int((winner.name or "").split()[1])}
    assert [each.business_id for each in queries.businesses().items] == ["wanted"]
    assert actions(winner) == (["business.create"], ["business.create"])


@real_engines
def test_two_businesses_move_to_the_same_domain(table: str) -> None:
    pair = [new(name=f"Shop {number}", slug=f"shop-{number}", domain=f"{number}.example.com") for number in range(2)]

    def move(number: int) -> None:
        given = {"domain": "both.example.com"}
        businesses.edit(pair[number].business_id, given, revision=1, command=new_command(ACTOR))

    assert at_once(2, move) == {"done": 1, "Refused": 1}
    moved = [each for each in map(reloaded, pair) if each.domain == "both.example.com"]
    assert [each.business_id for each in moved] == [holder("domain", "both.example.com")]
    for each in map(reloaded, pair):
        assert holder("domain", str(each.domain)) == each.business_id


@real_engines
def test_two_edits_of_one_business_and_one_is_told(table: str) -> None:
    business = new(slug="shop")

    def edit(number: int) -> None:
        businesses.edit("shop", {"slug": f"shop-{number}"}, revision=1, command=new_command(ACTOR))

    assert at_once(8, edit) == {"done": 1, "Conflict": 7}
    after = reloaded(business)
    assert after.revision == 2
    assert [holder("slug", f"shop-{number}") for number in range(8)].count("shop") == 1
    assert (holder("slug", str(after.slug)), holder("slug", "shop")) == ("shop", None)


@real_engines
def test_two_swap_slugs_and_nothing_is_lost(table: str) -> None:
    """Each wants what the other has: neither gets it before the other has let go."""
    new(slug="a")
    new(slug="b")

    def swap(number: int) -> None:
        mine, theirs = ("a", "b") if number else ("b", "a")
        businesses.edit(mine, {"slug": theirs}, revision=1, command=new_command(ACTOR))

    assert at_once(2, swap) == {"Refused": 2}
    assert (holder("slug", "a"), holder("slug", "b")) == ("a", "b")


@real_engines
def test_copies_end_at_the_newest_name(table: str) -> None:
    """Renamed by several, one after the other, while the copies of the one before are still under way."""
    add_person("olivia@example.com", Role.OWNER, "Olivia")
    business = new(slug="shop", name="Name 0")
    members.add("shop", "olivia@example.com", command=new_command(ACTOR))

    def rename(number: int) -> None:
        for _ in range(60):
            revision = reloaded(business).revision
            try:
                businesses.edit("shop", {"name": f"Name {number + 1}"}, revision=revision, command=new_command(ACTOR))
                return
            except Conflict:
                continue
        raise Unavailable

    assert at_once(6, rename) == {"done": 6}
    (member,) = queries.members("shop")
    assert (member.business_name, member.copied_revision) == (reloaded(business).name, reloaded(business).revision)


@real_engines
def test_a_member_who_is_added_during_a_rename_has_the_new_name(table: str) -> None:
    add_person("olivia@example.com", Role.OWNER)
    business = new(slug="shop", name="Old")

    def act(number: int) -> None:
        if number:
            members.add("shop", "olivia@example.com", command=new_command(ACTOR))
        else:
            businesses.edit("shop", {"name": "New"}, revision=1, command=new_command(ACTOR))

    assert at_once(2, act) == {"done": 2}
    assert [each.business_name for each in queries.members("shop")] == [reloaded(business).name]


@real_engines
def test_one_person_is_added_once(table: str) -> None:
    add_person("olivia@example.com", Role.OWNER)
    new(slug="shop")
    outcome = at_once(6, lambda _: members.add("shop", "olivia@example.com", command=new_command(ACTOR)))
    assert outcome == {"done": 1, "Refused": 5}
    assert len(queries.members("shop")) == 1


FAULTS = [lose_reply, act_then_break, lose_request, throttle, collide]


@real_engines
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: getattr(fault, "__name__", "throttle"))
def test_a_bad_network_creates_once(table: str, fault: Fault) -> None:
    command = new_command(ACTOR)
    with bad_network() as network:
        network.next("TransactWriteItems", fault)
        business = businesses.create(values(slug="shop", domain="shop.example.com"), command=command)
    assert network.faults == 1
    assert (business.business_id, business.revision) == ("shop", 1)
    assert actions(business) == (["business.create"], ["business.create"])
    # The form again, an hour later: the same business, and no refusal of its own slug.
    again = businesses.create(values(slug="shop", domain="shop.example.com"), command=command)
    assert again.business_id == "shop"
    assert [each.business_id for each in queries.businesses().items] == ["shop"]


@real_engines
def test_an_id_of_its_own_is_the_same_when_the_reply_was_lost(table: str) -> None:
    first = new(slug="shop")
    businesses.edit("shop", {"slug": "moved"}, revision=1, command=new_command(ACTOR))
    command = new_command(ACTOR)
    with bad_network() as network:
        network.next("TransactWriteItems", lambda send, request: send(request), lose_reply)
        second = businesses.create(values(slug="shop"), command=command)
    again = businesses.create(values(slug="shop"), command=command)
    assert second.business_id == again.business_id != "shop"
    assert {each.business_id for each in queries.businesses().items} == {"shop", second.business_id}
    assert (holder("slug", "shop"), holder("slug", "moved")) == (second.business_id, first.business_id)


@real_engines
@pytest.mark.parametrize("fault", [lose_reply, act_then_break, lose_request], ids=lambda fault: fault.__name__)
def test_a_bad_network_edits_once(table: str, fault: Fault) -> None:
    add_person("olivia@example.com", Role.OWNER)
    new(slug="shop", domain="a.example.com")
    members.add("shop", "olivia@example.com", command=new_command(ACTOR))
    command = new_command(ACTOR)
    given = {"name": "New", "slug": "shop-2", "domain": "b.example.com", "status": "SUSPENDED", "reason": "Unpaid"}
    with bad_network() as network:
        network.next("TransactWriteItems", fault)
        after = businesses.edit("shop", given, revision=1, command=command)
    assert (after.name, after.revision, after.outcome.has_changed_since) == ("New", 2, False)
    assert after.outcome.result["before"]["domain"] == "a.example.com"
    assert actions(after)[0] == ["business.suspend", "member.add", "business.create"]
    assert (holder("slug", "shop-2"), holder("slug", "shop")) == ("shop", None)
    (member,) = queries.members("shop")
    assert (member.business_name, member.business_status) == ("New", "SUSPENDED")
    again = businesses.edit("shop", given, revision=1, command=command)
    assert (again.revision, again.outcome.result["before"]["slug"]) == (2, "shop")


@real_engines
def test_when_nobody_answers_nothing_is_claimed(table: str) -> None:
    with bad_network() as network:
        network.add_random_fault(1, lose_request)
        with pytest.raises(Unavailable):
            businesses.create(values(slug="shop"), command=new_command(ACTOR))
    assert (queries.find_business("shop"), holder("slug", "shop")) == (None, None)


@real_engines
def test_a_rename_counts_where_its_copies_fail(table: str) -> None:
    """What is saved is saved; the same form again brings the copies after."""
    add_person("olivia@example.com", Role.OWNER)
    business = new(slug="shop", name="Old")
    members.add("shop", "olivia@example.com", command=new_command(ACTOR))
    command = new_command(ALDO)
    with bad_network() as network:
        network.next("UpdateItem", *[lose_request] * 3)
        assert businesses.edit("shop", {"name": "New"}, revision=1, command=command).name == "New"
    assert [each.business_name for each in queries.members("shop")] == ["Old"]
    assert businesses.edit("shop", {"name": "New"}, revision=1, command=command).revision == 2
    assert [each.business_name for each in queries.members("shop")] == ["New"]
    assert actions(business)[1] == ["business.edit", "business.create"]


@real_engines
def test_a_member_is_added_and_removed_once_on_a_bad_network(table: str) -> None:
    add_person("olivia@example.com", Role.OWNER)
    business = new(slug="shop")
    adding, removing = new_command(ACTOR), new_command(ACTOR)
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply, lose_reply)
        member = members.add("shop", "olivia@example.com", BusinessRole.MANAGER, command=adding)
        members.remove("shop", "olivia@example.com", revision=member.revision, command=removing)
    members.remove("shop", "olivia@example.com", revision=member.revision, command=removing)
    assert queries.members("shop") == []
    assert actions(business)[0] == ["member.remove", "member.add", "business.create"]
    with pytest.raises(Refused):
        members.add("shop", "nobody@example.com", command=new_command(ACTOR))

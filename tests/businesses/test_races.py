"""Parallel requests and lost replies: one slug has one business, and a command is executed once."""

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
from tests.businesses.business_pages import ALDO, audit_actions, claim_owner, create_business, form_values, reload
from tests.conftest import ACTOR, add_person, real_engines
from tests.faults import Fault, act_then_break, bad_network, collide, lose_reply, lose_request, throttle


def run_in_parallel(count: int, act: Callable[[int], object]) -> Counter[str]:
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
def test_of_sixteen_requests_for_one_slug_one_succeeds(table: str) -> None:
    def create(number: int) -> None:
        fields = form_values(name=f"Shop {number}", slug="wanted", domain=f"shop-{number}.example.com")
        businesses.create(fields, command=new_command(ACTOR))

    assert run_in_parallel(16, create) == {"done": 1, "Refused": 15}
    winner = queries.load_business("wanted")
    assert claim_owner("slug", "wanted") == "wanted"
    taken = {number: claim_owner("domain", f"shop-{number}.example.com") for number in range(16)}
    assert {number for number, has in taken.items() if has} == {int((winner.name or "").split()[1])}
    assert [each.business_id for each in queries.businesses().items] == ["wanted"]
    assert audit_actions(winner) == (["business.create"], ["business.create"])


@real_engines
def test_of_two_businesses_that_take_the_same_domain_one_succeeds(table: str) -> None:
    pair = [
        create_business(name=f"Shop {number}", slug=f"shop-{number}", domain=f"{number}.example.com")
        for number in range(2)
    ]

    def move(number: int) -> None:
        fields = {"domain": "both.example.com"}
        businesses.edit(pair[number].business_id, fields, revision=1, command=new_command(ACTOR))

    assert run_in_parallel(2, move) == {"done": 1, "Refused": 1}
    moved = [each for each in map(reload, pair) if each.domain == "both.example.com"]
    assert [each.business_id for each in moved] == [claim_owner("domain", "both.example.com")]
    for each in map(reload, pair):
        assert claim_owner("domain", str(each.domain)) == each.business_id


@real_engines
def test_of_eight_edits_of_one_business_one_succeeds_and_seven_conflict(table: str) -> None:
    business = create_business(slug="shop")

    def edit(number: int) -> None:
        businesses.edit("shop", {"slug": f"shop-{number}"}, revision=1, command=new_command(ACTOR))

    assert run_in_parallel(8, edit) == {"done": 1, "Conflict": 7}
    after = reload(business)
    assert after.revision == 2
    assert [claim_owner("slug", f"shop-{number}") for number in range(8)].count("shop") == 1
    assert (claim_owner("slug", str(after.slug)), claim_owner("slug", "shop")) == ("shop", None)


@real_engines
def test_two_businesses_that_swap_slugs_at_once_are_both_refused(table: str) -> None:
    """Each business asks for the slug of the other. Both are refused, because both slugs are still taken."""
    create_business(slug="a")
    create_business(slug="b")

    def swap(number: int) -> None:
        mine, theirs = ("a", "b") if number else ("b", "a")
        businesses.edit(mine, {"slug": theirs}, revision=1, command=new_command(ACTOR))

    assert run_in_parallel(2, swap) == {"Refused": 2}
    assert (claim_owner("slug", "a"), claim_owner("slug", "b")) == ("a", "b")


@real_engines
def test_after_parallel_renames_the_copies_have_the_newest_name(table: str) -> None:
    """Several people rename it while the copies of the previous name are still being written."""
    add_person("olivia@example.com", Role.OWNER, "Olivia")
    business = create_business(slug="shop", name="Name 0")
    members.add("shop", "olivia@example.com", command=new_command(ACTOR))

    def rename(number: int) -> None:
        for _ in range(60):
            revision = reload(business).revision
            try:
                businesses.edit("shop", {"name": f"Name {number + 1}"}, revision=revision, command=new_command(ACTOR))
                return
            except Conflict:
                continue
        raise Unavailable

    assert run_in_parallel(6, rename) == {"done": 6}
    (member,) = queries.members("shop")
    assert (member.business_name, member.copied_revision) == (reload(business).name, reload(business).revision)


@real_engines
def test_a_member_added_during_a_rename_has_the_new_name(table: str) -> None:
    add_person("olivia@example.com", Role.OWNER)
    business = create_business(slug="shop", name="Old")

    def act(number: int) -> None:
        if number:
            members.add("shop", "olivia@example.com", command=new_command(ACTOR))
        else:
            businesses.edit("shop", {"name": "New"}, revision=1, command=new_command(ACTOR))

    assert run_in_parallel(2, act) == {"done": 2}
    assert [each.business_name for each in queries.members("shop")] == [reload(business).name]


@real_engines
def test_parallel_requests_add_a_person_once(table: str) -> None:
    add_person("olivia@example.com", Role.OWNER)
    create_business(slug="shop")
    outcome = run_in_parallel(6, lambda _: members.add("shop", "olivia@example.com", command=new_command(ACTOR)))
    assert outcome == {"done": 1, "Refused": 5}
    assert len(queries.members("shop")) == 1


FAULTS = [lose_reply, act_then_break, lose_request, throttle, collide]


@real_engines
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: getattr(fault, "__name__", "throttle"))
def test_a_business_is_created_once_on_a_bad_network(table: str, fault: Fault) -> None:
    command = new_command(ACTOR)
    with bad_network() as network:
        network.next("TransactWriteItems", fault)
        business = businesses.create(form_values(slug="shop", domain="shop.example.com"), command=command)
    assert network.faults == 1
    assert (business.business_id, business.revision) == ("shop", 1)
    assert audit_actions(business) == (["business.create"], ["business.create"])
    # The same form sent again returns the same business. Its own slug is not refused.
    again = businesses.create(form_values(slug="shop", domain="shop.example.com"), command=command)
    assert again.business_id == "shop"
    assert [each.business_id for each in queries.businesses().items] == ["shop"]


@real_engines
def test_a_generated_id_stays_the_same_after_a_lost_reply(table: str) -> None:
    first = create_business(slug="shop")
    businesses.edit("shop", {"slug": "moved"}, revision=1, command=new_command(ACTOR))
    command = new_command(ACTOR)
    with bad_network() as network:
        network.next("TransactWriteItems", lambda send, request: send(request), lose_reply)
        second = businesses.create(form_values(slug="shop"), command=command)
    again = businesses.create(form_values(slug="shop"), command=command)
    assert second.business_id == again.business_id != "shop"
    assert {each.business_id for each in queries.businesses().items} == {"shop", second.business_id}
    assert (claim_owner("slug", "shop"), claim_owner("slug", "moved")) == (second.business_id, first.business_id)


@real_engines
@pytest.mark.parametrize("fault", [lose_reply, act_then_break, lose_request], ids=lambda fault: fault.__name__)
def test_a_business_is_edited_once_on_a_bad_network(table: str, fault: Fault) -> None:
    add_person("olivia@example.com", Role.OWNER)
    create_business(slug="shop", domain="a.example.com")
    members.add("shop", "olivia@example.com", command=new_command(ACTOR))
    command = new_command(ACTOR)
    fields = {"name": "New", "slug": "shop-2", "domain": "b.example.com", "status": "SUSPENDED", "reason": "Unpaid"}
    with bad_network() as network:
        network.next("TransactWriteItems", fault)
        after = businesses.edit("shop", fields, revision=1, command=command)
    assert (after.name, after.revision, after.outcome.has_changed_since) == ("New", 2, False)
    assert after.outcome.result["before"]["domain"] == "a.example.com"
    assert audit_actions(after)[0] == ["business.suspend", "member.add", "business.create"]
    assert (claim_owner("slug", "shop-2"), claim_owner("slug", "shop")) == ("shop", None)
    (member,) = queries.members("shop")
    assert (member.business_name, member.business_status) == ("New", "SUSPENDED")
    again = businesses.edit("shop", fields, revision=1, command=command)
    assert (again.revision, again.outcome.result["before"]["slug"]) == (2, "shop")


@real_engines
def test_when_the_table_does_not_answer_no_slug_is_claimed(table: str) -> None:
    with bad_network() as network:
        network.add_random_fault(1, lose_request)
        with pytest.raises(Unavailable):
            businesses.create(form_values(slug="shop"), command=new_command(ACTOR))
    assert (queries.find_business("shop"), claim_owner("slug", "shop")) == (None, None)


@real_engines
def test_a_rename_is_saved_although_its_copies_fail(table: str) -> None:
    """The rename is saved. The same form sent again writes the copies."""
    add_person("olivia@example.com", Role.OWNER)
    business = create_business(slug="shop", name="Old")
    members.add("shop", "olivia@example.com", command=new_command(ACTOR))
    command = new_command(ALDO)
    with bad_network() as network:
        network.next("UpdateItem", *[lose_request] * 3)
        assert businesses.edit("shop", {"name": "New"}, revision=1, command=command).name == "New"
    assert [each.business_name for each in queries.members("shop")] == ["Old"]
    assert businesses.edit("shop", {"name": "New"}, revision=1, command=command).revision == 2
    assert [each.business_name for each in queries.members("shop")] == ["New"]
    assert audit_actions(business)[1] == ["business.edit", "business.create"]


@real_engines
def test_a_member_is_added_and_removed_once_on_a_bad_network(table: str) -> None:
    add_person("olivia@example.com", Role.OWNER)
    business = create_business(slug="shop")
    adding, removing = new_command(ACTOR), new_command(ACTOR)
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply, lose_reply)
        member = members.add("shop", "olivia@example.com", BusinessRole.MANAGER, command=adding)
        members.remove("shop", "olivia@example.com", revision=member.revision, command=removing)
    members.remove("shop", "olivia@example.com", revision=member.revision, command=removing)
    assert queries.members("shop") == []
    assert audit_actions(business)[0] == ["member.remove", "member.add", "business.create"]
    with pytest.raises(Refused):
        members.add("shop", "nobody@example.com", command=new_command(ACTOR))

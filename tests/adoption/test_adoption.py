"""Adopting an unknown id, and undoing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from dashboard.core.errors import Conflict, DomainError, NotFound, Refused
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.adoption import queries, services
from dashboard.platform.adoption.unknown_ids import record_unknown_business
from dashboard.platform.audit.queries import history, latest_of
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.queries import find_business as find
from dashboard.platform.businesses.queries import load_business
from dashboard.platform.businesses.services import businesses, members
from dashboard.platform.stream import writer
from dashboard.platform.stream.changes import Change
from dashboard.table import keys
from dashboard.table.commands import Command, new_command
from dashboard.table.keypattern import Key
from tests.adoption.outside import follow, make_unknown_business, put_raw
from tests.businesses.business_pages import claim_owner, form_values
from tests.conftest import ACTOR, add_business, add_person, real_engines
from tests.faults import bad_network, lose_reply
from tests.table.notes import load_raw

pytestmark = pytest.mark.usefixtures("table")


def adopt(business: str, **options: str) -> Business:
    return services.adopt(business, command=new_command(ACTOR), **options)


def test_adopting_creates_the_business_and_changes_no_item() -> None:
    unknown = make_unknown_business("Pan_Caliente")
    theme = keys.THEME.key(tenant="Pan_Caliente", version=1)
    before = load_raw(theme)
    adopted = adopt("Pan_Caliente")
    assert (adopted.id, adopted.name, adopted.slug) == ("Pan_Caliente", unknown.name, "panaderia-pan-caliente")
    assert claim_owner("slug", "panaderia-pan-caliente") == "Pan_Caliente"
    assert queries.find_unknown_business("Pan_Caliente") is None
    assert load_raw(theme) == before
    assert [entry.action for entry in history("Pan_Caliente")] == ["business.adopt"]
    assert [entry.action for entry in latest_of("Pan_Caliente")] == ["business.adopt"]


def test_a_taken_slug_gets_a_suffix() -> None:
    add_business("pan", "Pan")
    make_unknown_business("PAN", name="Pan")
    adopted = adopt("PAN")
    assert adopted.slug.startswith("pan-") and claim_owner("slug", adopted.slug) == "PAN"


def test_a_chosen_slug_that_is_taken_is_refused() -> None:
    add_business("pan", "Pan")
    make_unknown_business("PAN")
    with pytest.raises(Refused) as refusal:
        adopt("PAN", slug="pan")
    assert refusal.value.field == "slug" and find("PAN") is None


@pytest.mark.parametrize("business", ["SYSTEM", "a b", "año", "..", "new", "-x", "x" * 200])
def test_an_id_that_no_address_can_contain_is_refused(business: str) -> None:
    follow(put_raw(keys.SERVICE.key(tenant=business, service="s")))
    unknown = queries.find_unknown_business(business)
    assert unknown is not None and unknown.obstacle
    with pytest.raises(Refused):
        adopt(business)
    assert find(business) is None


def test_an_id_that_was_not_recorded_cannot_be_adopted() -> None:
    with pytest.raises(NotFound):
        adopt("nowhere")


def test_an_id_that_was_recorded_too_late_leaves_the_list() -> None:
    """The follower read that there is no business, and wrote after it was adopted."""
    unknown = make_unknown_business()
    adopt(unknown.id)
    put_raw(unknown.key, kinds={})
    with pytest.raises(Conflict):
        adopt(unknown.id)
    assert queries.find_unknown_business(unknown.id) is None and find(unknown.id) is not None


@pytest.mark.parametrize("is_recorded", [True, False])
def test_an_id_is_not_recorded_if_it_is_adopted_after_it_was_looked_up(is_recorded: bool) -> None:
    unknown = make_unknown_business()
    change = Change(None, put_raw(Key(f"TENANT#{unknown.id}", "KIND#1")))
    lookup = queries.look_up_business(unknown.id)
    adopt(unknown.id)
    late = lookup if is_recorded else queries.BusinessLookup(exists=False)
    assert not writer.apply(record_unknown_business(change, late))
    assert queries.find_unknown_business(unknown.id) is None


def in_parallel(count: int, act: Callable[[int], object]) -> Counter[str]:
    start = Barrier(count)

    def run(number: int) -> str:
        start.wait()
        try:
            act(number)
            return "done"
        except DomainError as error:
            return type(error).__name__

    with ThreadPoolExecutor(count) as threads:
        return Counter(threads.map(run, range(count)))


@real_engines
def test_of_two_people_who_adopt_the_same_id_one_succeeds() -> None:
    unknown = make_unknown_business()
    assert in_parallel(2, lambda number: adopt(unknown.id, name=f"Name {number}")) == {"done": 1, "Conflict": 1}
    assert len(history(unknown.id)) == 1
    assert load_business(unknown.id).revision == 1


@real_engines
def test_adopting_while_an_outside_writer_writes_leaves_nothing_in_the_list() -> None:
    unknown = make_unknown_business()

    def act(number: int) -> None:
        if number == 0:
            adopt(unknown.id)
        else:
            follow(put_raw(Key(f"TENANT#{unknown.id}", f"KIND{number}#1")))

    assert in_parallel(6, act)["done"] == 6
    assert queries.find_unknown_business(unknown.id) is None and find(unknown.id) is not None


@real_engines
def test_after_a_lost_reply_it_is_adopted_once() -> None:
    unknown, command = make_unknown_business(), new_command(ACTOR)
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        adopted = services.adopt(unknown.id, command=command)
    again = services.adopt(unknown.id, command=command)
    assert again.key == adopted.key and len(history(unknown.id)) == 1


def undo(business: str, revision: int = 1, command: Command | None = None) -> None:
    services.undo_adoption(business, revision=revision, command=command or new_command(ACTOR))


def test_undo_removes_the_business_and_lists_it_again() -> None:
    unknown = make_unknown_business()
    adopted = adopt(unknown.id)
    undo(unknown.id)
    again = queries.find_unknown_business(unknown.id)
    assert again is not None and sorted(again.examples) == ["business", "theme"] and again.name == unknown.name
    assert find(unknown.id) is None and claim_owner("slug", adopted.slug) is None
    assert adopt(unknown.id).id == unknown.id


def test_undo_keeps_a_business_that_was_used() -> None:
    unknown = make_unknown_business()
    adopt(unknown.id)
    add_person("olivia@example.com", Role.OWNER)
    members.add(unknown.id, "olivia@example.com", command=new_command(ACTOR))
    with pytest.raises(Refused):
        undo(unknown.id)
    assert find(unknown.id) is not None


def test_undo_keeps_a_business_that_was_edited_and_one_that_was_created_here() -> None:
    unknown = make_unknown_business()
    edited = adopt(unknown.id)
    values = form_values(slug=edited.slug, name="Edited")
    businesses.edit(unknown.id, values, revision=1, command=new_command(ACTOR))
    created = businesses.create(form_values(), command=new_command(ACTOR))
    for business in (unknown.id, created.id):
        with pytest.raises((Refused, Conflict)):
            undo(business)
        assert find(business) is not None


def test_undo_ignores_the_audit_entries_of_outside_writers() -> None:
    unknown = make_unknown_business()
    adopt(unknown.id)
    key = keys.AUDIT.key(tenant=unknown.id, at="2099-01-01T00:00:00.000Z", id="1")
    put_raw(key, action="CREATE_PAGE", Type="AuditLog")
    undo(unknown.id)
    assert find(unknown.id) is None


def test_creating_a_business_with_a_found_id_takes_it_from_the_list() -> None:
    unknown = make_unknown_business("panes")
    businesses.create(form_values(slug="panes"), command=new_command(ACTOR))
    assert queries.find_unknown_business(unknown.id) is None

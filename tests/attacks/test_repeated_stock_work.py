"""Attacks on stores: work that is repeated, late or done by several people at the same time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import shifted
from dashboard.core.errors import DomainError, Refused
from dashboard.platform.jobs.queries import failures, find_job
from dashboard.table import read
from dashboard.table.commands import new_command
from franchises.items import Branch
from franchises.queries.totals import total_of_branch
from franchises.queries.whole_catalog import all_products
from franchises.reasons import MovementReason
from franchises.services import branches, counts, products
from franchises.services.stock import change_stock, undo_movement
from franchises.services.transfers import transfer
from tests.attacks.stock_items import delete_product, is_consistent, stock_of
from tests.conftest import ACTOR, add_business, real_engines
from tests.franchises.stores import BUSINESS, STORES, a_branch, a_franchise, a_product, product_url
from tests.jobs.execution import finish
from tests.ui.html import form_to


def test_a_count_is_not_applied_again_after_its_records_expired(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product("Café", branch, stock=10)
    sheet = counts.start(BUSINESS, branch, [product], command=new_command(ACTOR))
    counts.count_line(BUSINESS, sheet.id, product.id, counted=7, revision=0, command=new_command(ACTOR))
    first = finish(counts.apply(BUSINESS, sheet.id, revision=sheet.revision, command=new_command(ACTOR)))
    again = counts.apply(BUSINESS, sheet.id, revision=sheet.revision, command=new_command(ACTOR))
    assert again.id == first.id and stock_of(product) == 7
    with shifted(timedelta(days=31)):
        with pytest.raises(Refused, match="too long ago"):
            finish(counts.apply(BUSINESS, sheet.id, revision=sheet.revision, command=new_command(ACTOR)))
        assert stock_of(product) == 7


def test_the_same_file_confirmed_twice_adds_each_product_once(table: str, as_owner: Client, branch: Branch) -> None:
    base = f"{STORES}import/"
    text = "branch,sku,name,stock\nCentro,T-1,Té,4\nCentro,,Mate,6\n"
    ids = []
    for _number in range(2):
        answer = form_to(as_owner.get(base), base).send(as_owner, values={"text": text})
        ids.append(answer.headers["Location"].rstrip("/").rpartition("/")[2])
    assert len(set(ids)) == 2
    jobs = []
    for job_id in ids:
        as_owner.post(f"{base}{job_id}/confirm/")
        job = find_job(job_id)
        assert job is not None
        jobs.append(finish(job))
    assert sorted((each.title, each.stock) for each in all_products(BUSINESS)) == [("Mate", 6), ("Té", 4)]
    assert len(failures(jobs[0].id).items) == 0 and len(failures(jobs[1].id).items) == 2


def test_a_transfer_whose_other_side_is_gone_is_not_undone(table: str, as_owner: Client, branch: Branch) -> None:
    north = a_branch("Norte")
    source, target = a_product("Café", branch, stock=10), a_product("Café", north, stock=0)
    outgoing, incoming = transfer(BUSINESS, source.id, target.id, units=4, command=new_command(ACTOR))
    # What arrived is sold.
    sale = change_stock(BUSINESS, target.id, change=-4, reason=MovementReason.SALE, command=new_command(ACTOR))
    with pytest.raises(Refused, match="only 0"):
        undo_movement(BUSINESS, source.id, outgoing.seq, command=new_command(ACTOR))
    undo_movement(BUSINESS, target.id, sale.seq, command=new_command(ACTOR))
    # The other side is retired.
    retired = products.retire(BUSINESS, target.id, revision=target.revision, command=new_command(ACTOR))
    for product, seq in ((source, outgoing.seq), (target, incoming.seq)):
        with pytest.raises(Refused, match="retired"):
            undo_movement(BUSINESS, product.id, seq, command=new_command(ACTOR))
    products.bring_back(BUSINESS, target.id, revision=retired.revision, command=new_command(ACTOR))
    # An outside writer deletes it.
    delete_product(target.id)
    answer = as_owner.post(f"{product_url(source)}movements/{outgoing.seq}/undo/", follow=True)
    assert answer.status_code in {409, 422} and "no longer exists" in answer.content.decode()
    assert stock_of(source) == 6 and is_consistent(source)


@real_engines
def test_work_at_the_same_time_happens_once(table: str) -> None:
    """Two people apply one count, undo one movement and undo one transfer; a branch closes while products are added."""
    add_business(BUSINESS, "Coca-Cola Andina")
    a_franchise()
    branch, north = a_branch(), a_branch("Norte")
    product, arrived = a_product("Café", branch, stock=10), a_product("Café", north, stock=0)
    sheet = counts.start(BUSINESS, branch, [product], command=new_command(ACTOR))
    counts.count_line(BUSINESS, sheet.id, product.id, counted=7, revision=0, command=new_command(ACTOR))

    def apply() -> Any:
        return finish(counts.apply(BUSINESS, sheet.id, revision=sheet.revision, command=new_command(ACTOR)))

    results = at_once(apply, 4)
    assert stock_of(product) == 7 and any(not isinstance(each, Exception) for each in results)
    sale = change_stock(BUSINESS, product.id, change=-3, reason=MovementReason.SALE, command=new_command(ACTOR))
    undone = at_once(lambda: undo_movement(BUSINESS, product.id, sale.seq, command=new_command(ACTOR)), 4)
    assert sum(not isinstance(each, Exception) for each in undone) == 1 and stock_of(product) == 7
    sent, got = transfer(BUSINESS, product.id, arrived.id, units=5, command=new_command(ACTOR))
    sides = [(product.id, sent.seq), (arrived.id, got.seq)] * 2
    undone = read.gather_all(
        [partial(attempt, partial(undo_movement, BUSINESS, *side, command=new_command(ACTOR))) for side in sides]
    )
    assert sum(not isinstance(each, Exception) for each in undone) == 1
    assert (stock_of(product), stock_of(arrived)) == (7, 0) and is_consistent(product) and is_consistent(arrived)
    adding = [partial(attempt, partial(a_product, f"P{number}", north, stock=1)) for number in range(6)]
    closing = partial(branches.close, BUSINESS, north.id, revision=north.revision, command=new_command(ACTOR))
    *added, closed = read.gather_all([*adding, partial(attempt, closing)])
    assert not isinstance(closed, Exception)
    refused = [each for each in added if isinstance(each, Exception)]
    assert all("closed" in str(each) for each in refused)
    assert total_of_branch(BUSINESS, north.id) == (1 + 6 - len(refused), 6 - len(refused))


def attempt(action: Callable[[], Any]) -> Any:
    """The result, or why it was refused."""
    try:
        return action()
    except DomainError as error:
        return error


def at_once(action: Callable[[], Any], times: int) -> list[Any]:
    return read.gather_all([partial(attempt, action) for _number in range(times)])

"""A count of 500 lines with interleaved sales, on real engines: killed twice, it ends as an uninterrupted one."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from dashboard.core.errors import Refused, Unavailable
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.queries import find_job
from dashboard.table import read
from dashboard.table.commands import Actor, new_command
from franchises.items import CountLine, StockItem
from franchises.queries import counts as queries
from franchises.queries.whole_catalog import products_of_branch
from franchises.reasons import MovementReason
from franchises.services import bulk_undo
from franchises.services import counts as services
from franchises.services.stock import change_stock
from tests.conftest import ACTOR, add_business, real_engines
from tests.franchises.stores import BUSINESS, a_branch, a_franchise, a_product
from tests.jobs.execution import finish

SIZE = {"dynoxide": 500, "dynamodb_local": 40}
AT_ONCE = 8


def all_at_once(actions: list[Any]) -> None:
    for at in range(0, len(actions), AT_ONCE):
        read.gather_all(actions[at : at + AT_ONCE])


def sell(product: StockItem, units: int) -> None:
    change_stock(BUSINESS, product.id, change=-units, reason=MovementReason.SALE, command=new_command(ACTOR))


def count(sheet: str, product: StockItem, counted: int) -> CountLine:
    return services.count_line(BUSINESS, sheet, product.id, counted=counted, revision=0, command=new_command(ACTOR))


def stocks(branch: str) -> dict[str, Any]:
    return {each.id: each.stock for each in products_of_branch(BUSINESS, branch)}


@real_engines
def test_a_count_that_is_killed_twice_applies_each_line_once(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    add_business(BUSINESS, "Coca-Cola Andina")
    a_franchise()
    branch, size = a_branch(), SIZE[table]
    all_at_once([partial(a_product, f"P{number:03}", branch, stock=20) for number in range(size)])
    products = products_of_branch(BUSINESS, branch.id)
    sheet = services.start(BUSINESS, branch, products, command=new_command(ACTOR)).id

    # When it is counted, every third product lacks two. Every fourth sells one unit before it, and one after it.
    missing = {product.id: 2 if number % 3 == 0 else 0 for number, product in enumerate(products)}
    sold = {product.id: 1 if number % 4 == 0 else 0 for number, product in enumerate(products)}

    def sell_count_sell(product: StockItem) -> None:
        if sold[product.id]:
            sell(product, 1)
        count(sheet, product, 20 - sold[product.id] - missing[product.id])
        if sold[product.id]:
            sell(product, 1)

    all_at_once([partial(sell_count_sell, product) for product in products])
    before = stocks(branch.id)
    save, killed = runner._save, list[Any]()

    def save_or_die(job: Job, *arguments: Any, **options: Any) -> None:
        # The lines of the step are written, its progress is not. A sale happens before the job continues.
        if len(killed) < 2 and int(job.cursor or 0) >= 8 * len(killed):
            killed.append(job.cursor)
            sell(products[len(killed)], 3)
            raise Unavailable
        save(job, *arguments, **options)

    monkeypatch.setattr(runner, "_save", save_or_die)
    job = finish(services.apply(BUSINESS, sheet, revision=1, command=new_command(ACTOR)))
    differing = sum(bool(units) for units in missing.values())
    assert (job.state, int(job.done), int(job.failed), len(killed)) == (JobState.DONE, differing, 0, 2)
    late = {products[1].id: 3, products[2].id: 3}
    uninterrupted = {product: 20 - 2 * sold[product] - missing[product] - late.get(product, 0) for product in before}
    assert stocks(branch.id) == uninterrupted

    again = services.apply(BUSINESS, sheet, revision=1, command=new_command(ACTOR))
    assert again.id == job.id, "the sheet has one job"
    undone = finish(bulk_undo.begin_undo(find_job(job.id) or job, command=new_command(ACTOR)))
    assert (undone.state, int(undone.failed)) == (JobState.DONE, 0)
    assert stocks(branch.id) == {product: before[product] - late.get(product, 0) for product in before}


def test_the_lines_of_a_sheet_are_those_of_its_start(table: str) -> None:
    add_business(BUSINESS, "Coca-Cola Andina")
    a_franchise()
    branch = a_branch()
    products = [a_product(f"P{number}", branch) for number in range(3)]
    command = new_command(ACTOR)
    first = services.start(BUSINESS, branch, products, command=command)
    again = services.start(BUSINESS, branch, products, command=command)
    assert first.id == again.id and len(queries.lines_of(BUSINESS, first.id)) == 3
    assert len(queries.sheets(BUSINESS).items) == 1


def test_another_person_continues_an_interrupted_count(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    add_business(BUSINESS, "Coca-Cola Andina")
    a_franchise()
    branch = a_branch()
    products = [a_product(f"P{number:02}", branch, stock=20) for number in range(20)]
    sheet = services.start(BUSINESS, branch, products, command=new_command(ACTOR)).id
    for product in products:
        count(sheet, product, 19)
    first = services.apply(BUSINESS, sheet, revision=1, command=new_command(ACTOR))
    runner.advance(first, seconds=0)
    assert 0 < list(stocks(branch.id).values()).count(19) < 20, "it was interrupted"
    other = Actor("maria@example.com", "María")
    second = finish(services.apply(BUSINESS, sheet, revision=1, command=new_command(other)))
    assert second.id != first.id and (int(second.done), int(second.failed)) == (20, 0)
    finish(find_job(first.id) or first)
    assert set(stocks(branch.id).values()) == {19}, "each line was applied once"


def test_a_discarded_count_is_not_applied(table: str) -> None:
    add_business(BUSINESS, "Coca-Cola Andina")
    a_franchise()
    branch = a_branch()
    sheet = services.start(BUSINESS, branch, [a_product("Café", branch)], command=new_command(ACTOR)).id
    services.discard(BUSINESS, sheet, revision=1, command=new_command(ACTOR))
    with pytest.raises(Refused, match="discarded"):
        services.apply(BUSINESS, sheet, revision=2, command=new_command(ACTOR))

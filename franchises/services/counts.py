"""Count sheets: start, count a line, apply the differences, discard."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pynamodb.expressions.condition import Condition

from dashboard.core.clock import now
from dashboard.core.errors import DomainError, Refused
from dashboard.platform.audit.services import record
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job
from dashboard.table import keys, write
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.read import gather_all
from dashboard.table.transactions import Transaction, idempotent
from franchises.causes import Cause, CauseKind
from franchises.items import Branch, CountLine, CountSheet, Movement, StockItem
from franchises.queries.counts import MAX_LINES, lines_of, load_line_state, load_sheet
from franchises.queries.history import target_of
from franchises.reasons import MovementReason
from franchises.services.stock import change_stock

APPLY = "stores.count"
# Lines that are written in parallel.
AT_ONCE = 10
NOT_OPEN = gettext_lazy("This count is closed. The quantity was not saved.")


@idempotent
def start(business: str, branch: Branch, products: Sequence[StockItem], *, command: Command) -> CountSheet:
    """Create a sheet with a line for each of these products of the branch."""
    if not products:
        raise Refused(_("This branch has no products to count."), field="branch")
    if len(products) > MAX_LINES:
        text = _("A count has at most %(most)s products. Count a part of them.")
        raise Refused(text % {"most": f"{MAX_LINES:,}"}, field="products")
    # The id follows from the command: a repeated command writes the same lines.
    sheet = CountSheet.new(tenant=business, count=command.secret("count")[:16])
    sheet.title, sheet.branch_id, sheet.branch_name = branch.title, branch.id, branch.title
    sheet.size, sheet.started_at = len(products), now()
    # The lines come first, so that a sheet has all of its lines.
    writes = [partial(_write_line, business, sheet.id, product) for product in products]
    for at in range(0, len(writes), AT_ONCE):
        gather_all(writes[at : at + AT_ONCE])
    transaction = Transaction(command)
    transaction.create(sheet)
    _record(transaction, "start", sheet, {"branch": branch.title, "size": len(products)})
    return transaction.commit(sheet)


def _record(transaction: Transaction, action: str, sheet: CountSheet, after: dict[str, Any] | None = None) -> None:
    record(
        transaction,
        f"count.{action}",
        target=target_of("count", sheet.id),
        kind="count",
        title=sheet.title or sheet.id,
        after=after,
        business=str(sheet.key_parts["tenant"]),
    )


def _write_line(business: str, count: str, product: StockItem) -> None:
    attributes = CountLine.get_attributes()
    values = {"name": product.title, "sku": product.sku, "price": product.price}
    actions = [attributes[name].set(value) for name, value in values.items() if value is not None]
    write.update(keys.COUNT_LINE.key(tenant=business, count=count, product=product.id), actions)


@idempotent
def count_line(
    business: str, count: str, product_id: str, *, counted: int | None, revision: int, command: Command
) -> CountLine:
    """Save the counted quantity with the recorded stock of this moment; None removes the quantity."""
    state = load_line_state(business, count, product_id)
    line = state.line
    line.counted = counted
    if counted is None:
        line.seq = line.recorded = line.counted_at = None
    else:
        line.seq, line.recorded, line.counted_at = int(state.head.seq) if state.head else 0, state.recorded, now()
    transaction = Transaction(command)
    transaction.check(state.sheet.key, _is_open(), lambda _item: Refused(NOT_OPEN))
    transaction.save(line, revision=revision)
    return transaction.commit(line)


def _is_open() -> Condition:
    return CountSheet.applied_at.does_not_exist() & CountSheet.discarded_at.does_not_exist()  # type: ignore[no-any-return]


def apply(business: str, count: str, *, revision: int, command: Command) -> Job:
    """Close the sheet, then start the job that applies its differences.

    If the job was not started or is interrupted, someone applies the sheet again. The job is the same then, or that of
    another person. The commands of the lines are the same in all of them.
    """
    sheet = load_sheet(business, count)
    if sheet.is_open:
        if not any(line.is_counted for line in lines_of(business, count)):
            raise Refused(_("Nothing is counted yet."))
        sheet = _close(business, sheet, revision=revision, command=command)
    if sheet.discarded_at:
        raise Refused(_("This count was discarded. Reopen it first."))
    if sheet.applied_at and now() - sheet.applied_at > job_services.LIFE:
        # The records that keep a line from being applied twice expire with the job.
        raise Refused(_("This count was applied too long ago to be continued. Start a new one."))
    # Read after the sheet is closed, so that they do not change any more.
    lines = [line for line in lines_of(business, count) if line.difference]
    return job_services.start(
        APPLY,
        _("Apply the count of %(branch)s") % {"branch": sheet.title or ""},
        command=line_commands(count, command).part(f"apply {command.by.email}"),
        inputs=[_job_line(business, sheet, line) for line in lines],
        business=business,
        about={"count": count},
    )


def line_commands(count: str, command: Command) -> Command:
    """The command whose parts apply the lines. It is the same in every job of this sheet."""
    return Command(f"count-{count}", command.by)


@idempotent
def _close(business: str, sheet: CountSheet, *, revision: int, command: Command) -> CountSheet:
    """From now on the lines do not change."""
    sheet.applied_at, sheet.applied_by = now(), command.by.email
    transaction = Transaction(command)
    transaction.save(sheet, revision=revision, condition=_is_open())
    title = sheet.title or sheet.id
    record(
        transaction, "count.apply", target=target_of("count", sheet.id), kind="count", title=title, business=business
    )
    return transaction.commit(sheet)


def _job_line(business: str, sheet: CountSheet, line: CountLine) -> dict[str, Any]:
    return {
        "business": business,
        "count": sheet.id,
        "branch": sheet.title or "",
        "product": line.product_id,
        "title": line.title,
        "change": line.difference,
    }


def apply_line(line: dict[str, Any], *, command: Command) -> Movement:
    """Change a stock by the difference of its line."""
    return change_stock(
        line["business"],
        line["product"],
        change=line["change"],
        reason=MovementReason.COUNT,
        cause=Cause(CauseKind.COUNT, line["count"], line["branch"]),
        command=command,
    )


@idempotent
def discard(business: str, count: str, *, revision: int, command: Command) -> CountSheet:
    """Close a sheet without applying it. Its lines are kept, so that it can be reopened."""
    sheet = load_sheet(business, count)
    sheet.discarded_at = now()
    transaction = Transaction(command)
    transaction.save(sheet, revision=revision, condition=_is_open(), on_failure=_already_closed)
    title = sheet.title or sheet.id
    record(
        transaction, "count.discard", target=target_of("count", sheet.id), kind="count", title=title, business=business
    )
    return transaction.commit(sheet)


def _already_closed(item: Item | None) -> DomainError:
    return Refused(_("This count was changed by someone else. Nothing was discarded."))


@idempotent
def reopen(business: str, count: str, *, revision: int, command: Command) -> CountSheet:
    """Undo of `discard`."""
    sheet = load_sheet(business, count)
    sheet.discarded_at = None
    transaction = Transaction(command)
    transaction.save(sheet, revision=revision)
    title = sheet.title or sheet.id
    record(
        transaction, "count.reopen", target=target_of("count", sheet.id), kind="count", title=title, business=business
    )
    return transaction.commit(sheet)

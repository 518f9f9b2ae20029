"""Transfer of many products between two branches. Each line is one product, with both sides in one transaction."""

from __future__ import annotations

from typing import Any

from django.utils.translation import ngettext

from dashboard.core.errors import NotFound
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job
from dashboard.table.commands import Command
from dashboard.table.transactions import find_done
from franchises.causes import Cause, CauseKind
from franchises.items import Branch, Movement, StockItem
from franchises.queries.products import find_product, stock_of_group
from franchises.services import products
from franchises.services.transfers import transfer

TRANSFER = "stores.transfer"

TransferLine = dict[str, Any]


def start(business: str, source: Branch, target: Branch, lines: list[TransferLine], *, command: Command) -> Job:
    """Start the job that transfers these lines."""
    transfer_id = command.secret("transfer")[:16]
    title = ngettext(
        "Transfer %(count)s product from %(source)s to %(target)s",
        "Transfer %(count)s products from %(source)s to %(target)s",
        len(lines),
    ) % {"count": len(lines), "source": source.title, "target": target.title}
    return job_services.start(
        TRANSFER,
        title,
        command=command,
        inputs=[line | {"transfer": transfer_id} for line in lines],
        business=business,
        about={"transfer": transfer_id},
    )


def build_line(
    business: str, branches: tuple[Branch, Branch], product: StockItem, in_target: StockItem | None, units: int
) -> TransferLine:
    """The line of a product that moves from the first branch to the second."""
    source, target = branches
    return {
        "business": business,
        "targetBranch": target.id,
        "causeTitle": f"{source.title} → {target.title}",
        "product": product.id,
        "title": product.title,
        "target": in_target.id if in_target is not None else None,
        "units": units,
    }


def transfer_line(line: TransferLine, command: Command) -> Movement:
    """Move the units of one product. If the target branch does not have the product, it is added there first."""
    cause = Cause(CauseKind.TRANSFER, line["transfer"], line["causeTitle"])
    target = line["target"] or _add_to_target(line, command.part("create"))
    outgoing, _incoming = transfer(
        line["business"], line["product"], target, units=int(line["units"]), cause=cause, command=command.part("move")
    )
    return outgoing


def _add_to_target(line: TransferLine, command: Command) -> str:
    source = find_product(line["business"], line["product"])
    if source is None:
        raise NotFound
    if source.group and find_done(command) is None:
        # Someone may have added it since the preview.
        for found in stock_of_group(line["business"], source.group, line["targetBranch"], limit=1):
            return found.id
    values = {"name": source.name, "sku": source.sku, "min_stock": source.min_stock, "price": source.price}
    return products.create(line["business"], line["targetBranch"], values, command=command).id

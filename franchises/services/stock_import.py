"""Import of a file of stock: the job that carries it out, and the undo of its lines."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job
from dashboard.table.commands import Command
from dashboard.table.transactions import find_done, find_subject
from franchises.causes import Cause, CauseKind
from franchises.import_plan import LEFT_OUT, ImportLine, Verdict
from franchises.items import Movement, StockItem
from franchises.queries.stock import load_stock_state
from franchises.reasons import MovementReason
from franchises.services import products
from franchises.services.stock import set_stock, undo_movement

IMPORT = "stores.import"
MAX_FILE_NAME = 80
# The names of the fields of a product, by the column of the file.
_FIELDS = {"name": "name", "sku": "sku", "minimum": "min_stock", "price": "price"}


def prepare(business: str, lines: list[ImportLine], file: str, *, command: Command) -> Job:
    """A job that waits for confirmation. It leaves out lines with errors and those that change nothing."""
    counts = {verdict.value: sum(line["verdict"] == verdict for line in lines) for verdict in Verdict}
    excluded = sum(counts[verdict] for verdict in LEFT_OUT)
    total = len(lines) - excluded
    import_id = command.secret("import")[:16]
    for line in lines[excluded:]:
        line |= {"business": business, "import": import_id, "file": file[:MAX_FILE_NAME]}
    title = ngettext("Import %(count)s product", "Import %(count)s products", total) % {"count": f"{total:,}"}
    return job_services.start(
        IMPORT,
        title,
        command=command,
        inputs=lines,
        total=total,
        first=excluded,
        business=business,
        about={"leftOut": excluded, "counts": counts, "import": import_id, "file": file[:MAX_FILE_NAME]},
        waiting=True,
    )


def import_line(line: ImportLine, command: Command) -> None:
    """Create or change the product of a line. The stock comes first: if it was sold meanwhile, nothing changes."""
    business, values = line["business"], line["values"]
    cause = Cause(CauseKind.FILE, line["import"], line["file"] or _("File"))
    details = {_FIELDS[name]: _decoded(name, value) for name, value in values.items() if name in _FIELDS}
    if line["verdict"] == Verdict.NEW:
        stock = int(values["stock"])
        products.create(business, line["branch"], details, stock=stock, cause=cause, command=command.part("create"))
        return
    if "stock" in values:
        before = line["before"]["stock"]
        set_stock(
            business,
            line["product"],
            stock=int(values["stock"]),
            seen=None if before is None else int(before),
            reason=MovementReason.CORRECTION,
            cause=cause,
            command=command.part("stock"),
        )
    if details:
        products.edit(
            business, line["product"], details, revision=int(line["revision"]), command=command.part("details")
        )


def _decoded(name: str, value: Any) -> Any:
    return Decimal(value) if name == "price" and value is not None else value


SOLD_SINCE = gettext_lazy("It has moved since the import. Retire it on its page if it is not needed.")


def undo_line(original: Command, line: ImportLine, cause: Cause, command: Command) -> None:
    """Reverse one line of the import. `original` is the command that carried it out."""
    if line["verdict"] == Verdict.NEW:
        _undo_new(line, original.part("create"), command)
        return
    movement = find_subject(original.part("stock")) if "stock" in line["values"] else None
    if isinstance(movement, Movement):
        undo_movement(line["business"], line["product"], movement.seq, cause=cause, command=command.part("stock"))
    if find_done(original.part("details")) is not None:
        _restore_details(line, command)


def _undo_new(line: ImportLine, created_by: Command, command: Command) -> None:
    """Retire a product that the import added, unless it was sold or edited since."""
    product = find_subject(created_by)
    if not isinstance(product, StockItem) or product.is_retired:
        return
    head = load_stock_state(line["business"], product.id).head
    if head is not None and head.seq > 1:
        raise Refused(SOLD_SINCE)
    try:
        products.retire(line["business"], product.id, revision=1, command=command.part("retire"))
    except Conflict as conflict:
        raise Refused(_("Someone edited it after the import.")) from conflict


def _restore_details(line: ImportLine, command: Command) -> None:
    """Set back each value that is still that of the import. Values that someone changed since are kept."""
    product = load_stock_state(line["business"], line["product"]).item
    if product is None:
        return
    names = [name for name in _FIELDS if name in line["values"]]
    kept = [name for name in names if getattr(product, _FIELDS[name]) != _decoded(name, line["values"][name])]
    values = {_FIELDS[name]: _decoded(name, line["before"][name]) for name in names if name not in kept}
    if values:
        products.edit(line["business"], product.id, values, revision=product.revision, command=command.part("details"))
    if kept:
        raise Refused(_("Someone edited it after the import. The newer values were kept."))

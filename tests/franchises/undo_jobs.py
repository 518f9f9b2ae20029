"""A job that has counted the movements of a cause and waits for its person."""

from __future__ import annotations

from dashboard.core.ids import new_id
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import Job
from dashboard.table import tenancy
from dashboard.table.commands import Actor, new_command
from franchises.causes import Cause, CauseKind
from franchises.reasons import MovementReason
from franchises.services.selected_undo import begin_undo_of_cause
from franchises.services.stock import change_stock
from tests.franchises.stores import a_branch, a_product


def counted_undo(who: Actor, business: str) -> Job:
    product = a_product("Sold by a file", a_branch(f"Sur {new_id()[-4:]}", business=business), business=business)
    cause = Cause(CauseKind.FILE, new_id(), "sales.csv")
    change_stock(business, product.id, change=-2, reason=MovementReason.SALE, cause=cause, command=new_command(who))
    with tenancy.bind(tenancy.Binding(business, who.email)):
        return runner.advance(begin_undo_of_cause(business, cause.id, command=new_command(who)))

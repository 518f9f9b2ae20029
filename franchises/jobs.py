"""Jobs of stores: each line is one product."""

from __future__ import annotations

from typing import Any

from dashboard.platform.jobs.kinds import line_job_kind
from dashboard.table.commands import Command
from franchises.causes import Cause, CauseKind
from franchises.permissions import Permission
from franchises.reasons import MovementReason
from franchises.services import counts
from franchises.services.stock import change_stock


@line_job_kind(
    counts.APPLY,
    permission=Permission.STOCK,
    target=lambda line: str(line["product"]),
    result_template="franchises/_count_result.html",
    target_template="franchises/_job_target.html",
)
def apply_count_line(line: dict[str, Any], command: Command) -> None:
    """The command is that of the sheet, so that two jobs of one sheet apply each line once."""
    change_stock(
        line["business"],
        line["product"],
        change=line["change"],
        reason=MovementReason.COUNT,
        cause=Cause(CauseKind.COUNT, line["count"], line["branch"]),
        command=counts.line_commands(line["count"], command).part(line["product"]),
    )

"""Jobs of stores: each line is one product."""

from __future__ import annotations

from typing import Any

from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import Step, job_kind, line_job_kind
from dashboard.table.commands import Command
from franchises.permissions import Permission
from franchises.services import bulk_transfer, bulk_undo, counts, selected_undo, stock_import

_RESULT, _TARGET = "franchises/_job_result.html", "franchises/_job_target.html"


@line_job_kind(
    counts.APPLY,
    permission=Permission.STOCK,
    target=bulk_undo.target_of,
    result_template=_RESULT,
    target_template=_TARGET,
)
def apply_count_line(line: dict[str, Any], command: Command) -> None:
    # The command is that of the sheet, so that two jobs of one sheet apply each line once.
    counts.apply_line(line, command=counts.line_commands(line["count"], command).part(line["product"]))


@line_job_kind(
    bulk_transfer.TRANSFER,
    permission=Permission.STOCK,
    target=bulk_undo.target_of,
    result_template=_RESULT,
    target_template=_TARGET,
)
def transfer_line(line: dict[str, Any], command: Command) -> None:
    bulk_transfer.transfer_line(line, command)


@line_job_kind(
    stock_import.IMPORT,
    permission=Permission.STORES,
    target=bulk_undo.target_of,
    confirm_page="stores_import_preview",
    result_template=_RESULT,
    target_template=_TARGET,
)
def import_line(line: dict[str, Any], command: Command) -> None:
    stock_import.import_line(line, command)


@job_kind(bulk_undo.UNDO, permission=Permission.STOCK, result_template=_RESULT, target_template=_TARGET)
def undo(job: Job) -> Step:
    return bulk_undo.undo_lines(job)


@job_kind(
    selected_undo.SELECTED_UNDO,
    permission=Permission.STOCK,
    retry=selected_undo.undo_line,
    confirm_page="undo_preview",
    result_template=_RESULT,
    target_template=_TARGET,
)
def undo_selected(job: Job) -> Step:
    """Count the movements, wait for the person, then undo each."""
    return selected_undo.count_movements(job) if job.is_counting else selected_undo.undo_selected(job)

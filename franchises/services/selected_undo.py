"""Undo of everything that belongs to one cause, or that one person changed since a time: counted first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.errors import NotFound
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import COUNTING, Job
from dashboard.platform.jobs.kinds import AT_ONCE, FailedTarget, JobLine, Step, attempt, counting_cursor
from dashboard.table import read
from dashboard.table.commands import Command
from dashboard.table.timestamps import to_wire
from franchises.causes import Cause, CauseKind
from franchises.items import Movement
from franchises.queries import ledger as queries
from franchises.services.undo import undo_movement

SELECTED_UNDO = "stores.undo_selected"
PAGE = 50


def begin_undo_of_cause(business: str, cause_id: str, *, command: Command) -> Job:
    """Undo what a count, a file, a transfer or an undo changed."""
    newest = queries.movements_of_cause(business, cause_id, limit=1).items
    if not newest:
        raise NotFound
    return _begin(business, str((newest[0].cause or {}).get("title") or cause_id), {"cause": cause_id}, command)


def begin_undo_of_person(business: str, email: str, since: str, *, command: Command) -> Job:
    """Undo what a person has changed since this time, as it is stored."""
    return _begin(business, email, {"person": email, "since": since}, command)


def _begin(business: str, title: str, selection: dict[str, str], command: Command) -> Job:
    first, title = counting_cursor({"parts": 0}), _("Undo: %(title)s") % {"title": title}
    about = selection | {"title": title}
    return job_services.start(SELECTED_UNDO, title, command=command, first=first, business=business, about=about)


# --- Counting ------------------------------------------------------------------------------------
def count_movements(job: Job) -> Step:
    """Store the movements to undo of one page, the newest first. After the last page the job waits."""
    at = job.cursor[COUNTING]
    page = _selected_page(job, at.get("start"))
    lines = [_line_of(str(job.business_id), each) for each in _undoable(job, page.items)]
    total, parts = int(job.total or 0) + len(lines), int(at["parts"]) + bool(lines)
    part = (int(at["parts"]), lines) if lines else None
    if page.next_start_key is not None:
        return Step(counting_cursor({"parts": parts, "start": page.next_start_key}), total=total, part=part)
    if not total:
        return Step(total=0)  # Nothing to undo.
    return Step({"part": 0, "at": 0, "parts": parts}, total=total, part=part, wait=True)


def _selected_page(job: Job, start_key: Any) -> read.Page[Movement]:
    about, business = job.about or {}, str(job.business_id)
    options = {"limit": PAGE, "until": to_wire(job.cut_off or job.started_at)}
    if "cause" in about:
        return queries.movements_of_cause(business, about["cause"], start_key, since="", **options)
    return queries.movements_by(business, about["person"], start_key, since=about["since"], **options)


def _undoable(job: Job, movements: Sequence[Movement]) -> Iterator[Movement]:
    """Without those that are undone already, and those that undid another one of the selection.

    Of a transfer, only the outgoing side is taken: both are undone together, and only that side is marked.
    """
    undoing = [each for each in movements if each.undoes]
    undone = queries.find_movements(str(job.business_id), [(each.product_id, int(each.undoes)) for each in undoing])
    for movement in movements:
        original = undone.get((movement.product_id, int(movement.undoes or 0)))
        is_incoming = bool(movement.counterpart) and movement.change > 0
        if not movement.undone_by and not is_incoming and not (original and _is_selected(job, original)):
            yield movement


def _is_selected(job: Job, movement: Movement) -> bool:
    about = job.about or {}
    if "cause" in about:
        return bool((movement.cause or {}).get("id") == about["cause"])
    by = (movement.actor or {}).get("email")
    return bool(by == about["person"]) and to_wire(movement.at) >= str(about["since"])


def _line_of(business: str, movement: Movement) -> JobLine:
    return {
        "business": business,
        "product": movement.product_id,
        "seq": movement.seq,
        "title": movement.title,
        "branch": movement.branch_id or "",
        "change": movement.change,
        "reason": movement.reason,
        "at": to_wire(movement.at),
        # Two lines with one of these are not undone at the same time.
        "counterpart": str((movement.counterpart or {}).get("product", "")),
    }


# --- Undoing -------------------------------------------------------------------------------------
def undo_selected(job: Job) -> Step:
    """Undo the next movements."""
    part, at, parts = (int(job.cursor[name]) for name in ("part", "at", "parts"))
    lines = job_queries.lines_of_part(job.id, part)
    some = lines[at : at + AT_ONCE]
    failed = [failure for wave in _waves(some) for failure in _undo_lines(job, wave)]
    if at + len(some) < len(lines):
        cursor: dict[str, int] | None = {"part": part, "at": at + len(some), "parts": parts}
    else:
        cursor = {"part": part + 1, "at": 0, "parts": parts} if part + 1 < parts else None
    return Step(cursor, len(some) - len(failed), tuple(failed))


def _waves(lines: Sequence[JobLine]) -> list[list[JobLine]]:
    """Lines to undo in parallel. Movements of one stock follow each other, so that it does not go below zero."""
    waves: list[list[JobLine]] = []
    for line in lines:
        products = {line["product"], line["counterpart"]} - {""}
        last = max(
            (n for n, wave in enumerate(waves) if any(products & {x["product"], x["counterpart"]} for x in wave)),
            default=-1,
        )
        if last + 1 == len(waves):
            waves.append([])
        waves[last + 1].append(line)
    return waves


def _undo_lines(job: Job, lines: Sequence[JobLine]) -> list[FailedTarget]:
    cause = Cause(CauseKind.UNDO, job.id, str((job.about or {})["title"]))
    targets = [
        (f"{line['product']} {line['seq']}", line | {"undo": cause.id, "undoTitle": cause.title}) for line in lines
    ]
    return attempt(job, undo_line, targets)


def undo_line(line: JobLine, command: Command) -> None:
    cause = Cause(CauseKind.UNDO, line["undo"], line["undoTitle"])
    undo_movement(line["business"], line["product"], int(line["seq"]), cause=cause, command=command)

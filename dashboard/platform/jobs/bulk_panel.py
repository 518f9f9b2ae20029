"""A bulk action inside a list: its progress, the results of its rows, and its undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import JobLine
from dashboard.platform.jobs.results import LineResult, ResultPosition, results_since
from dashboard.web.pages import safe_next, wants_fragment

MAX_CARDS = 300
# Rows whose cards are read again in one answer.
MAX_READ = 100
# The id of the form that undoes the last decision.
UNDO_LAST_ID = "undo-last"


@dataclass(frozen=True)
class PanelUrls:
    """Where the forms of the panel are sent. Without a preview, `preview` is empty."""

    next: str
    undo: str
    begin: str = ""
    preview: str = ""


@dataclass(frozen=True)
class RowResult:
    """The result of one row: a line if it is done, its card if it was not done or was undone."""

    name: str
    result: LineResult
    card: Any = None


def is_in_place(request: Request) -> bool:
    """Whether the list asks, which shows the panel itself."""
    return wants_fragment(request) and request.POST.get("place") == "list"


def names_on_page(request: Request) -> set[str]:
    """The names of the cards that the page shows."""
    return set(request.POST.get("names", "").split("\n")[:MAX_CARDS])


def advance_with_position(request: Request, job: Job) -> tuple[Job, ResultPosition | None]:
    """Execute a piece of the job; return it with the position up to which the list shows the results."""
    position = ResultPosition.from_text(request.POST.get("shown", "")) or ResultPosition.of(job)
    return runner.advance(job), position


def row_results(
    request: Request,
    job: Job,
    position: ResultPosition | None,
    *,
    name_of: Callable[[JobLine], str],
    is_undo: bool,
    load_cards: Callable[[list[JobLine]], dict[str, Any]],
) -> list[RowResult]:
    """Rows whose card is shown again are read: their state has changed."""
    results = results_since(job, position, names_on_page(request), name_of) if position else []
    again = [each.line for each in results if is_undo or each.problem]
    cards = load_cards(again[:MAX_READ]) if again else {}
    named = [(name_of(each.line), each) for each in results]
    return [RowResult(name, each, cards.get(name)) for name, each in named]


def panel_context(request: Request, job: Job, *, is_new: bool) -> dict[str, Any]:
    """What every panel needs. `is_new` if a form of the list has just started the job."""
    return {
        "job": job,
        "is_new": is_new,
        # While it counts, no row has a result.
        "position": ResultPosition.of(job) or "",
        "delay": "2s" if job.is_leased else "50ms",
        "next": safe_next(request, ""),
        "place": "list",
        # The undo of the last decision may be the undo of a bulk action.
        "replaces_undo": request.htmx.trigger == UNDO_LAST_ID,
    }

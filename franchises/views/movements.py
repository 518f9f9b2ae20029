"""The movements of a franchise, with filters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page, gather
from dashboard.web.lists import build_listing, list_page
from dashboard.web.pages import page
from franchises.forms.stock import MovementFilterForm
from franchises.items import Movement
from franchises.movement_rows import MovementRow, movement_rows
from franchises.permissions import Permission
from franchises.presenters import display_change
from franchises.queries.branches import branches_of, titles_of
from franchises.queries.movement_filters import MovementFilter, filtered_movements

TAB = "movements"
FILTERS = ("branch", "reason", "person", "cause", "since", "until")


@requires(Permission.STOCK)
@require_safe
def movements(request: Request, business: str) -> HttpResponse:
    form = MovementFilterForm(request.GET)
    if not form.is_valid():
        listing = build_listing(request, [], None, filters=FILTERS)
        context: dict[str, Any] = {"form": form, "listing": listing, "undo_fields": {}, "tab": TAB}
        return page(request, "franchises/movements.html", context, partial="list")
    filters = _filters(form)

    def load(start_key: Any) -> tuple[Page[MovementRow], dict[str, Any]]:
        found, branches = gather(
            partial(filtered_movements, business, filters, start_key), partial(branches_of, business)
        )
        form.set_branches(branches)
        titles = titles_of(branches)
        changes = [int(each.change) for each in found.items if each.change is not None]
        context = {
            "form": form,
            "cause": _cause_title(found.items) if filters.cause else "",
            "added": display_change(sum(each for each in changes if each > 0)),
            "removed": display_change(sum(each for each in changes if each < 0)),
            "undo_fields": undo_fields(filters),
            "is_whole": found.next_start_key is None and not start_key,
            "tab": TAB,
        }
        return found.with_rows(movement_rows(business, found.items, titles)), context

    scope = (TAB, business, *filters.cursor_scope)
    return list_page(request, "franchises/movements.html", load, cursor_scope=scope, filters=FILTERS)


def _filters(form: MovementFilterForm) -> MovementFilter:
    since, until = form.bounds
    chosen = {name: form.cleaned_data[name] for name in ("branch", "reason", "person", "cause")}
    return MovementFilter(**chosen | {"person": chosen["person"].lower()}, since=since, until=until)


def undo_fields(filters: MovementFilter) -> dict[str, str]:
    """The fields of the form that undoes the whole list: all of a cause, or of a person since a time; else empty."""
    if filters.branch or filters.reason or filters.until is not None:
        return {}
    if filters.cause:
        return {} if filters.person or filters.since else {"cause": filters.cause}
    return {"person": filters.person, "since": filters.since} if filters.person and filters.since else {}


def _cause_title(movements: Sequence[Movement]) -> str:
    return next((str((each.cause or {}).get("title", "")) for each in movements), "")

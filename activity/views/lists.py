"""Lists behind the numbers: the people who are counted, and the events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from activity.params import DAY_PARAMS, ActivityParams, Filters
from activity.permissions import Permission
from activity.presenters.events import event_lines, person_lines
from activity.presenters.names import whole
from activity.views.shared import LoadedDays, frame_context, load_days
from activity.warehouse.reports import Report, events_report, people_report
from activity.warehouse.results import EventPosition, ListedEvents, People
from dashboard.core.errors import BadCursor
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page
from dashboard.web.lists import list_page

FILTERS = (*DAY_PARAMS, *Filters._fields)
Rows = tuple[Sequence[Any], Any, dict[str, Any]]


@requires(Permission.ACTIVITY)
@require_safe
def people(request: Request) -> HttpResponse:
    """The people behind a number of another page."""

    def report(params: ActivityParams, start: Any) -> Report[People]:
        return people_report(params.days, params.filters, step=params.step, hour=params.hour, after=str(start or ""))

    def rows(found: People) -> Rows:
        return person_lines(found.people), found.next or None, {"total": whole(found.total)}

    return _list(request, "activity_people", report, lambda loaded: rows(loaded.answers[0].result))


@requires(Permission.ACTIVITY)
@require_safe
def events(request: Request) -> HttpResponse:
    """Single events, newest first."""

    def report(params: ActivityParams, start: Any) -> Report[ListedEvents]:
        return events_report(params.days, params.filters, hour=params.hour, before=event_position(start))

    def rows(loaded: LoadedDays) -> Rows:
        found: ListedEvents = loaded.answers[0].result
        return event_lines(found.events, loaded.event), position_dict(found.next), {}

    return _list(request, "activity_events", report, rows)


def position_dict(position: EventPosition | None) -> dict[str, Any] | None:
    """The start of the next page, for a cursor."""
    return {"at": position.at.isoformat(), "id": position.event_id} if position is not None else None


def event_position(start: Mapping[str, str] | None) -> EventPosition | None:
    if start is None:
        return None
    try:
        return EventPosition(datetime.fromisoformat(start["at"]), start["id"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadCursor from error


def _list(
    request: Request,
    route: str,
    report_of: Callable[[ActivityParams, Any], Report[Any]],
    rows_of: Callable[[LoadedDays], Rows],
) -> HttpResponse:
    def load(start: Any) -> tuple[Page[Any], dict[str, Any]]:
        loaded = load_days(request, lambda params: [report_of(params, start)])
        timezone.activate(loaded.event.zone)
        context = frame_context(route, loaded)
        context["exports"] = export_urls(loaded.params)
        rows, following, more = rows_of(loaded) if context["is_ready"] else ([], None, {})
        return Page(list(rows), following), context | more

    scope = (route, *(request.GET.get(name, "")[:300] for name in FILTERS))
    # `load` activates the time zone of the event, for this page only.
    with timezone.override(timezone.get_current_timezone()):
        template = f"activity/{route.removeprefix('activity_')}.html"
        return list_page(request, template, load, cursor_scope=scope, filters=FILTERS)


def export_urls(params: ActivityParams) -> list[tuple[str, str]]:
    """The address of the export in each format."""
    url = reverse("activity_export") + params.query(other=None)
    joined = f"{url}&" if "?" in url else f"{url}?"
    return [("CSV", f"{joined}as=csv"), ("Parquet", f"{joined}as=parquet")]

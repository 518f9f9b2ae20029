"""What the pages of days share: their parameters, their reads, and the context of their frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from activity.actions import ACTIONS
from activity.annotations import Annotations, annotation_reads, build_annotations
from activity.event_rooms import EventRooms, load_in_event_zone
from activity.params import ActivityParams
from activity.presenters.links import build_chips, build_tabs, days_around
from activity.presenters.names import country_label
from activity.warehouse.answers import load
from activity.warehouse.reports import Report
from activity.warehouse.results import AnswerState, ReportAnswer
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.web.pages import page
from dashboard.web.templatetags.ui import day_format

# The countries that the filter suggests.
MAX_SUGGESTED = 50


@dataclass(frozen=True)
class LoadedDays:
    """The parameters of a page with the answers of the warehouse."""

    params: ActivityParams
    event: EventRooms
    answers: Sequence[ReportAnswer[Any]]
    annotations: Annotations

    @property
    def is_calculating(self) -> bool:
        return any(each.state is AnswerState.CALCULATING for each in self.answers)


def load_days(
    request: Request,
    reports_of: Callable[[ActivityParams], Sequence[Report[Any]]],
    *,
    is_annotated: Callable[[ActivityParams], bool] = lambda params: False,
) -> LoadedDays:
    """Everything that a page needs, in one round trip."""

    def read(zone: Any) -> tuple[ActivityParams, Sequence[ReportAnswer[Any]], Sequence[Any]]:
        params = ActivityParams.of(request.GET, zone, now().astimezone(zone).date())
        others = annotation_reads(params.days.start, params.days.end) if is_annotated(params) else []
        return params, *load(reports_of(params), *others)

    event, (params, answers, found) = load_in_event_zone(read)
    annotations = Annotations([])
    if found:
        with timezone.override(event.zone):
            annotations = build_annotations(found, event, params.days.start, params.days.end, request.person)
    return LoadedDays(params, event, answers, annotations)


def render_days(
    request: Request, route: str, loaded: LoadedDays, context: Callable[[], dict[str, Any]]
) -> HttpResponse:
    """Render a page in the time zone of the event. `context` is called only when the numbers are there."""
    with timezone.override(loaded.event.zone):
        frame = frame_context(route, loaded)
        ready = context() if frame["is_ready"] else {}
        return page(request, f"activity/{route.removeprefix('activity_')}.html", frame | ready, partial="list")


def frame_context(route: str, loaded: LoadedDays) -> dict[str, Any]:
    """The context of the top of a page about days."""
    params, event, url = loaded.params, loaded.event, reverse(route)
    failed = next((each for each in loaded.answers if each.state is AnswerState.FAILED), None)
    before, after = days_around(url, params)
    filters = params.filters
    return {
        "params": params,
        "event": event,
        "tabs": build_tabs(route, params),
        "chips": build_chips(url, params, event),
        "period_text": period_text(params),
        "time_format": time_format(params),
        "before_url": before,
        "after_url": after,
        "is_calculating": loaded.is_calculating,
        "questions": [each.question for each in loaded.answers if each.question],
        "failed": failed,
        "is_ready": not loaded.is_calculating and failed is None,
        # Events could not all be read, or rows were left out.
        "partial_answer": next((each for each in loaded.answers if each.searched_since or each.is_truncated), None),
        "as_of": next((each.as_of for each in loaded.answers if each.as_of), None),
        "room_choices": with_current(event.choices, filters.room, event.title(filters.room)),
        "action_choices": with_current(
            [(each.name, str(each.label)) for each in ACTIONS.values()], filters.action, filters.action
        ),
        "countries": [],
        "compares": False,
        "annotations": loaded.annotations,
        "here": url + params.query(),
    }


def with_current(choices: Sequence[tuple[str, str]], value: str, label: str) -> list[tuple[str, str]]:
    """The choices of a filter, also with the current one if it is not among them."""
    return list(choices) if not value or value in dict(choices) else [*choices, (value, label[:60])]


def time_format(params: ActivityParams) -> str:
    """The page names its time zone once, and a single day once."""
    return "H:i:s" if params.days.is_one_day else f"{day_format()}, H:i:s"


def period_text(params: ActivityParams) -> str:
    first, last = (date_format(each, f"D {day_format()}") for each in (params.days.first, params.days.last))
    return first if params.days.is_one_day else f"{first} – {last}"


def suggested_countries(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(each, country_label(each)) for each in names[:MAX_SUGGESTED]]

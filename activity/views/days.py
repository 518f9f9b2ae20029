"""Pages about one day: by hour, by room and by country."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from activity.actions import find_action
from activity.params import ActivityParams, DayRange
from activity.permissions import Permission
from activity.presenters import counts, rooms
from activity.presenters.names import country_label
from activity.views.shared import load_days, render_days, suggested_countries
from activity.visits import STAY_SECONDS
from activity.warehouse.reports import Report, countries_report, day_report, rooms_report
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires


@requires(Permission.ACTIVITY)
@require_safe
def day(request: Request) -> HttpResponse:
    """Events by hour, country, action and room, next to those of another day."""

    def reports(params: ActivityParams) -> list[Report[Any]]:
        other = [day_report(_other_days(params), params.filters)] if params.other else []
        return [day_report(params.days, params.filters), *other]

    loaded = load_days(request, reports, is_annotated=lambda params: params.days.is_one_day)

    def context() -> dict[str, Any]:
        params = loaded.params
        result = loaded.answers[0].result
        other = loaded.answers[1].result if params.other else None
        tables: list[tuple[str, str, str, Callable[[str], str]]] = [
            ("country", _("By country"), _("Country"), country_label),
            ("action", _("By action"), _("Action"), lambda name: str(find_action(name).label)),
            ("room", _("By room"), _("Room"), loaded.event.title),
        ]
        return {
            "compares": params.days.is_one_day,
            "result": result,
            "other": other,
            "total_people": counts.people_number(result.total.people, params),
            "total_events": counts.events_number(result.total.events, params),
            "hours": counts.hour_chart(params, result, other, loaded.annotations),
            "days": counts.day_rows(params, result),
            "tables": [
                {
                    "id": f"by-{name}",
                    "title": title,
                    "head": head,
                    "rows": counts.count_rows(
                        name,
                        getattr(result, f"by_{name}"),
                        label,
                        params,
                        getattr(other, f"by_{name}") if other is not None else None,
                    ),
                }
                for name, title, head, label in tables
            ],
            "countries": suggested_countries([each.name for each in result.by_country]),
        }

    return render_days(request, "activity_day", loaded, context)


def _other_days(params: ActivityParams) -> DayRange:
    assert params.other is not None
    return DayRange.of_day(params.other, params.days.zone)


@requires(Permission.ACTIVITY)
@require_safe
def room_visits(request: Request) -> HttpResponse:
    """The funnel of each room, when it was full, and from which countries people came."""
    loaded = load_days(
        request,
        lambda params: [rooms_report(params.days, params.filters)],
        is_annotated=lambda params: params.days.is_one_day,
    )

    def context() -> dict[str, Any]:
        result, params, event = loaded.answers[0].result, loaded.params, loaded.event
        return {
            "funnel": rooms.funnel_rows(result, event, params),
            "funnel_countries": rooms.country_rows(result, params),
            "columns": rooms.column_labels(),
            "legend": rooms.legend(),
            "stay_minutes": STAY_SECONDS // 60,
            "heat_map": rooms.heat_map(result, event, params),
            "countries": suggested_countries(sorted({each.country for each in result.by_country if each.country})),
        }

    return render_days(request, "activity_rooms", loaded, context)


@requires(Permission.ACTIVITY)
@require_safe
def countries(request: Request) -> HttpResponse:
    """How many people of each country were active, entered a room and completed one."""
    loaded = load_days(request, lambda params: [countries_report(params.days, params.filters)])

    def context() -> dict[str, Any]:
        result = loaded.answers[0].result
        return {
            "rows": counts.country_rows(loaded.params, result),
            "countries": suggested_countries([each.country for each in result]),
        }

    return render_days(request, "activity_countries", loaded, context)

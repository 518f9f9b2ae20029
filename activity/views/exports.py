"""Exports of the activity: the events of a list, and the people around a point in time."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_safe

from activity.event_rooms import load_in_event_zone
from activity.exports import event_file_parquet, event_lines_csv, people_csv
from activity.moments import MomentParams
from activity.params import ActivityParams
from activity.permissions import Permission
from activity.presenters.moments import present_people
from activity.views.moments import load_moment
from activity.warehouse.answers import export_events
from activity.warehouse.reports import events_report
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.security_log.services import record_export
from dashboard.web.capacity import expensive
from dashboard.web.downloads import incomplete_file_line
from dashboard.web.pages import see_other
from dashboard.web.streams import streamed

PARQUET = "parquet"


@requires(Permission.ACTIVITY)
@require_safe
@expensive()
def events(request: Request) -> HttpResponseBase:
    """All events of the days and filters, as CSV or Parquet."""
    if ActivityParams.of(request.GET, ZoneInfo("UTC"), now().date()).errors:
        # The list shows the error.
        return see_other(request, f"{reverse('activity_events')}?{request.GET.urlencode()}")
    record_export(request, "activity")
    is_parquet = request.GET.get("as") == PARQUET

    def read(zone: ZoneInfo) -> tuple[ActivityParams, Any]:
        params = ActivityParams.of(request.GET, zone, now().astimezone(zone).date())
        rows = export_events(events_report(params.days, params.filters, hour=params.hour))
        return params, event_file_parquet(rows) if is_parquet else rows

    _event, (params, content) = load_in_event_zone(read)
    name = f"activity-{params.days.first.isoformat()}-to-{params.days.last.isoformat()}"
    if is_parquet:
        return FileResponse(
            content,
            as_attachment=True,
            filename=f"{name}.parquet",
            content_type="application/vnd.apache.parquet",
            headers={"Cache-Control": "no-store, private"},
        )
    return streamed(
        request,
        event_lines_csv(content),
        name=f"{name}.csv",
        content_type="text/csv; charset=utf-8",
        broken=incomplete_file_line(),
    )


@requires(Permission.ACTIVITY)
@require_safe
@expensive()
def moment(request: Request) -> HttpResponseBase:
    """The people around a point in time, as on its page."""
    if MomentParams.of(request.GET, ZoneInfo("UTC"), now()).errors:
        return see_other(request, f"{reverse('activity_moment')}?{request.GET.urlencode()}")
    record_export(request, "activity-people")
    event, params, found, _others = load_moment(request, with_annotations=False)
    content = people_csv(present_people(found.items, params, event))
    response = HttpResponse(content, content_type="text/csv; charset=utf-8")
    name = f"people-{params.local.replace(':', '')}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store, private"
    return response

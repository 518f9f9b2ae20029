"""The list of rooms, with the timeline of one day."""

from __future__ import annotations

import datetime as dt
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.lists import Tab
from dashboard.web.locale import zone, zone_label
from dashboard.web.pages import has_nothing_new, page
from dashboard.web.templatetags.ui import day_format, long_day_format
from rooms.forms.shifts import ShiftForm
from rooms.items import Room
from rooms.permissions import Permission
from rooms.presenters import rooms as presenters
from rooms.queries import rooms as queries
from rooms.timeline import Day, is_supported_date
from rooms.zones import event_zone

FILTERS = ("q", "show")


@requires(Permission.ROOMS)
@require_safe
def rooms(request: Request) -> HttpResponse:
    """All rooms come with one query; the filters are applied here."""
    all_rooms = queries.all_rooms()
    with timezone.override(zone(event_zone(all_rooms))):
        return _list(request, all_rooms, now(), zone(event_zone(all_rooms)))


def _list(request: Request, all_rooms: list[Room], moment: datetime, time_zone: ZoneInfo) -> HttpResponse:
    today = moment.astimezone(time_zone).date()
    days = presenters.count_openings(all_rooms, time_zone)
    day = Day(_day(request.GET.get("day", "")) or presenters.day_to_show(days, today), time_zone)
    rows = [presenters.RoomRow(room, day, moment) for room in all_rooms]
    params = {name: request.GET.get(name, "")[:100] for name in (*FILTERS, "order")}
    fingerprint = presenters.fingerprint(rows, request.get_full_path(), today)
    if has_nothing_new(request, fingerprint):
        return HttpResponse(status=204)
    filtered_rows = presenters.filter_rows(rows, params["show"], params["q"])
    context: dict[str, Any] = {
        # Set if there are more rooms than one answer holds: the page shows that some are missing.
        "max_rooms": queries.MAX_ROOMS if len(all_rooms) > queries.MAX_ROOMS else None,
        "rows": presenters.sort_by_opening(filtered_rows) if params["order"] == "opening" else filtered_rows,
        "count": len(all_rooms),
        "open_count": sum(row.state.is_open for row in rows),
        "overridden_count": sum(row.is_overridden for row in rows),
        "day": day,
        "zone_text": zone_label(time_zone.key),
        "now": moment,
        "now_at": day.position(moment) if day.contains(moment) else "",
        "tabs": _tabs(request, days, day.date, today),
        "unfinished_shifts": presenters.unfinished_shifts(all_rooms, moment),
        "next_change": min((row.state.next.at for row in rows if row.state.next), default=None),
        "shift": ShiftForm(initial={"day": day.date, "which": ShiftForm.default_choice(rows)}),
        "params": params,
        # Sent back when the page refreshes itself.
        "fingerprint": fingerprint,
        "empty_listing": {"is_filtered": True, "clear_url": f"{request.path}?day={day.date.isoformat()}"},
        "state_choices": [
            ("", pgettext("rooms", "All")),
            ("open", _("Open")),
            ("closed", _("Closed")),
            ("held", _("Overridden")),
        ],
        "long_format": long_day_format(),
        "short_format": f"{day_format()}, H:i",
        "order_choices": [("", _("Sort by room")), ("opening", _("Sort by opening time"))],
    }
    return page(request, "rooms/rooms.html", context, partial="list")


def _day(text: str) -> dt.date | None:
    try:
        date = dt.date.fromisoformat(text)
    except ValueError:
        return None
    return date if is_supported_date(date) else None


def _short(day: dt.date, today: dt.date) -> str:
    """`Tue 17 Nov`, with the year if it is another year."""
    shape = day_format()
    return date_format(day, f"D {shape.removesuffix(' Y') if day.year == today.year else shape}")


def _tabs(request: Request, days: dict[dt.date, int], current: dt.date, today: dt.date) -> list[Tab]:
    """One tab for each day on which rooms open, for today, and for the day that is shown."""
    tabs = []
    for day in sorted({*days, today, current}):
        query = request.GET.copy()
        query["day"] = day.isoformat()
        label = _("Today") if day == today else _short(day, today)
        count = str(days[day]) if day in days else ""
        tabs.append(Tab(label, f"{request.path}?{query.urlencode()}", day == current, count))
    return tabs

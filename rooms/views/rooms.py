"""Every room at a glance, on the line of the event's day."""

from __future__ import annotations

import datetime as dt
from typing import Any

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
from dashboard.web.locale import zone
from dashboard.web.pages import page, saw_it_all
from dashboard.web.templatetags.ui import day_format, long_day_format
from rooms import presenters
from rooms.forms.shifts import ShiftForm
from rooms.permissions import Permission
from rooms.queries import rooms as queries
from rooms.timeline import Day, is_drawn

FILTERS = ("q", "show")


@requires(Permission.ROOMS)
@require_safe
def rooms(request: Request) -> HttpResponse:
    """One query, however many there are; which of them are shown is chosen here."""
    everything, moment = queries.all_rooms(), now()
    where = zone(timezone.get_current_timezone_name())
    today = moment.astimezone(where).date()
    days = presenters.days_of(everything, where)
    day = Day(_day(request.GET.get("day", "")) or presenters.day_to_show(days, today), where)
    rows = [presenters.RoomRow(room, day, moment) for room in everything]
    asked = {name: request.GET.get(name, "")[:100] for name in (*FILTERS, "order")}
    mark = presenters.mark(rows, request.get_full_path(), today)
    if saw_it_all(request, mark):
        return HttpResponse(status=204)
    found = presenters.chosen(rows, asked["show"], asked["q"])
    context: dict[str, Any] = {
        # More than one answer holds: then not all of them are here, and nobody is to think so.
        "most": queries.MOST if len(everything) > queries.MOST else None,
        "rows": presenters.by_opening(found) if asked["order"] == "opening" else found,
        "count": len(everything),
        "counts": {"open": sum(row.state.is_open for row in rows), "held": sum(row.is_held for row in rows)},
        "day": day,
        "now": moment,
        "now_at": day.at(moment) if day.holds(moment) else "",
        "tabs": _tabs(request, days, day.date, today),
        "half_done": presenters.half_done(everything, moment),
        "next_change": min((row.state.next.at for row in rows if row.state.next), default=None),
        "shift": ShiftForm(initial={"day": day.date, "which": ShiftForm.first_choice(rows)}),
        "asked": asked,
        # What the page shows, for whoever looks again.
        "mark": mark,
        "nothing": {"filtered": True, "clear": f"{request.path}?day={day.date.isoformat()}"},
        "shows": [
            ("", pgettext("rooms", "All")),
            ("open", _("Open")),
            ("closed", _("Closed")),
            ("held", _("Held by hand")),
        ],
        "day_name": long_day_format(),
        "short_day": f"{day_format()}, H:i",
        "orders": [("", _("By room")), ("opening", _("By opening"))],
    }
    return page(request, "rooms/rooms.html", context, partial="list")


def _day(text: str) -> dt.date | None:
    try:
        found = dt.date.fromisoformat(text)
    except ValueError:
        return None
    return found if is_drawn(found) else None


def _short(day: dt.date, today: dt.date) -> str:
    """`Tue 17 Nov`, with the year where that is another one."""
    shape = day_format()
    return date_format(day, f"D {shape.removesuffix(' Y') if day.year == today.year else shape}")


def _tabs(request: Request, days: dict[dt.date, int], current: dt.date, today: dt.date) -> list[Tab]:
    """A day each on which rooms open, today, and the one that is shown."""
    made = []
    for day in sorted({*days, today, current}):
        query = request.GET.copy()
        query["day"] = day.isoformat()
        label = _("Today") if day == today else _short(day, today)
        count = str(days[day]) if day in days else ""
        made.append(Tab(label, f"{request.path}?{query.urlencode()}", day == current, count))
    return made

"""Many openings at once: asked for, looked at, begun, undone. The work itself is followed on its own page."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs import queries as operations
from dashboard.platform.jobs import services as works
from dashboard.platform.jobs.items import Job, State
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.locale import zone
from dashboard.web.pages import page, see_other
from dashboard.web.toasts import toast
from rooms.forms.shifts import CHOSEN, DAY, ShiftForm
from rooms.items import Room
from rooms.permissions import Permission
from rooms.queries import rooms as queries
from rooms.services import shifts as services
from rooms.shifts import lines_of, step_of
from rooms.timeline import Day


@requires(Permission.ROOMS)
@require_POST
def shift(request: Request) -> HttpResponse:
    """Which rooms, and by how much: put down to be looked at."""
    form = ShiftForm(request.POST)
    if not form.is_valid():
        return page(
            request, "rooms/shift.html", {"form": form, "selected": request.POST.getlist("selected")}, status=422
        )
    lines = lines_of(_wanted(form, set(request.POST.getlist("selected"))), form.by)
    if not lines:
        raise Refused(_("None of these rooms has an opening to move."))
    work = services.prepare(lines, form.by, command=command_of(request))
    return see_other(request, reverse("rooms_shift_preview", args=[work.id]))


def _wanted(form: ShiftForm, selected: set[str]) -> list[Room]:
    rooms, which, date = queries.all_rooms(), form.cleaned_data["which"] or CHOSEN, form.date
    if which == CHOSEN or date is None:
        return [room for room in rooms if room.id in selected]
    if len(rooms) > queries.MOST:
        raise Refused(_("There are too many rooms to know all of a day. Select the ones to move."))
    day = Day(date, zone(timezone.get_current_timezone_name()))
    found = [room for room in rooms if day.holds(room.plan.open_at)]
    return found if which == DAY else [room for room in found if room.plan.open_at and room.plan.open_at > now()]


def _own(request: Request, job_id: str) -> Job:
    work = operations.load_own_job(job_id, request.person.email)
    if work.kind != services.SHIFT:
        raise NotFound
    return work


@requires(Permission.ROOMS)
@require_safe
def preview(request: Request, job_id: str) -> HttpResponse:
    """Every room from when to when, and what that means at this moment."""
    found = gather(lambda: _own(request, job_id), lambda: operations.all_lines(job_id, queries.MOST + 1))
    work: Job = found[0]
    if work.state != State.WAITING:
        return see_other(request, reverse("operation", args=[work.id]))
    steps = [step_of(line, now()) for line in found[1]]
    return page(request, "rooms/shift_preview.html", {"work": work, "steps": steps})


@requires(Permission.ROOMS)
@require_POST
def begin(request: Request, job_id: str) -> HttpResponse:
    work = _own(request, job_id)
    works.confirm(work)
    back = reverse("rooms_shift_undo", args=[work.id])
    toast(request, _("Started: %(title)s.") % {"title": work.title}, undo=(back, {}))
    return see_other(request, reverse("operation", args=[work.id]))


@requires(Permission.ROOMS)
@require_POST
def undo(request: Request, job_id: str) -> HttpResponse:
    """Move them back, half-way too."""
    work = services.begin_undo(_own(request, job_id), command=command_of(request))
    return see_other(request, reverse("operation", args=[work.id]))

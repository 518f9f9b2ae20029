"""Shifting opening times: form, preview, start and undo. The page of the job shows its progress."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.zones import show_times_of
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
from rooms.shifts import build_lines, build_step
from rooms.timeline import Day
from rooms.zones import event_zone


@requires(Permission.ROOMS)
@require_POST
def shift(request: Request) -> HttpResponse:
    """Prepare a shift and show its preview."""
    form = ShiftForm(request.POST)
    if not form.is_valid():
        return page(
            request, "rooms/shift.html", {"form": form, "selected": request.POST.getlist("selected")}, status=422
        )
    rooms = queries.all_rooms()
    lines = build_lines(_rooms_to_shift(rooms, form, set(request.POST.getlist("selected"))), form.signed_minutes)
    if not lines:
        raise Refused(_("None of these rooms has an opening time."))
    job = services.prepare(lines, form.signed_minutes, event_zone(rooms), command=command_of(request))
    return see_other(request, reverse("rooms_shift_preview", args=[job.id]))


def _rooms_to_shift(rooms: list[Room], form: ShiftForm, selected: set[str]) -> list[Room]:
    choice, date = form.cleaned_data["which"] or CHOSEN, form.date
    if choice == CHOSEN or date is None:
        return [room for room in rooms if room.id in selected]
    if len(rooms) > queries.MAX_ROOMS:
        raise Refused(_("There are too many rooms. Select the ones to shift."))
    day = Day(date, zone(event_zone(rooms)))
    found = [room for room in rooms if day.contains(room.plan.open_at)]
    return found if choice == DAY else [room for room in found if room.plan.open_at and room.plan.open_at > now()]


def _own_shift(request: Request, job_id: str) -> Job:
    job = job_queries.load_own_job(job_id, request.person.email)
    if job.kind != services.SHIFT:
        raise NotFound
    return job


@requires(Permission.ROOMS)
@require_safe
def preview(request: Request, job_id: str) -> HttpResponse:
    """The old and new opening of each room, and what changes at once."""
    job, lines = gather(
        lambda: _own_shift(request, job_id), lambda: job_queries.all_lines(job_id, queries.MAX_ROOMS + 1)
    )
    if job.state != JobState.WAITING:
        return see_other(request, reverse("operation", args=[job.id]))
    steps = [build_step(line, now()) for line in lines]
    with show_times_of(job):
        return page(request, "rooms/shift_preview.html", {"job": job, "steps": steps})


@requires(Permission.ROOMS)
@require_POST
def begin(request: Request, job_id: str) -> HttpResponse:
    job = _own_shift(request, job_id)
    job_services.confirm(job)
    undo_url = reverse("rooms_shift_undo", args=[job.id])
    toast(request, _("Started: %(title)s.") % {"title": job.title}, undo=(undo_url, {}))
    return see_other(request, reverse("operation", args=[job.id]))


@requires(Permission.ROOMS)
@require_POST
def undo(request: Request, job_id: str) -> HttpResponse:
    """Undo a shift, also an unfinished one."""
    job = services.begin_undo(_own_shift(request, job_id), command=command_of(request))
    return see_other(request, reverse("operation", args=[job.id]))

"""One room: how it stands, when it opens, what it is held at, what it is called."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.locale import ZONES, zone
from dashboard.web.moments import spoken
from dashboard.web.pages import add_refusal, bind, came_from, page, safe_next, see_other, wants_fragment
from dashboard.web.toasts import toast
from rooms import presenters, times
from rooms.forms.rooms import NameForm, OverrideForm, RoomForm, ScheduleForm, override_form, schedule_form
from rooms.items import Room
from rooms.permissions import Permission
from rooms.queries import content as contents
from rooms.services import overrides
from rooms.services import rooms as services
from rooms.services import schedule as scheduling
from rooms.state import CLOSED, OPEN
from rooms.timeline import Day
from rooms.views import content


@requires(Permission.ROOMS)
@require_safe
def room(request: Request, room: str) -> HttpResponse:
    return show(request, room)


def show(request: Request, room_id: str, *, status: int = 200, **forms: Any) -> HttpResponse:
    """The room's page, with a form as it was sent where that was wrong."""
    newest, moment = content.newest_of(request), now()
    at = contents.at_room(room_id, *content.down_from(newest), told=True)
    if at.more and newest is None and request.method != "POST":
        # Keys sort as text: which are the newest is known only now.
        return see_other(request, f"{request.path}?newest={at.highest}")
    where = zone(timezone.get_current_timezone_name())
    entry = times.entry_of(at.config, room_id)
    other = "" if times.agrees(at.room, entry) else times.in_words(entry)
    context = {
        "room": at.room,
        "row": presenters.RoomRow(at.room, Day(moment.astimezone(where).date(), where), moment),
        "now": moment,
        # What the event's schedule says of it, where that is something else.
        "other": other,
        "other_time": times.time_in(entry) if other else None,
        "schedule": schedule_form(at.room, other),
        "override": override_form(at.room),
        "rename": NameForm(initial={"name": at.room.name or ""}, auto_id="rename_%s"),
        "is_known": at.is_known,
        "history": history_lines(at.history),
        **content.listed(at),
        **forms,
    }
    return page(request, "rooms/room.html", context, status=status)


@requires(Permission.ROOMS)
@require_POST
def schedule(request: Request, room: str) -> HttpResponse:
    form = bind(request, ScheduleForm, auto_id="schedule_%s")
    if not form.is_valid():
        return show(request, room, schedule=form, status=422)
    given = form.cleaned_data
    moved = scheduling.schedule(
        room,
        open_at=form.moment.utc if form.moment else None,
        zone=form.where if form.moment else None,
        revision=given["revision"],
        knew=given["knew"] if "knew" in form.data else None,
        entry=given["entry"] or None,
        command=command_of(request),
    )
    toast(request, _moved_to(moved, form), undo=_schedule_again(moved), of=moved)
    if wants_fragment(request):
        # Moved on the line: the list looks again, and whoever moved it stays where they are.
        return HttpResponse(status=204, headers={"HX-Trigger": "rooms:look"})
    return see_other(request, safe_next(request, came_from(request)))


def _moved_to(room: Room, form: ScheduleForm) -> str:
    opening = room.plan.open_at
    if opening is None:
        return _("%(room)s has no opening any more.") % {"room": room.title}
    said = _("%(room)s opens %(when)s.") % {"room": room.title, "when": spoken(opening, form.where)}
    if form.moment and form.moment.twice:
        said += " " + _("The clocks show that time twice that night: it is the first of the two.")
    if room.outcome.result.get("let_go"):
        said += " " + _("Nobody holds it any more: it was held until its opening.")
    return said


def _schedule_again(room: Room) -> tuple[str, dict[str, Any]]:
    was = room.outcome.result
    where = was.get("zone", "")
    fields = {"open_at": was.get("open_at", ""), "zone": where if where in ZONES else "", "revision": room.revision}
    return reverse("room_schedule", args=[room.id]), fields


@requires(Permission.ROOMS)
@require_POST
def override(request: Request, room: str) -> HttpResponse:
    form = bind(request, OverrideForm, auto_id="override_%s")
    if form.is_valid():
        try:
            return _override(request, room, form)
        except Refused as refusal:
            add_refusal(form, refusal)
    return show(request, room, override=form, status=422)


def _override(request: Request, room_id: str, form: OverrideForm) -> HttpResponse:
    given = form.cleaned_data
    held = overrides.override(
        room_id,
        value=given["value"] or None,
        until=form.end,
        revision=given["revision"],
        command=command_of(request),
    )
    undo = (reverse("room_override", args=[held.id]), {**held.outcome.result, "revision": held.revision})
    toast(request, _held_at(held), undo=undo, of=held)
    return see_other(request, safe_next(request, came_from(request)))


def _held_at(room: Room) -> str:
    said = {"room": room.title, "when": ""}
    if room.plan.ends is not None:
        said["when"] = spoken(room.plan.ends, timezone.get_current_timezone_name())
    if room.manual_override == OPEN:
        text = _("%(room)s is open until %(when)s.") if said["when"] else _("%(room)s is open until changed.")
    elif room.manual_override == CLOSED:
        text = _("%(room)s is closed until %(when)s.") if said["when"] else _("%(room)s is closed until changed.")
    else:
        text = _("%(room)s goes by its schedule again.")
    return text % said


@requires(Permission.ROOMS)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request) -> HttpResponse:
    if request.method != "POST":
        return page(
            request, "rooms/new.html", {"form": RoomForm(initial={"zone": timezone.get_current_timezone_name()})}
        )
    form = bind(request, RoomForm)
    if form.is_valid():
        given = form.cleaned_data
        try:
            made = services.create(
                given["room"],
                name=given["name"],
                open_at=form.moment.utc if form.moment else None,
                zone=form.where if form.moment else None,
                command=command_of(request),
            )
        except Refused as refusal:
            add_refusal(form, refusal)
        else:
            undo = (reverse("room_remove", args=[made.id]), {"revision": made.revision})
            toast(request, _("%(room)s added.") % {"room": made.title}, undo=undo, of=made)
            return see_other(request, reverse("room", args=[made.id]))
    return page(request, "rooms/new.html", {"form": form}, status=422)


@requires(Permission.ROOMS)
@require_POST
def rename(request: Request, room: str) -> HttpResponse:
    form = bind(request, NameForm, auto_id="rename_%s")
    if not form.is_valid():
        return show(request, room, rename=form, status=422)
    given = form.cleaned_data
    named = services.rename(room, name=given["name"], revision=given["revision"], command=command_of(request))
    undo = (reverse("room_rename", args=[room]), {**named.outcome.result, "revision": named.revision})
    toast(request, _("It is called %(room)s now.") % {"room": named.title}, undo=undo, of=named)
    return see_other(request, reverse("room", args=[room]))


@requires(Permission.ROOMS)
@require_POST
def remove(request: Request, room: str) -> HttpResponse:
    command = command_of(request)
    gone = services.remove(room, revision=bind(request, RevisionForm).number, command=command)
    undo = (reverse("room_restore", args=[room]), {"removed": command.id})
    toast(request, _("%(room)s removed.") % {"room": gone.title if gone else room}, undo=undo)
    return see_other(request, reverse("rooms"))


@requires(Permission.ROOMS)
@require_POST
def restore(request: Request, room: str) -> HttpResponse:
    """The way back from taking it off the list; `removed` says by which command that was."""
    back = services.restore(room, request.POST.get("removed", "")[:200], command=command_of(request))
    undo = (reverse("room_remove", args=[room]), {"revision": back.revision})
    toast(request, _("%(room)s added.") % {"room": back.title}, undo=undo, of=back)
    return see_other(request, reverse("room", args=[room]))

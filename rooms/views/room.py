"""The page of one room: state, opening, override, name."""

from __future__ import annotations

from datetime import datetime
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
from dashboard.web.local_times import moment_text
from dashboard.web.locale import ZONES, zone
from dashboard.web.pages import add_refusal, bind, page, referring_page, safe_next, see_other, wants_fragment
from dashboard.web.toasts import toast
from rooms import schedule_entries
from rooms.forms.rooms import NameForm, OverrideForm, RoomForm, RoomScheduleForm, override_form, schedule_form
from rooms.items import Room
from rooms.permissions import Permission
from rooms.presenters import rooms as presenters
from rooms.queries import content as contents
from rooms.queries import rooms as queries
from rooms.queries.content import RoomAndContent
from rooms.services import overrides
from rooms.services import rooms as services
from rooms.services import schedule as schedule_service
from rooms.state import CLOSED, OPEN
from rooms.timeline import Day
from rooms.views import content
from rooms.zones import event_zone, zone_of


@requires(Permission.ROOMS)
@require_safe
def room(request: Request, room: str) -> HttpResponse:
    return room_page(request, room)


def room_page(request: Request, room_id: str, *, status: int = 200, **forms: Any) -> HttpResponse:
    """The room's page; `forms` replaces a form with the one that was sent and is invalid."""
    newest, moment = content.newest_from_url(request), now()
    state = contents.load_room_content(room_id, *content.newest_numbers(newest), with_history=True)
    if state.more and newest is None and request.method != "POST":
        # Keys sort as text, so the newest versions are known only after this read.
        return see_other(request, f"{request.path}?newest={state.highest_number}")
    time_zone = zone(zone_of(state.room))
    with timezone.override(time_zone):
        return _show(request, state, Day(moment.astimezone(time_zone).date(), time_zone), moment, status, forms)


def _show(
    request: Request, state: RoomAndContent, day: Day, moment: datetime, status: int, forms: dict[str, Any]
) -> HttpResponse:
    room_id = state.room.id
    entry = schedule_entries.find_entry(state.config, room_id)
    schedule_text = "" if schedule_entries.is_consistent(state.room, entry) else schedule_entries.entry_text(entry)
    context = {
        "room": state.room,
        "row": presenters.RoomRow(state.room, day, moment),
        "now": moment,
        # Empty if the room and the event's schedule agree.
        "schedule_text": schedule_text,
        "schedule_time": schedule_entries.entry_time(entry) if schedule_text else None,
        "schedule": schedule_form(state.room, schedule_text),
        "override": override_form(state.room),
        "rename": NameForm(initial={"name": state.room.name or ""}, auto_id="rename_%s"),
        "has_item": state.has_item,
        "history": history_lines(state.history),
        **content.list_context(state),
        **forms,
    }
    return page(request, "rooms/room.html", context, status=status)


@requires(Permission.ROOMS)
@require_POST
def schedule(request: Request, room: str) -> HttpResponse:
    form = bind(request, RoomScheduleForm, auto_id="schedule_%s")
    if not form.is_valid():
        return room_page(request, room, schedule=form, status=422)
    data = form.cleaned_data
    try:
        moved = schedule_service.set_schedule(
            room,
            open_at=form.moment.utc if form.moment else None,
            zone=form.zone_name if form.moment else None,
            close_at=_closing(form),
            revision=data["revision"],
            shown_opening=data["shown_opening"] if "shown_opening" in form.data else None,
            shown_entry=data["entry"] or None,
            command=command_of(request),
        )
    except Refused as refusal:
        if refusal.field is None or wants_fragment(request):
            raise
        add_refusal(form, refusal)
        return room_page(request, room, schedule=form, status=422)
    toast(request, _schedule_text(moved, form), undo=_schedule_undo(moved, form), of=moved)
    if wants_fragment(request):
        # The slider was moved: the list refreshes itself, and the focus stays.
        return HttpResponse(status=204, headers={"HX-Trigger": "rooms:look"})
    return see_other(request, safe_next(request, referring_page(request)))


def _closing(form: RoomScheduleForm) -> datetime | str | None:
    """A form without the field leaves the closing as it is. Without an opening there is no closing."""
    if form.moment is None:
        return form.closing.utc if form.closing else None
    if "close_at" not in form.data:
        return schedule_service.KEEP
    return form.closing.utc if form.closing else None


def _schedule_text(room: Room, form: RoomScheduleForm) -> str:
    opening = room.plan.open_at
    if opening is None:
        return _("Opening time of %(room)s removed.") % {"room": room.title}
    values = _("%(room)s opens %(when)s.") % {"room": room.title, "when": moment_text(opening, form.page_zone)}
    if room.plan.closing is not None:
        closes = moment_text(room.plan.closing, form.page_zone)
        values = _("%(room)s opens %(when)s and closes %(closes)s.") % {
            "room": room.title,
            "when": moment_text(opening, form.page_zone),
            "closes": closes,
        }
    if form.moment and form.moment.twice:
        values += " " + _("That time occurs twice because of a clock change. The first one is used.")
    if room.outcome.result.get("let_go"):
        values += " " + _("The override until opening has ended.")
    return values


def _schedule_undo(room: Room, form: RoomScheduleForm) -> tuple[str, dict[str, Any]]:
    previous = room.outcome.result
    time_zone = previous.get("zone", "")
    fields = {
        "open_at": previous.get("open_at", ""),
        "close_at": previous.get("close_at", ""),
        "zone": time_zone if time_zone in ZONES else "",
        "shown_zone": form.page_zone,
        "revision": room.revision,
    }
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
    return room_page(request, room, override=form, status=422)


def _override(request: Request, room_id: str, form: OverrideForm) -> HttpResponse:
    data = form.cleaned_data
    overridden = overrides.override(
        room_id,
        value=data["value"] or None,
        until=form.end,
        revision=data["revision"],
        command=command_of(request),
    )
    undo = (
        reverse("room_override", args=[overridden.id]),
        {**overridden.outcome.result, "zone": form.zone_name, "revision": overridden.revision},
    )
    toast(request, _override_text(overridden, form.zone_name), undo=undo, of=overridden)
    return see_other(request, safe_next(request, referring_page(request)))


def _override_text(room: Room, time_zone: str) -> str:
    values = {"room": room.title, "when": ""}
    if room.plan.override_end is not None:
        values["when"] = moment_text(room.plan.override_end, time_zone)
    if room.override == OPEN:
        text = _("%(room)s is open until %(when)s.") if values["when"] else _("%(room)s is open until changed.")
    elif room.override == CLOSED:
        text = _("%(room)s is closed until %(when)s.") if values["when"] else _("%(room)s is closed until changed.")
    else:
        text = _("%(room)s is back to schedule.")
    return text % values


@requires(Permission.ROOMS)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request) -> HttpResponse:
    default_zone = event_zone(queries.all_rooms())
    if request.method != "POST":
        return page(request, "rooms/new.html", {"form": RoomForm(initial={"zone": default_zone})})
    form = bind(request, RoomForm, default_zone=default_zone)
    if form.is_valid():
        data = form.cleaned_data
        try:
            made = services.create(
                data["room"],
                name=data["name"],
                open_at=form.moment.utc if form.moment else None,
                zone=form.zone_name,
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
        return room_page(request, room, rename=form, status=422)
    data = form.cleaned_data
    named = services.rename(room, name=data["name"], revision=data["revision"], command=command_of(request))
    undo = (reverse("room_rename", args=[room]), {**named.outcome.result, "revision": named.revision})
    toast(request, _("Room renamed to %(room)s.") % {"room": named.title}, undo=undo, of=named)
    return see_other(request, reverse("room", args=[room]))


@requires(Permission.ROOMS)
@require_POST
def remove(request: Request, room: str) -> HttpResponse:
    command = command_of(request)
    removed = services.remove(room, revision=bind(request, RevisionForm).number, command=command)
    undo = (reverse("room_restore", args=[room]), {"removed": command.id})
    toast(request, _("%(room)s removed.") % {"room": removed.title if removed else room}, undo=undo)
    return see_other(request, reverse("rooms"))


@requires(Permission.ROOMS)
@require_POST
def restore(request: Request, room: str) -> HttpResponse:
    """Undo a removal; `removed` is the id of its command."""
    back = services.restore(room, request.POST.get("removed", "")[:200], command=command_of(request))
    undo = (reverse("room_remove", args=[room]), {"revision": back.revision})
    toast(request, _("%(room)s added.") % {"room": back.title}, undo=undo, of=back)
    return see_other(request, reverse("room", args=[room]))

"""Attendees: the list, one attendee, their progress, and the export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import Permission as AccountPermission
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.permissions import Permission as AuditPermission
from dashboard.platform.audit.queries import history
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.security_log.services import record_export
from dashboard.table.commands import new_command
from dashboard.table.read import Page, gather, gather_all, in_background
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.downloads import incomplete_file_line
from dashboard.web.lists import empty_list_page, list_page
from dashboard.web.locale import zone
from dashboard.web.pages import page, see_other, url_or_empty, wants_fragment
from dashboard.web.streams import streamed
from dashboard.web.toasts import toast
from forum.public import author_url, can_read_forum, cards_of, posts_of
from rooms import attendees_export
from rooms.forms.attendees import MAX_COUNTRY, AttendeesForm, ExportForm, ProgressForm
from rooms.items import Room
from rooms.permissions import Permission
from rooms.progress import AttendeeProgress
from rooms.queries import attendees as queries
from rooms.queries.attendees import AttendeePage
from rooms.queries.rooms import all_rooms
from rooms.services import attendees as services
from rooms.zones import event_zone, show_times_of_event

FILTERS = ("q", "country")
POSTS = 20


@dataclass(frozen=True)
class AttendeeRow:
    """A person in the list."""

    person: Person
    progress: AttendeeProgress

    @property
    def is_linked(self) -> bool:
        """Whether a URL can contain the address: outside writers store addresses that it cannot."""
        email = self.person.email
        return "/" not in email and email not in {".", "..", "export"}


@requires(Permission.ATTENDEES)
@require_safe
def attendees(request: Request) -> HttpResponse:
    form = AttendeesForm(request.GET)
    if not form.is_valid():
        context = {"form": form, "found": AttendeePage([])}
        return empty_list_page(request, "rooms/attendees.html", context, filters=FILTERS, status=422)
    filter = form.to_filter

    def load(start_key: Any) -> tuple[Page[Any], dict[str, Any]]:
        *results, rooms = gather_all([*queries.reads_for(filter, start_key), all_rooms])
        found = queries.build_page(filter, start_key, results)
        timezone.activate(zone(event_zone(rooms)))
        context = {
            "form": form,
            "filter": filter,
            "found": found,
            "countries": sorted({person.country for person in found.items if person.country}),
            "room_count": len(rooms),
        }
        rows = [AttendeeRow(person, AttendeeProgress(person.raw_progress, rooms)) for person in found.items]
        return found.with_rows(rows), context

    scope = ("event_people", *filter.scope)
    # `load` activates the time zone of the event, for this page only.
    with timezone.override(timezone.get_current_timezone()):
        return list_page(request, "rooms/attendees.html", load, cursor_scope=scope, filters=FILTERS)


@requires(Permission.ATTENDEES)
@require_POST
@expensive()
def export_csv(request: Request) -> HttpResponseBase:
    """Export the attendees. Each export is recorded in the audit trail before the first line is sent."""
    form = ExportForm(request.POST)
    if not form.is_valid():
        raise Refused(_("A country can have at most %(count)s characters.") % {"count": MAX_COUNTRY})
    country = form.cleaned_data["country"]
    services.record_export(country, command=new_command(request.actor))
    record_export(request, "attendees")
    return streamed(
        request,
        attendees_export.lines(country),
        name=f"event-people-{now():%Y-%m-%d}.csv",
        content_type="text/csv; charset=utf-8",
        broken=incomplete_file_line(),
    )


@requires(Permission.ATTENDEES)
@require_safe
def attendee(request: Request, email: str) -> HttpResponse:
    if not queries.can_be_address(email):
        raise NotFound
    person, rooms, posts, entries = gather(
        partial(queries.find_attendee, email),
        all_rooms,
        partial(posts_of, email, None, POSTS),
        partial(history, services.progress_target(email)),
    )
    if person is None:
        raise NotFound
    if person.email != email:
        return see_other(request, reverse("event_person", args=[person.email]))
    if person.user_id and person.user_id != email:
        # The id under which outside writers store their posts is known only after the person was read.
        posts = posts_of(person.user_id, None, POSTS)
    # The sentence is enough here; the audit trail shows the whole list before and after.
    lines = [replace(each, note="") for each in history_lines(entries)]
    context = _progress_context(request, person, rooms) | {"history": lines, **_posts_context(request, person, posts)}
    with show_times_of_event(rooms):
        return page(request, "rooms/attendee.html", context)


def _progress_context(request: Request, person: Person, rooms: Sequence[Room]) -> dict[str, Any]:
    can_manage = person.office_role is not None and request.person.may(AccountPermission.PEOPLE_MANAGE)
    return {
        "person": person,
        "progress": AttendeeProgress(person.raw_progress, rooms),
        "progress_url": reverse("event_progress", args=[person.email]),
        "history_target": services.progress_target(person.email),
        "account_url": url_or_empty("person", person.email) if can_manage else "",
        "can_audit": request.person.may(AuditPermission.AUDIT_READ),
    }


def _posts_context(request: Request, person: Person, posts: Page[Any]) -> dict[str, Any]:
    can_read = can_read_forum(request.person)
    return {
        "posts": cards_of(posts.items),
        "can_read_forum": can_read,
        "author_url": author_url(person.user_id or person.email) if can_read else "",
    }


@requires(Permission.ATTENDEES)
@require_POST
def progress(request: Request, email: str) -> HttpResponse:
    form = ProgressForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Choose a room and whether it is completed."))
    room, completed = form.cleaned_data["room"], form.cleaned_data["completed"]
    # The row in the answer shows the number of rooms.
    rooms = in_background(all_rooms) if wants_fragment(request) else None
    person = services.mark(email, room, completed=completed, command=command_of(request))
    result = person.outcome.result
    inverse = (request.path, {"room": room, "completed": "0" if completed else "1"})
    # A name that is no longer a room can only be removed.
    toast(request, _progress_text(completed, result), undo=inverse if result["known"] else None, of=person)
    if rooms is None:
        return see_other(request, reverse("event_person", args=[email]))
    context = _progress_context(request, person, rooms.result())
    context |= {"step": context["progress"].step(room), "room": room}
    return page(request, "rooms/attendee.html", context, partial="row")


def _progress_text(completed: bool, result: dict[str, Any]) -> str:
    if not result["known"]:
        text = _("%(room)s removed.")
    else:
        text = _("%(room)s marked as completed.") if completed else _("%(room)s marked as not completed.")
    return text % {"room": result["title"]}

"""The event's people: who has registered, how far they are, and what they have written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
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
from dashboard.table import cursors
from dashboard.table.commands import new_command
from dashboard.table.read import Page, gather_all, in_background
from dashboard.web.commands import command_of
from dashboard.web.downloads import last_line_of_a_broken_file
from dashboard.web.lists import listing
from dashboard.web.pages import page, see_other, url_or_empty, wants_fragment
from dashboard.web.streams import streamed
from dashboard.web.toasts import toast
from forum.public import author_url, can_read_forum, cards_of, posts_of
from rooms import people_export
from rooms.forms.people import MAX_COUNTRY, ExportForm, PeopleForm, ProgressForm
from rooms.items import Room
from rooms.permissions import Permission
from rooms.progress import Way
from rooms.queries import people as queries
from rooms.queries.rooms import all_rooms
from rooms.services import people_export as exporting
from rooms.services import progress as services

FILTERS = ("q", "country")
POSTS = 20


@dataclass(frozen=True)
class AttendeeRow:
    """A person in the list."""

    person: Person
    way: Way

    @property
    def is_linked(self) -> bool:
        """Another service's address may be one that no path can hold."""
        email = self.person.email
        return "/" not in email and email not in {".", "..", "export"}


@requires(Permission.EVENT_PEOPLE)
@require_safe
def people(request: Request) -> HttpResponse:
    form = PeopleForm(request.GET)
    if not form.is_valid():
        empty = {"form": form, "listing": listing(request, [], None, filters=FILTERS)}
        return page(request, "rooms/people.html", empty, partial="list", status=422)
    wanted = form.wanted
    scope = (request.person.email, "event_people", *wanted.scope)
    place = cursors.decode(request.GET.get("cursor", ""), *scope)
    *answers, rooms = gather_all([*queries.reads_for(wanted, place), all_rooms])
    found = queries.found_by(wanted, place, answers)
    rows = [AttendeeRow(person, Way(person.raw_progress, rooms)) for person in found.items]
    following = cursors.encode(found.next, *scope) if found.next else None
    context = {
        "form": form,
        "wanted": wanted,
        "found": found,
        "countries": sorted({person.country for person in found.items if person.country}),
        "total": len(rooms),
        "listing": listing(request, rows, following, filters=FILTERS),
    }
    return page(request, "rooms/people.html", context, partial="rows" if place else "list")


@requires(Permission.EVENT_PEOPLE)
@require_POST
def export_csv(request: Request) -> HttpResponseBase:
    """It takes personal data out: who took it is in the trail, each time, before the first line."""
    form = ExportForm(request.POST)
    if not form.is_valid():
        raise Refused(_("A country has %(most)s characters at the most.") % {"most": MAX_COUNTRY})
    country = form.cleaned_data["country"]
    exporting.record_export(country, command=new_command(request.actor))
    return streamed(
        request,
        people_export.lines(country),
        name=f"event-people-{now():%Y-%m-%d}.csv",
        content_type="text/csv; charset=utf-8",
        broken=last_line_of_a_broken_file(),
    )


@requires(Permission.EVENT_PEOPLE)
@require_safe
def person(request: Request, email: str) -> HttpResponse:
    if not queries.can_be_address(email):
        raise NotFound
    reads: list[Any] = [
        partial(queries.find, email),
        all_rooms,
        partial(posts_of, email, None, POSTS),
        partial(history, services.history_of(email)),
    ]
    found, rooms, posts, entries = gather_all(reads)
    if found is None:
        raise NotFound
    if found.email != email:
        return see_other(request, reverse("event_person", args=[found.email]))
    if found.user_id and found.user_id != email:
        # Only now is it known by what other services know them.
        posts = posts_of(found.user_id, None, POSTS)
    # The sentence says it all; the trail's own page has the whole list, before and after.
    said = [replace(each, note="") for each in history_lines(entries)]
    context = _about(request, found, rooms) | {"history": said, **_written(request, found, posts)}
    return page(request, "rooms/person.html", context)


def _about(request: Request, person: Person, rooms: Sequence[Room]) -> dict[str, Any]:
    may_manage = person.office_role is not None and request.person.may(AccountPermission.PEOPLE_MANAGE)
    return {
        "person": person,
        "way": Way(person.raw_progress, rooms),
        "progress_url": reverse("event_progress", args=[person.email]),
        "history_target": services.history_of(person.email),
        "account_url": url_or_empty("person", person.email) if may_manage else "",
        "may_audit": request.person.may(AuditPermission.AUDIT_READ),
    }


def _written(request: Request, person: Person, posts: Page[Any]) -> dict[str, Any]:
    may_read = can_read_forum(request.person)
    return {
        "posts": cards_of(posts.items),
        "may_read_forum": may_read,
        "author_url": author_url(person.user_id or person.email) if may_read else "",
    }


@requires(Permission.EVENT_PEOPLE)
@require_POST
def progress(request: Request, email: str) -> HttpResponse:
    form = ProgressForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Choose a room, and whether it is completed."))
    room, completed = form.cleaned_data["room"], form.cleaned_data["completed"]
    # The row that is answered says how many rooms there are.
    rooms = in_background(all_rooms) if wants_fragment(request) else None
    person = services.mark(email, room, completed=completed, command=command_of(request))
    result = person.outcome.result
    inverse = (request.path, {"room": room, "completed": "0" if completed else "1"})
    # What is no room any more can only be taken out.
    toast(request, _what_was_done(completed, result), undo=inverse if result["known"] else None, of=person)
    if rooms is None:
        return see_other(request, reverse("event_person", args=[email]))
    context = _about(request, person, rooms.result())
    return page(
        request, "rooms/person.html", context | {"step": context["way"].step(room), "room": room}, partial="row"
    )


def _what_was_done(completed: bool, result: dict[str, Any]) -> str:
    if not result["known"]:
        text = _("%(room)s is taken out.")
    else:
        text = _("%(room)s is completed.") if completed else _("%(room)s is not completed any more.")
    return text % {"room": result["title"]}

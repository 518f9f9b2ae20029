"""A room's content on the screen: its versions, one of them, another one, and which one plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast
from urllib.parse import unquote, urlsplit

from csp.decorators import csp_update
from django.http import HttpResponse
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import add_refusal, bind, came_from, page, see_other
from dashboard.web.toasts import toast
from rooms import vimeo
from rooms.forms.content import ContentForm
from rooms.items import Room
from rooms.permissions import Permission
from rooms.queries import content as queries
from rooms.queries.content import Content
from rooms.services import content as services
from rooms.versions import Shown, compared

# Of very many versions the newest so many are surely on the page.
NEWEST = 60
# A key has room for more digits; nobody has.
LONGEST_NUMBER = 100
# What was done lately, for whoever was slower.
LATELY = 3

ViewT = TypeVar("ViewT", bound=Callable[..., Any])


def _embeds_players(view: ViewT) -> ViewT:
    """The one page on which Vimeo may be seen."""
    return cast(ViewT, csp_update({"frame-src": list(vimeo.PLAYERS)})(view))


def newest_of(request: Request) -> int | None:
    """The number that a room's list begins with, where the address says so."""
    return _number(request.GET.get("newest"))


def down_from(newest: int | None) -> range:
    return range(newest, max(newest - NEWEST, -1), -1) if newest is not None else range(0)


def listed(at: Content) -> dict[str, Any]:
    """What the room's page shows of its content."""
    return {
        "rows": [Shown(each) for each in at.versions],
        "playing": [Shown(each) for each in at.playing],
        "source": _source(at),
        "more": at.more,
    }


@requires(Permission.ROOMS)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request, room: str) -> HttpResponse:
    """Another version: from nothing, or as the one that `from` names and then changed."""
    number = _number(request.POST.get("from") or request.GET.get("from"))
    at = queries.at_room(room, number)
    options: dict[str, Any] = {"room": at.room, "source": at.version(number) if number is not None else None}
    if request.method != "POST":
        return _form_page(request, at, number, ContentForm(**options))
    form = bind(request, ContentForm, **options)
    if not form.is_valid():
        return _form_page(request, at, number, form, status=422)
    try:
        made = services.create(room, form.said, source=number, command=command_of(request))
    except Refused as refusal:
        add_refusal(form, refusal)
        return _form_page(request, at, number, form, status=422)
    text = _("Version %(number)s is saved. Visitors see it once you activate it.") % {"number": made.number}
    if form.moment and form.moment.twice:
        text += " " + _("The clocks show that time twice that night: it is the first of the two.")
    toast(request, text, of=made)
    return see_other(request, reverse("room_content", args=[room, made.number]))


def _form_page(request: Request, at: Content, number: int | None, form: ContentForm, status: int = 200) -> HttpResponse:
    context = {"room": at.room, "form": form, "source": number, "plays": at.plays}
    return page(request, "rooms/content_new.html", context, status=status)


@requires(Permission.ROOMS)
@_embeds_players
@require_safe
def version(request: Request, room: str, version: int) -> HttpResponse:
    """One version: what it says, how visitors see it, and what differs from another."""
    asked = request.GET.get("with", "")
    at = queries.at_room(room, version, _number(asked))
    this = Shown(at.version(version))
    with_number = _number(asked) if asked else _beside(at, version)
    other = at.find(with_number) if with_number is not None else None
    beside = Shown(other) if other is not None and other.number != version else None
    context = {
        "room": at.room,
        "this": this,
        "plays": Shown(at.plays) if at.plays else None,
        "alone": len(at.playing) < 2,
        "elsewhen": this.item.open_at is not None and this.item.open_at != at.room.open_at,
        "playing": request.GET.get("play") == "1",
        "others": [Shown(each) for each in at.versions if each.number != version],
        "beside": beside,
        "missing": asked[:20] if asked and other is None else "",
        "differences": compared(this, beside) if beside else [],
    }
    return page(request, "rooms/content_version.html", context)


@requires(Permission.ROOMS)
@require_POST
def activate(request: Request, room: str, version: int) -> HttpResponse:
    """Play this one. Of one that was shown before it is a restore."""
    try:
        after = services.activate(
            room, version, revision=bind(request, RevisionForm).number, command=command_of(request)
        )
    except Conflict:
        return _overtaken(request, room, version)
    said = _("Version %(number)s plays in %(room)s now.") % {"number": version, "room": after.title}
    toast(request, said, undo=_undo(room, after), of=after)
    return see_other(request, _back(request, room))


@requires(Permission.ROOMS)
@require_POST
def deactivate(request: Request, room: str) -> HttpResponse:
    """Play nothing."""
    try:
        after = services.deactivate(room, revision=bind(request, RevisionForm).number, command=command_of(request))
    except Conflict:
        return _overtaken(request, room, None)
    toast(request, _("Nothing plays in %(room)s now.") % {"room": after.title}, undo=_undo(room, after), of=after)
    return see_other(request, _back(request, room))


def _undo(room: str, after: Room) -> tuple[str, dict[str, Any]] | None:
    """What played before, or nothing again."""
    version, previous = (after.outcome.result.get(name) for name in ("version", "previous"))
    if version == previous:
        return None
    if previous is None:
        return reverse("room_content_deactivate", args=[room]), {"revision": after.revision}
    return reverse("room_content_activate", args=[room, previous]), {"revision": after.revision}


def _overtaken(request: Request, room: str, version: int | None) -> HttpResponse:
    """The room is not as it was seen: who did what, what plays now, and the button once more."""
    at = queries.at_room(room, version, told=True)
    context = {
        "room": at.room,
        "own": at.room.updated_by == request.person.email,
        "lately": history_lines(at.history[:LATELY]),
        "plays": Shown(at.plays) if at.plays else None,
        "wanted": Shown(at.version(version)) if version is not None else None,
        "url": request.path,
    }
    return page(request, "rooms/content_overtaken.html", context, partial="conflict", status=409)


def _back(request: Request, room: str) -> str:
    """Where the button was: the room, or one of its versions."""
    before = came_from(request)
    try:
        found = resolve(unquote(urlsplit(before).path))
    except Resolver404:
        return reverse("room", args=[room])
    here = found.url_name in {"room", "room_content"} and found.kwargs["room"] == room
    return before if here else reverse("room", args=[room])


def _number(text: str | None) -> int | None:
    """A version's number as an address names it; none where that is no number."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None


def _source(at: Content) -> int | None:
    """What another version most likely begins as: what plays, else the newest."""
    found = at.plays or next(iter(at.versions), None)
    return found.number if found else None


def _beside(at: Content, number: int) -> int | None:
    """What one most likely wants to compare it with: what plays, else the one before it."""
    if at.plays is not None and at.plays.number != number:
        return at.plays.number
    return next((each.number for each in at.versions if each.number < number), None)

"""A room's content: versions, comparison, new version, activation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast
from urllib.parse import unquote, urlsplit

from csp.decorators import csp_update
from django.http import HttpResponse
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.locale import zone
from dashboard.web.pages import add_refusal, bind, page, referring_page, see_other
from dashboard.web.toasts import toast
from rooms import vimeo
from rooms.forms.content import ContentForm
from rooms.items import Room
from rooms.permissions import Permission
from rooms.presenters.content import VersionPresenter, compare_versions
from rooms.queries import content as queries
from rooms.queries.content import RoomAndContent
from rooms.services import content as services
from rooms.zones import zone_of

# Of very many versions the page reads this many of the newest.
MAX_NEWEST = 60
# Longer numbers are ignored.
MAX_DIGITS = 100
# Entries of recent activity on the conflict page.
RECENT = 3

ViewT = TypeVar("ViewT", bound=Callable[..., Any])


def _embeds_players(view: ViewT) -> ViewT:
    """Allow the Vimeo player on this page."""
    return cast(ViewT, csp_update({"frame-src": list(vimeo.PLAYERS)})(view))


def newest_from_url(request: Request) -> int | None:
    """The highest version number, from the URL."""
    return _number(request.GET.get("newest"))


def newest_numbers(newest: int | None) -> range:
    return range(newest, max(newest - MAX_NEWEST, -1), -1) if newest is not None else range(0)


def list_context(state: RoomAndContent) -> dict[str, Any]:
    """The template context for the list of versions."""
    return {
        "rows": [VersionPresenter(each) for each in state.versions],
        "playing": [VersionPresenter(each) for each in state.playing],
        "source_number": _source_number(state),
        "has_more": state.more,
    }


@requires(Permission.ROOMS)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request, room: str) -> HttpResponse:
    """The form for a new version, empty or copied from the version in `from`."""
    number = _number(request.POST.get("from") or request.GET.get("from"))
    state = queries.load_room_content(room, number)
    options: dict[str, Any] = {"room": state.room, "source": state.load_version(number) if number is not None else None}
    if request.method != "POST":
        return _form_page(request, state, number, ContentForm(**options))
    form = bind(request, ContentForm, **options)
    if not form.is_valid():
        return _form_page(request, state, number, form, status=422)
    try:
        made = services.create(room, source=number, command=command_of(request), **form.values)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _form_page(request, state, number, form, status=422)
    text = _("Version %(number)s saved. Activate it to show it.") % {"number": made.number}
    if form.moment and form.moment.twice:
        text += " " + _("That time occurs twice because of a clock change. The first one is used.")
    toast(request, text, of=made)
    return see_other(request, reverse("room_content", args=[room, made.number]))


def _form_page(
    request: Request, state: RoomAndContent, number: int | None, form: ContentForm, status: int = 200
) -> HttpResponse:
    context = {"room": state.room, "form": form, "source_number": number, "current": state.current}
    with timezone.override(zone(zone_of(state.room))):
        return page(request, "rooms/content_new.html", context, status=status)


@requires(Permission.ROOMS)
@_embeds_players
@require_safe
def version(request: Request, room: str, version: int) -> HttpResponse:
    """One version, its preview, and a comparison with another version."""
    param = request.GET.get("with", "")
    state = queries.load_room_content(room, version, _number(param))
    this = VersionPresenter(state.load_version(version))
    with_number = _number(param) if param else _compared_number(state, version)
    other = state.find_version(with_number) if with_number is not None else None
    other_version = VersionPresenter(other) if other is not None and other.number != version else None
    with timezone.override(zone(zone_of(state.room))):
        context = {
            "room": state.room,
            "this": this,
            "current": VersionPresenter(state.current) if state.current else None,
            "is_only_one": len(state.playing) < 2,
            "has_other_opening": this.item.open_at is not None and this.item.open_at != state.room.open_at,
            "playing": request.GET.get("play") == "1",
            "other_versions": [VersionPresenter(each) for each in state.versions if each.number != version],
            "other_version": other_version,
            "missing": param[:20] if param and other is None else "",
            "differences": compare_versions(this, other_version) if other_version else [],
        }
        return page(request, "rooms/content_version.html", context)


@requires(Permission.ROOMS)
@require_POST
def activate(request: Request, room: str, version: int) -> HttpResponse:
    """Make this version play."""
    try:
        after = services.activate(
            room, version, revision=bind(request, RevisionForm).number, command=command_of(request)
        )
    except Conflict:
        return _conflict_page(request, room, version)
    text = _("Version %(number)s activated in %(room)s.") % {"number": version, "room": after.title}
    toast(request, text, undo=_undo(room, after), of=after)
    return see_other(request, _return_url(request, room))


@requires(Permission.ROOMS)
@require_POST
def deactivate(request: Request, room: str) -> HttpResponse:
    """Make no version play."""
    try:
        after = services.deactivate(room, revision=bind(request, RevisionForm).number, command=command_of(request))
    except Conflict:
        return _conflict_page(request, room, None)
    toast(request, _("%(room)s shows nothing now.") % {"room": after.title}, undo=_undo(room, after), of=after)
    return see_other(request, _return_url(request, room))


def _undo(room: str, after: Room) -> tuple[str, dict[str, Any]] | None:
    """The inverse action: activate the previous version, or deactivate."""
    version, previous = (after.outcome.result.get(name) for name in ("version", "previous"))
    if version == previous:
        return None
    if previous is None:
        return reverse("room_content_deactivate", args=[room]), {"revision": after.revision}
    return reverse("room_content_activate", args=[room, previous]), {"revision": after.revision}


def _conflict_page(request: Request, room: str, version: int | None) -> HttpResponse:
    """The room has changed: show who changed it and what plays, and offer the action again."""
    state = queries.load_room_content(room, version, with_history=True)
    with timezone.override(zone(zone_of(state.room))):
        context = {
            "room": state.room,
            "is_own": state.room.updated_by == request.person.email,
            "recent": history_lines(state.history[:RECENT]),
            "current": VersionPresenter(state.current) if state.current else None,
            "requested": VersionPresenter(state.load_version(version)) if version is not None else None,
            "url": request.path,
        }
        return page(request, "rooms/content_conflict.html", context, partial="conflict", status=409)


def _return_url(request: Request, room: str) -> str:
    """The page that sent the form: the room, or one of its versions."""
    previous_url = referring_page(request)
    try:
        found = resolve(unquote(urlsplit(previous_url).path))
    except Resolver404:
        return reverse("room", args=[room])
    is_same_room = found.url_name in {"room", "room_content"} and found.kwargs["room"] == room
    return previous_url if is_same_room else reverse("room", args=[room])


def _number(text: str | None) -> int | None:
    """A version number from a URL; None if it is no number."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else None


def _source_number(state: RoomAndContent) -> int | None:
    """The version that a new one is copied from: the one that plays, else the newest."""
    found = state.current or next(iter(state.versions), None)
    return found.number if found else None


def _compared_number(state: RoomAndContent, number: int) -> int | None:
    """The default version to compare with: the one that plays, else the previous one."""
    if state.current is not None and state.current.number != number:
        return state.current.number
    return next((each.number for each in state.versions if each.number < number), None)

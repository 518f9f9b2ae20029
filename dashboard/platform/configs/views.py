"""A config's history on the screen: every version, what it changed, and the ways back. One code for every kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import BasePermission, requires
from dashboard.platform.audit.labels import labels_of
from dashboard.platform.configs import presenters, queries
from dashboard.platform.configs.comparison import NOW, Comparison
from dashboard.platform.configs.items import HIGHEST, Config
from dashboard.platform.configs.kinds import Kind
from dashboard.platform.configs.services import config_writes
from dashboard.platform.configs.services.config_writes import Held, Overlapping
from dashboard.table import cursors
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import listing
from dashboard.web.pages import bind, came_from, page, see_other
from dashboard.web.toasts import toast


def history_urls(kind: Kind, permission: BasePermission) -> list[URLPattern]:
    """The routes of a config's history, below its own page."""

    def route(text: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
        @requires(permission)
        @wraps(view)
        def of_this_kind(request: Request, **parts: Any) -> HttpResponse:
            return view(request, kind, **parts)

        return path(text, of_this_kind, name=f"{kind.name}_{name}")

    return [
        route("versions/", versions, "versions"),
        route("versions/<int:number>/", version, "version"),
        route("versions/<int:number>/restore/", restore, "restore"),
        route("versions/<int:number>/revert/", revert, "revert"),
    ]


def toast_saved(request: Request, kind: Kind, config: Config, said: str = "") -> None:
    """Say that it is saved, and with whose changes. Undo takes back what the version changed that was just made."""
    did = config.outcome.result
    number = did.get("version")
    said = said or _("Saved as version %(number)s.") % {"number": number}
    if did.get("with"):
        said += " " + _("What %(who)s saved meanwhile is in it too.") % {"who": did["with"]}
    toast(request, said, undo=(reverse(f"{kind.name}_revert", args=[number]), {}) if number else None, of=config)


@require_safe
def versions(request: Request, kind: Kind) -> HttpResponse:
    """Every version, newest first: what stands and the list side by side, in one trip."""
    scope = (request.person.email, "config versions", kind.name)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    answers = gather(lambda: queries.current(kind), lambda: queries.history(kind, start))
    config, found = answers
    number = presenters.in_force(kind, config)
    cursor = cursors.encode(found.next, *scope) if found.next else None
    context = _routes(kind) | {
        "listing": listing(request, [presenters.line(each, number) for each in found.items], cursor),
        "config": config,
        # What stands is in no version: another service has changed it, or taken it away.
        "untold": number is None and bool(found.items) and not start,
    }
    return page(request, "configs/versions.html", context, partial="rows" if start else "list")


@require_safe
def version(request: Request, kind: Kind, number: int) -> HttpResponse:
    """What a version changed, or how it differs from another, or from what stands now."""
    other = _other(request.GET.get("with", ""), number)
    wanted = {number, number - 1} | ({other} if other else set())
    answers = gather(
        lambda: queries.some_versions(kind, *wanted), lambda: queries.current(kind), lambda: queries.history(kind)
    )
    there, config, recent = answers
    if number not in there or (other not in there and other not in {None, number - 1}):
        raise NotFound
    at = Comparison(kind, number, other, there, config)
    everything = "all" in request.GET
    context = _routes(kind) | {
        "at": at,
        "line": presenters.line(at.version, presenters.in_force(kind, config)),
        "changes": presenters.listed(kind, at.changes, most=None if everything else presenters.FIRST),
        "totals": [
            (labels_of(kind.name).field_label(name), count) for name, count in in_order(kind, at.version.totals or {})
        ],
        "others": _others(number, other, [each.number for each in recent.items]),
        "revision": config.revision if config else 0,
        "stuck": at.stuck(),
        "now": NOW,
    }
    return page(request, "configs/version.html", context)


@require_POST
def restore(request: Request, kind: Kind, number: int) -> HttpResponse:
    """Everything as it was at a version; refused where what stands is not what the person saw."""
    try:
        config = config_writes.restore(
            kind,
            _known(number),
            revision=bind(request, RevisionForm).number,
            confirmed=request.POST.getlist("confirm"),
            command=command_of(request),
        )
    except Overlapping as error:
        return _overlapping(request, kind, number, error)
    except Held as held:
        return _held(request, kind, number, held)
    said = _("Version %(old)s is back, as version %(number)s.")
    return _done(request, kind, config, said % {"old": number, "number": config.outcome.result.get("version", "")})


@require_POST
def revert(request: Request, kind: Kind, number: int) -> HttpResponse:
    """What one version changed is taken back; what came later stays."""
    try:
        confirmed = request.POST.getlist("confirm")
        config = config_writes.revert(kind, _known(number), confirmed=confirmed, command=command_of(request))
    except Overlapping as error:
        return _overlapping(request, kind, number, error)
    except Held as held:
        return _held(request, kind, number, held)
    said = _("What version %(old)s changed is taken back, in version %(number)s.")
    return _done(request, kind, config, said % {"old": number, "number": config.outcome.result.get("version", "")})


def _done(request: Request, kind: Kind, config: Config, said: str) -> HttpResponse:
    """Say it, with the way back, on the page where the button was; from one version's page on to the list."""
    toast_saved(request, kind, config, said)
    before, everything = came_from(request), reverse(f"{kind.name}_versions")
    where = urlsplit(before).path
    stays = where.startswith(reverse(kind.route)) and (where == everything or not where.startswith(everything))
    return see_other(request, before if stays else everything)


def _overlapping(request: Request, kind: Kind, number: int, error: Overlapping) -> HttpResponse:
    """Someone has changed the same since: which entries, who, and what they are now."""
    config = error.item if isinstance(error.item, Config) else None
    authors = queries.authors(kind, config, [each.name for each in error.overlaps])
    overlaps = presenters.met(kind, error.overlaps[: presenters.FIRST], authors)
    context = _routes(kind) | {"number": number, "overlaps": overlaps, "left": len(error.overlaps) - len(overlaps)}
    return page(request, "configs/overlapping.html", context, partial="conflict", status=409)


def _held(request: Request, kind: Kind, number: int, held: Held) -> HttpResponse:
    """It would do so much that the person is asked once more; the same form goes on from there."""
    confirmed = request.POST.getlist("confirm")
    context = {
        "number": number,
        "revision": bind(request, RevisionForm).number,
        "holds": held.holds,
        "confirmed": confirmed,
    }
    return page(request, "configs/held.html", _routes(kind) | context, partial="conflict", status=422)


def _routes(kind: Kind) -> dict[str, Any]:
    """What every page of a history links to."""
    return {"kind": kind, "home": reverse(kind.route), "all": reverse(f"{kind.name}_versions")}


def in_order(kind: Kind, totals: Mapping[str, int]) -> list[tuple[str, int]]:
    """A version's totals in the order of its kind: a stored map has none of its own."""
    order = [*kind.totals({}), *sorted(totals)]
    return sorted(totals.items(), key=lambda total: order.index(total[0]))


def _known(number: int) -> int:
    """There is nothing before the first, and none with more digits than a key has."""
    if not 0 < number < HIGHEST:
        raise NotFound
    return number


def _other(asked: str, number: int) -> int | None:
    """The version to compare with: the one before unless told; none is what stands now."""
    if not asked:
        return number - 1
    if asked == NOW:
        return None
    if not asked.isascii() or not asked.isdigit() or len(asked) > 8:
        raise NotFound
    return int(asked)


def _others(number: int, other: int | None, recent: list[int]) -> list[int]:
    """The versions to choose from: the newest, the one before, and the first."""
    near = {*recent, number - 1, 1, other or 0}
    return sorted(near - {number, 0}, reverse=True)

"""A config's history: the list of versions, the page of a version, restore and revert. Shared by all kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import BasePermission, requires
from dashboard.platform.audit.labels import labels_of
from dashboard.platform.configs import presenters, queries
from dashboard.platform.configs.comparison import NOW, Comparison
from dashboard.platform.configs.items import VERSION_LIMIT, Config
from dashboard.platform.configs.kinds import ConfigKind
from dashboard.platform.configs.services import config_writes
from dashboard.platform.configs.services.config_writes import ConfirmationRequired, MergeConflict
from dashboard.table.items import Raw
from dashboard.table.read import Page, gather
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import list_page
from dashboard.web.locale import zone, zone_label
from dashboard.web.pages import bind, page, referring_page, see_other
from dashboard.web.toasts import toast


def history_urls(
    kind: ConfigKind, permission: BasePermission, *, read: BasePermission | None = None
) -> list[URLPattern]:
    """The routes of a config's history, below its own page. `read` is enough to see the versions."""

    def route(text: str, view: Callable[..., HttpResponse], name: str, required: BasePermission) -> URLPattern:
        @requires(required)
        @wraps(view)
        def of_this_kind(request: Request, **parts: Any) -> HttpResponse:
            return view(request, kind, **parts)

        return path(text, of_this_kind, name=f"{kind.name}_{name}")

    def reader(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def with_rights(request: Request, kind: ConfigKind, **parts: Any) -> HttpResponse:
            return view(request, kind, can_change=request.person.may(permission), **parts)

        return with_rights

    return [
        route("versions/", reader(versions), "versions", read or permission),
        route("versions/<int:number>/", reader(version), "version", read or permission),
        route("versions/<int:number>/restore/", restore, "restore", permission),
        route("versions/<int:number>/revert/", revert, "revert", permission),
    ]


def toast_saved(request: Request, kind: ConfigKind, config: Config, text: str = "") -> None:
    """Report the saved version, and whose changes it was merged with. Undo reverts this version."""
    result = config.outcome.result
    number = result.get("version")
    text = text or _("Saved as version %(number)s.") % {"number": number}
    if result.get("with"):
        text += " " + _("Merged with the changes that %(who)s saved.") % {"who": result["with"]}
    toast(request, text, undo=(reverse(f"{kind.name}_revert", args=[number]), {}) if number else None, of=config)


@require_safe
def versions(request: Request, kind: ConfigKind, *, can_change: bool) -> HttpResponse:
    """All versions, newest first."""

    def load(start_key: Raw | None) -> tuple[Page[Any], dict[str, Any]]:
        config, found, zone_name = gather(
            partial(queries.current, kind), partial(queries.history, kind, start_key), partial(_zone_name, kind)
        )
        timezone.activate(zone(zone_name))
        current = presenters.current_version(kind, config)
        context = _routes(kind, can_change=can_change) | {
            "config": config,
            "zone_text": zone_label(zone_name) if kind.zone else "",
            # The current body is in no version: an outside writer has changed or deleted it.
            "is_changed_outside": current is None and bool(found.items) and not start_key,
        }
        return found.with_rows([presenters.version_line(each, current) for each in found.items]), context

    # `load` activates the time zone of the kind, for this page only.
    with timezone.override(timezone.get_current_timezone()):
        return list_page(request, "configs/versions.html", load, cursor_scope=("config versions", kind.name))


def _zone_name(kind: ConfigKind) -> str:
    """The time zone of the pages of a kind; the person's if it has none."""
    return kind.zone() if kind.zone else timezone.get_current_timezone_name()


@require_safe
def version(request: Request, kind: ConfigKind, number: int, *, can_change: bool) -> HttpResponse:
    """A version compared with the previous one, with another one, or with the current config."""
    other = _compared_number(request.GET.get("with", ""), number)
    compared_numbers = {number, number - 1} | ({other} if other else set())
    found, config, recent, zone_name = gather(
        partial(queries.find_versions, kind, *compared_numbers),
        partial(queries.current, kind),
        partial(queries.history, kind),
        partial(_zone_name, kind),
    )
    if number not in found or (other not in found and other not in {None, number - 1}):
        raise NotFound
    comparison = Comparison(kind, number, other, found, config)
    revert_conflicts = comparison.revert_conflicts()
    shows_all = "all" in request.GET
    totals = ordered_totals(kind, comparison.version.totals or {})
    context = _routes(kind, can_change=can_change) | {
        "comparison": comparison,
        "line": presenters.version_line(comparison.version, presenters.current_version(kind, config)),
        "changes": presenters.change_list(kind, comparison.changes, None if shows_all else presenters.MAX_ROWS),
        "totals": [(labels_of(kind.name).field_label(name), count) for name, count in totals],
        "choices": _version_choices(number, other, [each.number for each in recent.items]),
        "revision": config.revision if config else 0,
        "revert_conflicts": revert_conflicts,
        "has_actions": bool(comparison.restore_counts or comparison.can_revert or revert_conflicts),
        "now": NOW,
    }
    with timezone.override(zone(zone_name)):
        return page(request, "configs/version.html", context)


@require_POST
def restore(request: Request, kind: ConfigKind, number: int) -> HttpResponse:
    """Restore a version; refused if the config has changed since the person saw it."""
    try:
        config = config_writes.restore(
            kind,
            _valid_number(number),
            revision=bind(request, RevisionForm).number,
            confirmed=request.POST.getlist("confirm"),
            command=command_of(request),
        )
    except MergeConflict as error:
        return _conflict_page(request, kind, number, error)
    except ConfirmationRequired as error:
        return _confirmation_page(request, kind, number, error)
    text = _("Version %(old)s restored as version %(number)s.")
    return _saved(request, kind, config, text % {"old": number, "number": config.outcome.result.get("version", "")})


@require_POST
def revert(request: Request, kind: ConfigKind, number: int) -> HttpResponse:
    """Undo the changes of one version; later changes stay."""
    try:
        confirmed = request.POST.getlist("confirm")
        config = config_writes.revert(kind, _valid_number(number), confirmed=confirmed, command=command_of(request))
    except MergeConflict as error:
        return _conflict_page(request, kind, number, error)
    except ConfirmationRequired as error:
        return _confirmation_page(request, kind, number, error)
    text = _("Changes of version %(old)s undone in version %(number)s.")
    return _saved(request, kind, config, text % {"old": number, "number": config.outcome.result.get("version", "")})


def _saved(request: Request, kind: ConfigKind, config: Config, text: str) -> HttpResponse:
    """Show the toast on the page where the button was, or on the list if that was a version's page."""
    toast_saved(request, kind, config, text)
    previous, list_url = referring_page(request), reverse(f"{kind.name}_versions")
    path = urlsplit(previous).path
    stays = path.startswith(reverse(kind.route)) and (path == list_url or not path.startswith(list_url))
    return see_other(request, previous if stays else list_url)


def _conflict_page(request: Request, kind: ConfigKind, number: int, error: MergeConflict) -> HttpResponse:
    """The entries that were changed again later, by whom, and their current values."""
    config = error.item if isinstance(error.item, Config) else None
    names = [each.name for each in error.conflicts]
    authors, zone_name = gather(partial(queries.find_authors, kind, config, names), partial(_zone_name, kind))
    conflicts = presenters.conflict_rows(kind, error.conflicts[: presenters.MAX_ROWS], authors)
    context = {"number": number, "conflicts": conflicts, "left": len(error.conflicts) - len(conflicts)}
    with timezone.override(zone(zone_name)):
        return page(request, "configs/revert_conflict.html", _routes(kind) | context, partial="conflict", status=409)


def _confirmation_page(request: Request, kind: ConfigKind, number: int, error: ConfirmationRequired) -> HttpResponse:
    """The same form again, with a checkbox for each change that needs confirmation."""
    context = {
        "number": number,
        "revision": bind(request, RevisionForm).number,
        "confirmations": error.confirmations,
        "confirmed": request.POST.getlist("confirm"),
    }
    return page(request, "configs/confirm.html", _routes(kind) | context, partial="conflict", status=422)


def _routes(kind: ConfigKind, *, can_change: bool = True) -> dict[str, Any]:
    """The context that all pages of a history share. People who cannot change a config cannot open its page."""
    home = reverse(kind.route) if can_change else ""
    return {"kind": kind, "home": home, "all": reverse(f"{kind.name}_versions"), "can_change": can_change}


def ordered_totals(kind: ConfigKind, totals: Mapping[str, int]) -> list[tuple[str, int]]:
    """A version's totals in the order of its kind: a stored map has no order."""
    order = [*kind.totals({}), *sorted(totals)]
    return sorted(totals.items(), key=lambda total: order.index(total[0]))


def _valid_number(number: int) -> int:
    if not 0 < number < VERSION_LIMIT:
        raise NotFound
    return number


def _compared_number(param: str, number: int) -> int | None:
    """The version to compare with: the previous one by default, None for the current config."""
    if not param:
        return number - 1
    if param == NOW:
        return None
    if not param.isascii() or not param.isdigit() or len(param) > 8:
        raise NotFound
    return int(param)


def _version_choices(number: int, other: int | None, recent: list[int]) -> list[int]:
    """The versions to choose from: the latest, the previous and the first."""
    choices = {*recent, number - 1, 1, other or 0}
    return sorted(choices - {number, 0}, reverse=True)

"""Publish a version after a page that shows what changes, and withdraw it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from branding import contrast, queries
from branding.diff import diff
from branding.forms.publishing import ACCEPTED, PublishForm
from branding.items import PublishedMarker, ScheduledPublication, Theme
from branding.permissions import Permission
from branding.presenters import to_live_theme
from branding.queries import ThemeState
from branding.services import publishing
from branding.services.publishing import LiveVersionChanged, LowContrast
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.commands import Command
from dashboard.table.read import gather
from dashboard.table.transactions import find_done
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.BRANDING)
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: Request, business: str, version: int) -> HttpResponse:
    """Show what changes, then publish; too little contrast has to be confirmed."""
    if request.method != "POST":
        return _confirmation_page(request, business, version)
    form, command = bind(request, PublishForm), command_of(request)
    if not form.is_valid():
        return _refused_page(request, business, version, form)
    try:
        marker = _publish(business, version, form.cleaned_data, command)
    except LowContrast:
        return _refused_page(request, business, version, form, confirm_contrast=True)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _refused_page(request, business, version, form)
    except Conflict as error:
        return _conflict_page(request, business, version, error, note=form.cleaned_data["note"])
    if marker is None:
        toast(request, _("This was already done, and has changed since."))
    else:
        text = _("v%(number)s is live.") % {"number": version}
        toast(request, text, undo=_undo(business, marker.outcome.result), of=marker)
    return see_other(request, reverse("branding", args=[business]))


@requires(Permission.BRANDING)
@require_POST
def withdraw(request: Request, business: str, version: int) -> HttpResponse:
    """The Undo of the first publication: no version is live."""
    try:
        theme = publishing.withdraw(business, version, command=command_of(request))
    except LiveVersionChanged as error:
        return _conflict_page(request, business, version, error)
    undo = (_url("theme_publish", business, version), {"expected": "", "contrast": ACCEPTED})
    toast(request, _("v%(number)s withdrawn. No version is live.") % {"number": version}, undo=undo, of=theme)
    return see_other(request, reverse("branding", args=[business]))


def _publish(business: str, version: int, given: dict[str, Any], command: Command) -> PublishedMarker | None:
    """None if the form was sent before and the version was withdrawn since: then there is no marker."""
    try:
        return publishing.publish(
            business,
            version,
            expected_live_version=given["expected"],
            revision=given["revision"],
            note=given["note"],
            accept_low_contrast=given["contrast"] == ACCEPTED,
            command=command,
        )
    except NotFound:
        if find_done(command) is None:
            raise
        return None


def _undo(business: str, result: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Publish the previous version, or withdraw if there was none. No Undo if the previous one does not exist."""
    previous, version = result.get("previous"), result.get("version")
    if result.get("lost"):
        return None
    if previous is None:
        return _url("theme_withdraw", business, version), {}
    return _url("theme_publish", business, previous), {"expected": version, "contrast": ACCEPTED}


def _confirmation_page(request: Request, business: str, version: int) -> HttpResponse:
    """`against` is the live version, so that both are read in one round trip; if it is outdated, redirect."""
    param = request.GET.get("against", "")
    against = int(param) if param.isascii() and param.isdigit() and len(param) <= 8 else None
    state, schedules = _load(business, version, against)
    if state.live_version is not None and state.live_version not in {version, against}:
        query = request.GET.copy()
        query["against"] = str(state.live_version)
        return see_other(request, f"{request.path}?{query.urlencode()}")
    form = PublishForm(initial={"note": request.GET.get("note", "")})
    return page(request, "branding/publish.html", _context(state, schedules, form))


def _refused_page(
    request: Request, business: str, version: int, form: PublishForm, *, confirm_contrast: bool = False
) -> HttpResponse:
    """The same page with the typed values, compared with the current live version."""
    state, schedules = _load(business, version, queries.load_theme_state(business, version).live_version)
    context = _context(state, schedules, form) | {"confirm_contrast": confirm_contrast}
    return page(request, "branding/publish.html", context, status=422)


def _load(business: str, version: int, against: int | None) -> tuple[ThemeState, list[ScheduledPublication]]:
    return gather(partial(queries.load_theme_state, business, version, against), partial(queries.schedules, business))


def _context(state: ThemeState, schedules: list[ScheduledPublication], form: PublishForm) -> dict[str, Any]:
    theme, live_version = state.theme, state.live_version
    themes = state.other_themes | {theme.number: theme}
    previous = state.other_themes.get(live_version) if live_version is not None else None
    is_missing = live_version is not None and live_version not in themes
    return {
        "theme": theme,
        "live": to_live_theme(state.marker, themes, is_missing=is_missing),
        "previous": previous,
        "diff": diff(previous, theme),
        "contrasts": contrast.pair_contrasts(theme.style),
        "failing": contrast.failing_pairs(theme.style),
        "scheduled": [each for each in schedules if not each.missed],
        "form": form,
        "is_already_live": live_version == theme.number,
        "accepted": ACCEPTED,
    }


def _conflict_page(request: Request, business: str, version: int, error: Conflict, note: str = "") -> HttpResponse:
    """Someone else published or saved first: who, when, and which version is live now."""
    item = error.item
    marker = item if isinstance(item, PublishedMarker) else None
    live_version = marker.number if marker else None
    themes = queries.themes_and_marker(business, live_version)[0] if live_version is not None else {}
    is_missing = live_version is not None and live_version not in themes
    viewer = request.person.email
    context = {
        "live_changed": isinstance(error, LiveVersionChanged),
        "draft": item if isinstance(item, Theme) else None,
        "is_own_change": isinstance(item, Theme) and item.updated_by == viewer,
        "live": to_live_theme(marker, themes, viewer=viewer, is_missing=is_missing),
        "version": version,
        "note": note,
        "url": request.path if request.path == _url("theme_publish", business, version) else "",
    }
    return page(request, "branding/publish_conflict.html", context, partial="conflict", status=409)


def _url(route: str, business: str, version: Any) -> str:
    return reverse(route, args=[business, version])

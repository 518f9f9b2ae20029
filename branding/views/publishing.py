"""Publish a version after a page that shows what changes, and withdraw it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from branding import contrast, queries
from branding.diff import diff
from branding.forms.publishing import ACCEPTED, PublishForm, WithdrawForm
from branding.items import AssetLink, AssetRole, PublishedMarker, ScheduledPublication, Theme
from branding.logo_contrast import logo_contrast
from branding.permissions import Permission
from branding.presenters import to_live_theme
from branding.queries import ThemeState
from branding.services import publishing
from branding.services.publishing import LiveVersionChanged, LowContrast
from branding.services.schedule_changes import CANCELLED, RESTORED
from branding.views.publication_texts import UNDO_PUBLISH, UNDO_WITHDRAW, published_text, schedule_texts
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
        given, result = form.cleaned_data, marker.outcome.result
        text = published_text(version, given["undo"], given["expected"], result)
        toast(request, text, undo=_undo(business, result, command), of=marker)
    return see_other(request, reverse("branding", args=[business]))


@requires(Permission.BRANDING)
@require_POST
def withdraw(request: Request, business: str, version: int) -> HttpResponse:
    """The Undo of the first publication: no version is live."""
    form = bind(request, WithdrawForm)
    restore = form.cleaned_data["restore"] if form.is_valid() else ""
    try:
        theme = publishing.withdraw(business, version, restore=restore, command=command_of(request))
    except LiveVersionChanged as error:
        return _conflict_page(request, business, version, error)
    fields = {"expected": "", "contrast": ACCEPTED, "undo": UNDO_WITHDRAW}
    text = _("v%(number)s withdrawn. No version is live.") % {"number": version}
    text = " ".join([text, *schedule_texts(theme.outcome.result)])
    toast(request, text, undo=(_url("theme_publish", business, version), fields), of=theme)
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
            cancel=given["cancel"],
            restore=given["restore"],
            command=command,
        )
    except NotFound:
        if find_done(command) is None:
            raise
        return None


def _undo(business: str, result: dict[str, Any], command: Command) -> tuple[str, dict[str, Any]] | None:
    """Publish the previous version, or withdraw if there was none. No Undo if the previous one does not exist.

    Schedules that were cancelled come back, and those that were restored are cancelled again.
    """
    previous, version = result.get("previous"), result.get("version")
    if result.get("lost"):
        return None
    fields: dict[str, Any] = {"restore": command.id} if result.get(CANCELLED) else {}
    if previous is None:
        return _url("theme_withdraw", business, version), fields
    if restored := [f"{each['due']}_{each['version']}" for each in result.get(RESTORED, [])]:
        fields["cancel"] = ",".join(restored)
    fields |= {"expected": version, "contrast": ACCEPTED, "undo": UNDO_PUBLISH}
    return _url("theme_publish", business, previous), fields


def _confirmation_page(request: Request, business: str, version: int) -> HttpResponse:
    """`against` is the live version, so that both are read in one round trip; if it is outdated, redirect."""
    param = request.GET.get("against", "")
    against = int(param) if param.isascii() and param.isdigit() and len(param) <= 8 else None
    data = _load(business, version, against)
    state = data.state
    if state.live_version is not None and state.live_version not in {version, against}:
        query = request.GET.copy()
        query["against"] = str(state.live_version)
        return see_other(request, f"{request.path}?{query.urlencode()}")
    form = PublishForm(initial={"note": request.GET.get("note", "")})
    return page(request, "branding/publish.html", _context(data, form))


def _refused_page(
    request: Request, business: str, version: int, form: PublishForm, *, confirm_contrast: bool = False
) -> HttpResponse:
    """The same page with the typed values, compared with the current live version."""
    data = _load(business, version, queries.load_theme_state(business, version).live_version)
    context = _context(data, form) | {"confirm_contrast": confirm_contrast}
    return page(request, "branding/publish.html", context, status=422)


@dataclass(frozen=True)
class PublishData:
    """The data of the confirmation page, read in one round trip."""

    state: ThemeState
    schedules: list[ScheduledPublication]
    files: dict[str, AssetLink]

    @property
    def file_names(self) -> dict[str, str]:
        return {asset: link.title for asset, link in self.files.items()}


def _load(business: str, version: int, against: int | None) -> PublishData:
    themes, (marker, schedules), links = gather(
        partial(queries.find_themes, business, version, against),
        partial(queries.marker_and_schedules, business),
        partial(queries.asset_links, business),
    )
    state = queries.theme_state(version, themes, marker)
    return PublishData(state, schedules, {link.id: link for link in links.items})


def _context(data: PublishData, form: PublishForm) -> dict[str, Any]:
    state, schedules = data.state, data.schedules
    theme, live_version = state.theme, state.live_version
    logo = data.files.get(theme.asset_for(AssetRole.LOGO) or "")
    themes = state.other_themes | {theme.number: theme}
    previous = state.other_themes.get(live_version) if live_version is not None else None
    is_missing = live_version is not None and live_version not in themes
    return {
        "theme": theme,
        "live": to_live_theme(state.marker, themes, is_missing=is_missing),
        "previous": previous,
        "diff": diff(previous, theme, data.file_names),
        "contrasts": contrast.pair_contrasts(theme.style),
        "failing": contrast.failing_pairs(theme.style),
        "logo_contrast": logo_contrast(logo.colors, theme.style) if logo else None,
        "scheduled": [each for each in schedules if not each.missed],
        "has_other_schedules": any(each.number != theme.number and not each.missed for each in schedules),
        "chosen_schedules": form.cleaned_data.get("cancel", []) if form.is_bound and form.is_valid() else [],
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

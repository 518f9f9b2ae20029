"""The editor of a version, with a live preview."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from branding import contrast, queries
from branding.forms.theme import ThemeForm
from branding.items import AssetLink, AssetRole, ScheduledPublication, Theme
from branding.permissions import Permission
from branding.services import drafts
from branding.tokens import TOKENS, Style
from branding.views.preview_options import PreviewOptions
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, by_htmx, page, see_other
from dashboard.web.toasts import toast


@dataclass(frozen=True)
class EditorData:
    """The data of the editor, read in one round trip."""

    state: queries.ThemeState
    files: list[AssetLink]
    history: list[AuditEntry]
    schedules: list[ScheduledPublication]


@requires(Permission.BRANDING)
@require_http_methods(["GET", "HEAD", "POST"])
def theme(request: Request, business: str, version: int) -> HttpResponse:
    """The fields of a version next to a preview."""
    data = _load(request, business, version)
    options: dict[str, Any] = {"theme": data.state.theme, "files": data.files}
    if request.method != "POST":
        return _page(request, data, ThemeForm(**options))
    if "preview" in request.POST or "fix" in request.POST:
        return _page(request, data, ThemeForm(_with_fix(request.POST), **options), unsaved=True)
    form = bind(request, ThemeForm, **options)
    if not form.is_valid():
        return _page(request, data, form, status=422)
    if form.is_outdated and form.cleaned_data["revision"] == data.state.theme.revision:
        raise Conflict(data.state.theme)
    try:
        saved = drafts.save(
            business,
            version,
            values=form.values,
            files=form.chosen_files,
            name=form.cleaned_data["name"],
            revision=form.cleaned_data["revision"],
            command=command_of(request),
        )
    except Refused as refusal:
        add_refusal(form, refusal)
        return _page(request, data, form, status=422)
    _add_toast(request, saved, is_new=saved.number != version)
    if by_htmx(request) and saved.number == version:
        # The person stays at the same place of the page.
        data = _load(request, business, version)
        return _page(request, data, ThemeForm(theme=data.state.theme, files=data.files))
    return see_other(request, PreviewOptions.from_request(request).page_url(saved))


@requires(Permission.BRANDING)
@require_safe
def theme_contrast(request: Request, business: str, version: int) -> HttpResponse:
    """The contrast of the version with the unsaved values."""
    theme = queries.load_theme(business, version)
    context = {"theme": theme, **_contrast_context(theme.style.with_values(request.GET))}
    return page(request, "branding/contrast.html", context, partial="panel", quiet=True)


def _load(request: Request, business: str, version: int) -> EditorData:
    """Files that were sent are also read by id: the list has only the first 200."""
    sent = queries.valid_asset_ids([request.POST.get(role, "") for role in AssetRole])
    load_state = partial(queries.load_theme_state, business, version)
    load_history = partial(queries.theme_history, business, version)
    load_schedules = partial(queries.schedules, business)
    if not sent:
        state, links, history, schedules = gather(
            load_state, partial(queries.asset_links, business), load_history, load_schedules
        )
        return EditorData(state, links.items, history, schedules)
    state, links, history, schedules, sent_links = gather(
        load_state,
        partial(queries.asset_links, business),
        load_history,
        load_schedules,
        partial(queries.asset_links_by_id, business, sent),
    )
    return EditorData(state, [*links.items, *sent_links.values()], history, schedules)


def _with_fix(sent: Any) -> Any:
    """The sent values with the colour of the pressed `fix` button."""
    data = sent.copy()
    name, _sign, value = sent.get("fix", "").partition("=")
    if name in {token.name for token in TOKENS if token.is_color}:
        data[name] = value
    return data


def _page(
    request: Request, data: EditorData, form: ThemeForm, *, unsaved: bool = False, status: int = 200
) -> HttpResponse:
    options = PreviewOptions.from_request(request)
    state = data.state
    context = {
        "theme": state.theme,
        "live_version": state.live_version,
        "is_live": state.live_version == state.theme.number,
        "form": form,
        "unsaved": unsaved,
        "history": history_lines(data.history),
        "schedules": data.schedules,
        "preview": options.to_context(state, form.unsaved if form.is_bound else {}),
        **_contrast_context(form.style),
    }
    return page(request, "branding/theme.html", context, status=status)


def _contrast_context(style: Style) -> dict[str, Any]:
    """Failing pairs come first."""
    contrasts = sorted(contrast.pair_contrasts(style), key=lambda each: each.passes)
    return {"contrasts": contrasts, "failing": sum(not each.passes for each in contrasts)}


def _add_toast(request: Request, theme: Theme, *, is_new: bool) -> None:
    """Undo restores the previous values, or discards the new draft."""
    text, route, fields = _("%(title)s saved."), "theme", theme.outcome.result.get("before")
    if is_new:
        text = _("Your changes are in a new draft, %(title)s. The published version has not changed.")
        route, fields = "theme_discard", {}
    url = reverse(route, args=[theme.business, theme.number])
    undo = (url, fields | {"revision": theme.revision}) if fields is not None else None
    toast(request, text % {"title": theme.title}, undo=undo, of=theme)

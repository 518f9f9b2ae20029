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
from branding.draft_merge import FieldEditors, who_changed
from branding.forms.theme import ThemeForm
from branding.items import UNPADDED, AssetLink, AssetRole, ScheduledPublication, Theme
from branding.logo_contrast import logo_contrast
from branding.permissions import Permission
from branding.services import asset_usage, drafts
from branding.tokens import TOKENS, Style
from branding.views.assets import MAX_BODY
from branding.views.draft_texts import changed_fields_text, merged_texts, new_contrast_text
from branding.views.editor_files import EditorUploads, store_uploads
from branding.views.preview_options import PreviewOptions
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import gather
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.errors import max_body_size
from dashboard.web.pages import add_refusal, bind, by_htmx, page, safe_next, see_other, wants_fragment
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
@max_body_size(MAX_BODY)
@expensive(method="POST", with_files=True)
def theme(request: Request, business: str, version: int) -> HttpResponse:
    """The fields of a version next to a preview."""
    if request.FILES:
        queries.load_theme(business, version)  # No file is stored for a version that does not exist.
    uploaded = store_uploads(request, business)
    sent = uploaded.add_to(request.POST)
    data = _load(sent, business, version)
    options: dict[str, Any] = {"theme": data.state.theme, "files": data.files}
    if request.method != "POST":
        return _page(request, data, ThemeForm(**options))
    if role := sent.get("upload"):
        return _uploaded_page(request, data, ThemeForm(sent, **options), role, uploaded)
    if "preview" in sent or "fix" in sent:
        return _page(request, data, ThemeForm(_with_fix(sent), **options), unsaved=True)
    form, merged_fields = _bind_merged(request, data, sent, options)
    if not _is_valid(form, uploaded):
        return _page(request, data, form, status=422)
    if form.is_outdated and form.cleaned_data["revision"] == data.state.theme.revision:
        raise Conflict(data.state.theme)
    command = command_of(request)
    try:
        saved = drafts.save(
            business,
            version,
            values=form.values,
            files=form.chosen_files,
            name=form.cleaned_data["name"],
            revision=form.cleaned_data["revision"],
            merged_fields=merged_fields,
            # The content of files is not part of the command.
            command=command.part(repr(uploaded.chosen)) if uploaded.chosen else command,
        )
    except Refused as refusal:
        add_refusal(form, refusal)
        return _page(request, data, form, status=422)
    next_url = _next_url(request, saved, version)
    if not (next_url and saved.outcome.is_no_change):
        _add_toast(request, saved, is_new=saved.number != version, is_undo="undo" in sent)
    if next_url:
        return see_other(request, next_url)
    if by_htmx(request) and saved.number == version:
        # The person stays at the same place of the page.
        data = _load(sent, business, version)
        return _page(request, data, ThemeForm(theme=data.state.theme, files=data.files))
    return see_other(request, PreviewOptions.from_request(request).page_url(saved))


def _bind_merged(
    request: Request, data: EditorData, sent: Any, options: dict[str, Any]
) -> tuple[ThemeForm, FieldEditors]:
    """The form, and the changes of others to other fields, which it now includes. Invalid input is not merged."""
    form = bind(request, ThemeForm, sent, **options)
    merged = None if data.state.live_version == data.state.theme.number else form.merged
    if merged is None or not ThemeForm(form.merged_data(merged), **options).is_valid():
        return form, {}
    merged_fields = who_changed(data.state.theme, merged.others_fields, data.history)
    return bind(request, ThemeForm, form.merged_data(merged), **options), merged_fields


def _is_valid(form: ThemeForm, uploaded: EditorUploads) -> bool:
    for role, text in uploaded.errors.items():
        form.add_error(role, text)
    return form.is_valid()


def _uploaded_page(
    request: Request, data: EditorData, form: ThemeForm, role: str, uploaded: EditorUploads
) -> HttpResponse:
    """The picker of the role with the new file chosen. Without JavaScript the whole page, with what was typed."""
    if role not in uploaded.results and role in form.fields:
        form.add_error(role, _("Choose a file."))
    is_refused = not uploaded.chosen
    _is_valid(form, uploaded)
    result = uploaded.results.get(role)
    text = result.text if result and result.asset else ""
    if wants_fragment(request):
        picker = next((each for each in form.pickers if each.field.name == role), form.pickers[0])
        context = {"picker": picker, "upload_text": text}
        status = 422 if is_refused else 200
        return page(request, "branding/theme.html", context, partial="picker", quiet=True, status=status)
    if text:
        toast(request, text)
    return _page(request, data, form, unsaved=True, status=422 if is_refused else 200)


def _next_url(request: Request, saved: Theme, version: int) -> str:
    """Where the person goes on after saving: to publish, or to the link that they pressed; empty to stay.

    If saving made a new draft, a link of the old version leads to the same page of the new one.
    """
    if request.POST.get("then") == "publish":
        return reverse("theme_publish", args=[saved.business, saved.number])
    old, new = (reverse("theme", args=[saved.business, number]) for number in (version, saved.number))
    url = safe_next(request, "")
    return new + url.removeprefix(old) if url.startswith(old) else url


@requires(Permission.BRANDING)
@require_safe
def theme_contrast(request: Request, business: str, version: int) -> HttpResponse:
    """The contrast of the version with the unsaved values."""
    chosen = queries.valid_asset_ids([request.GET.get(AssetRole.LOGO, "")])
    theme, links = gather(
        partial(queries.load_theme, business, version, is_unpadded=UNPADDED in request.GET),
        lambda: queries.asset_links_by_id(business, chosen) if chosen else {},
    )
    logo = next(iter(links.values()), None)
    context = {"theme": theme, **_contrast_context(theme.style.with_values(request.GET), logo)}
    return page(request, "branding/contrast.html", context, partial="panel", quiet=True)


def _load(values: Any, business: str, version: int) -> EditorData:
    """Files that were sent are also read by id: the list has only the first 200."""
    sent = queries.valid_asset_ids([values.get(role, "") for role in AssetRole])
    themes, (marker, schedules), links, history, sent_links = gather(
        partial(queries.find_themes, business, version),
        partial(queries.marker_and_schedules, business),
        partial(queries.asset_links, business),
        partial(queries.theme_history, business, version),
        lambda: queries.asset_links_by_id(business, sent) if sent else {},
    )
    state = queries.theme_state(version, themes, marker)
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
        "upload_text": "",
        "history": history_lines(_with_file_names(data.history, data.files)),
        "schedules": data.schedules,
        "preview": options.to_context(state, form.unsaved if form.is_bound else {}),
        **_contrast_context(form.style, form.logo),
    }
    return page(request, "branding/theme.html", context, status=status)


def _with_file_names(entries: list[AuditEntry], files: list[AssetLink]) -> list[AuditEntry]:
    """Older entries contain the ids of files."""
    names = {file.id: file.title for file in files}
    for entry in entries:
        entry.before = asset_usage.with_file_names(entry.before, names) if entry.before else entry.before
        entry.after = asset_usage.with_file_names(entry.after, names) if entry.after else entry.after
    return entries


def _contrast_context(style: Style, logo: AssetLink | None) -> dict[str, Any]:
    """Failing pairs come first."""
    of_logo = logo_contrast(logo.colors, style) if logo else None
    found = [*contrast.pair_contrasts(style), *([of_logo] if of_logo else [])]
    contrasts = sorted(found, key=lambda each: each.passes)
    return {"contrasts": contrasts, "failing": sum(not each.passes for each in contrasts)}


def _add_toast(request: Request, theme: Theme, *, is_new: bool, is_undo: bool) -> None:
    """Undo restores the previous values, or discards the new draft."""
    result = theme.outcome.result
    before, merged_fields = result.get("before"), result.get("kept") or {}
    text, route, fields = _("%(title)s saved."), "theme", before | {"undo": "1"} if before is not None else None
    if is_undo and before is not None:
        text = _("Undone in %(title)s: %(fields)s.")
    if is_new:
        text = _("Your changes are in a new draft, %(title)s. The published version has not changed.")
        route, fields = "theme_discard", {}
    url = reverse(route, args=[theme.business, theme.number])
    undo = (url, fields | {"revision": theme.revision}) if fields is not None else None
    text %= {"title": theme.title, "fields": changed_fields_text(before or {}, theme)}
    if merged_fields:
        problem = new_contrast_text(before, theme) if before is not None else ""
        text = " ".join([text, *merged_texts(merged_fields, request.person.email), problem]).strip()
    toast(request, text, undo=undo, of=theme)

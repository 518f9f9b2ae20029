"""A version of the look, changed while watching it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from branding import contrast, queries
from branding.forms.theme import ThemeForm
from branding.items import AssetLink, Role, ScheduledPublication, Theme
from branding.permissions import Permission
from branding.services import drafts
from branding.tokens import TOKENS
from branding.views.preview_options import Stage
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import gather_all
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, by_htmx, page, see_other
from dashboard.web.toasts import toast


@dataclass(frozen=True)
class EditorData:
    """All that the page of a version shows, read in one trip."""

    at: queries.ThemeState
    files: list[AssetLink]
    history: list[AuditEntry]
    schedules: list[ScheduledPublication]


@requires(Permission.BRANDING)
@require_http_methods(["GET", "HEAD", "POST"])
def theme(request: Request, business: str, version: int) -> HttpResponse:
    """One version: its fields on one side, what they make of a shop on the other."""
    found = _find(request, business, version)
    options: dict[str, Any] = {"theme": found.at.theme, "files": found.files}
    if request.method != "POST":
        return _page(request, found, ThemeForm(**options))
    if "preview" in request.POST or "fix" in request.POST:
        return _page(request, found, ThemeForm(_fixed(request.POST), **options), unsaved=True)
    form = bind(request, ThemeForm, **options)
    if not form.is_valid():
        return _page(request, found, form, status=422)
    try:
        after = drafts.save(
            business,
            version,
            values=form.values,
            files=form.files_chosen,
            name=form.cleaned_data["name"],
            revision=form.cleaned_data["revision"],
            command=command_of(request),
        )
    except Refused as refusal:
        add_refusal(form, refusal)
        return _page(request, found, form, status=422)
    _say(request, after, new=after.number != version)
    if by_htmx(request) and after.number == version:
        # Whoever tries one value after the other stays where they are on the page.
        again = _find(request, business, version)
        return _page(request, again, ThemeForm(theme=again.at.theme, files=again.files))
    return see_other(request, Stage.of(request).page(after))


@requires(Permission.BRANDING)
@require_safe
def theme_contrast(request: Request, business: str, version: int) -> HttpResponse:
    """How well it can be read, with what is being typed."""
    found = queries.theme(business, version)
    look = found.look.with_values(request.GET)
    context = {"theme": found, **_readable(look)}
    return page(request, "branding/contrast.html", context, partial="panel", quiet=True)


def _find(request: Request, business: str, version: int) -> EditorData:
    """Files beyond the first two hundred are looked up by their ids, if they were sent."""
    sent = queries.usable([request.POST.get(role, "") for role in Role])
    reads: list[Any] = [
        lambda: queries.standing(business, version),
        lambda: queries.files(business).items,
        lambda: queries.history_of(business, version),
        lambda: queries.schedules(business),
    ]
    if sent:
        reads.append(lambda: list(queries.links(business, sent).values()))
    at, files, history, schedules, *more = gather_all(reads)
    return EditorData(at, [*files, *(more[0] if more else ())], history, schedules)


def _fixed(sent: Any) -> Any:
    """What was sent, with the colour that a `fix` names put into its field."""
    data = sent.copy()
    name, _sign, value = sent.get("fix", "").partition("=")
    if name in {token.name for token in TOKENS if token.is_color}:
        data[name] = value
    return data


def _page(
    request: Request, found: EditorData, form: ThemeForm, *, unsaved: bool = False, status: int = 200
) -> HttpResponse:
    stage = Stage.of(request)
    context = {
        "theme": found.at.theme,
        "at": found.at,
        "is_in_force": found.at.in_force == found.at.theme.number,
        "form": form,
        "unsaved": unsaved,
        "history": history_lines(found.history),
        "schedules": found.schedules,
        "stage": stage.shown(found.at, form.typed if form.is_bound else {}),
        **_readable(form.look),
    }
    return page(request, "branding/theme.html", context, status=status)


def _readable(look: Any) -> dict[str, Any]:
    readings = contrast.readings(look)
    # What cannot be read comes first.
    ordered = sorted(readings, key=lambda reading: reading.passes)
    return {"readings": ordered, "failing": sum(not reading.passes for reading in readings)}


def _say(request: Request, after: Theme, *, new: bool) -> None:
    """What happened, and the way back: what it was before, or the draft discarded that was made."""
    text, route, fields = _("%(title)s is saved."), "theme", after.outcome.result.get("before")
    if new:
        text = _("Your changes are in a new draft, %(title)s. What was published stays as it is.")
        route, fields = "theme_discard", {}
    url = reverse(route, args=[after.business, after.number])
    undo = (url, fields | {"revision": after.revision}) if fields is not None else None
    toast(request, text % {"title": after.title}, undo=undo, of=after)

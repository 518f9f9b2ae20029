"""Two versions side by side."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from branding import queries
from branding.diff import diff
from branding.forms.publishing import CompareForm
from branding.items import PublishedMarker, Theme
from branding.permissions import Permission
from branding.presenters import is_live_version_missing, to_live_theme
from branding.preview import DEFAULT_SCREEN, SCREENS
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.lists import build_tabs
from dashboard.web.pages import page, see_other


@requires(Permission.BRANDING)
@require_safe
def compare(request: Request, business: str) -> HttpResponse:
    """Compare the versions `a` and `b`; by default the live one and the newest."""
    if not request.GET.get("a") or not request.GET.get("b"):
        return _choose_versions(request, business)
    form = CompareForm(request.GET)
    numbers = [form.cleaned_data[name] for name in ("a", "b")] if form.is_valid() else []
    (themes, marker), newest, names = gather(
        partial(queries.themes_and_marker, business, *numbers),
        partial(queries.newest_versions, business),
        partial(queries.asset_names, business),
    )
    themes = {number: newest.unpadded[number] for number in numbers if number in newest.unpadded} | themes
    for name, number in zip(("a", "b"), numbers, strict=False):
        if number not in themes:
            form.add_error(name, _("There is no version %(number)s.") % {"number": number})
    a, b = (themes[number] for number in numbers) if form.is_valid() else (None, None)
    context = {
        "form": form,
        "recent": newest.themes,
        "live": to_live_theme(marker, themes),
        "a": a,
        "b": b,
        "diff": diff(a, b, names) if b else None,
        "screen": request.GET["screen"] if request.GET.get("screen") in SCREENS else DEFAULT_SCREEN,
        "screens": build_tabs(request, "screen", SCREENS.items()),
    }
    return page(request, "branding/compare.html", context)


def _choose_versions(request: Request, business: str) -> HttpResponse:
    """Redirect to the default versions; if there are not two, show the empty page."""
    marker, newest = gather(partial(queries.find_marker, business), partial(queries.newest_versions, business))
    is_missing = is_live_version_missing(marker, newest.themes, has_more=newest.has_more)
    defaults = _default_versions(None if is_missing else marker, newest.themes)
    chosen = [request.GET.get(name) or number for name, number in zip(("a", "b"), defaults, strict=True)]
    if None not in chosen:
        return see_other(request, f"{request.path}?{urlencode({'a': chosen[0], 'b': chosen[1]})}")
    form = CompareForm(initial={"a": chosen[0], "b": chosen[1]})
    context = {"form": form, "recent": newest.themes, "live": to_live_theme(marker, {}), "a": None, "b": None}
    return page(request, "branding/compare.html", context)


def _default_versions(marker: PublishedMarker | None, newest: list[Theme]) -> tuple[int | None, int | None]:
    """The live version and the newest other one; if none is live, the second newest and the newest."""
    numbers: list[int | None] = [theme.number for theme in newest]
    live = marker.number if marker else None
    rest = [number for number in numbers if number != live] + [None, None]
    return (live, rest[0]) if live is not None else (rest[1], rest[0])

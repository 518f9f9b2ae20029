"""What was in force and when; and any two versions beside each other."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from branding import queries
from branding.diff import diff
from branding.forms.publishing import CompareForm
from branding.items import PublishedMarker, Theme
from branding.permissions import Permission
from branding.presenters import in_force, is_missing, moments
from branding.preview import FIRST, SCREENS
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table import cursors
from dashboard.table.read import gather
from dashboard.web.lists import listing, tabs
from dashboard.web.pages import page, see_other


@requires(Permission.BRANDING)
@require_safe
def timeline(request: Request, business: str) -> HttpResponse:
    """Every publication, the newest first; an older version is one click away from being in force again."""
    scope = (request.person.email, "timeline", business)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    answers = gather(lambda: queries.marker(business), lambda: queries.publications(business, start))
    marker, found = answers
    now = in_force(marker, {})
    rows = moments(found.items, now.number if now else None, first=not start)
    cursor = cursors.encode(found.next, *scope) if found.next else None
    told = rows[0].number if rows and not rows[0].withdrawn else None
    context = {
        "now": now,
        "listing": listing(request, rows, cursor),
        # Another service has moved the marker: the timeline knows nothing of it.
        "untold": not start and (now.number if now else None) != told,
    }
    return page(request, "branding/timeline.html", context, partial="rows" if start else "list")


@requires(Permission.BRANDING)
@require_safe
def compare(request: Request, business: str) -> HttpResponse:
    """From `a` to `b`; without them, from what is in force to the newest."""
    if not request.GET.get("a") or not request.GET.get("b"):
        return _choose(request, business)
    form = CompareForm(request.GET)
    numbers = [form.cleaned_data[name] for name in ("a", "b")] if form.is_valid() else []
    answers = gather(lambda: queries.some(business, *numbers), lambda: queries.versions(business))
    (known, marker), recent = answers
    for name, number in zip(("a", "b"), numbers, strict=False):
        if number not in known:
            form.add_error(name, _("There is no version %(number)s.") % {"number": number})
    a, b = (known[number] for number in numbers) if form.is_valid() else (None, None)
    context = {
        "form": form,
        "recent": recent.items,
        "now": in_force(marker, known),
        "a": a,
        "b": b,
        "diff": diff(a, b) if b else None,
        "screen": request.GET["screen"] if request.GET.get("screen") in SCREENS else FIRST,
        "screens": tabs(request, "screen", SCREENS.items()),
    }
    return page(request, "branding/compare.html", context)


def _choose(request: Request, business: str) -> HttpResponse:
    """Go on to the two that one most likely wants to see; where there are no two, say so."""
    answers = gather(lambda: queries.marker(business), lambda: queries.versions(business))
    marker, recent = answers
    usual = _usual(None if is_missing(marker, recent) else marker, recent.items)
    chosen = [request.GET.get(name) or number for name, number in zip(("a", "b"), usual, strict=True)]
    if None not in chosen:
        return see_other(request, f"{request.path}?{urlencode({'a': chosen[0], 'b': chosen[1]})}")
    form = CompareForm(initial={"a": chosen[0], "b": chosen[1]})
    context = {"form": form, "recent": recent.items, "now": in_force(marker, {})}
    return page(request, "branding/compare.html", context)


def _usual(marker: PublishedMarker | None, newest: list[Theme]) -> tuple[int | None, int | None]:
    """From what is in force to the newest that is not; where nothing is, from the second newest."""
    numbers: list[int | None] = [theme.number for theme in newest]
    now = marker.number if marker else None
    rest = [number for number in numbers if number != now] + [None, None]
    return (now, rest[0]) if now is not None else (rest[1], rest[0])

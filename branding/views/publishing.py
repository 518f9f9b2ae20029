"""Putting a version in force, with what that changes in front of one's eyes; and the way back."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from branding import contrast, queries
from branding.diff import diff
from branding.forms.publishing import ACCEPTED, PublishForm
from branding.items import PublishedMarker, Theme
from branding.permissions import Permission
from branding.presenters import in_force
from branding.queries import ThemeState
from branding.services import publishing
from branding.services.publishing import BelowAA, Overtaken
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
    """First what it changes, then the button; below AA, the button once more."""
    if request.method != "POST":
        return _confirmation(request, business, version)
    form, command = bind(request, PublishForm), command_of(request)
    if not form.is_valid():
        return _ask_again(request, business, version, form)
    try:
        marker = _publish(business, version, form.cleaned_data, command)
    except BelowAA:
        return _ask_again(request, business, version, form, below=True)
    except Refused as refusal:
        add_refusal(form, refusal)
        return _ask_again(request, business, version, form)
    except Conflict as error:
        return _too_late(request, business, version, error, note=form.cleaned_data["note"])
    if marker is None:
        toast(request, _("That was done before. It has been changed since."))
    else:
        said = _("Version %(number)s is live.") % {"number": version}
        toast(request, said, undo=_undo(business, marker.outcome.result), of=marker)
    return see_other(request, reverse("branding", args=[business]))


@requires(Permission.BRANDING)
@require_POST
def withdraw(request: Request, business: str, version: int) -> HttpResponse:
    """The way back from a first publication: no version is in force again."""
    try:
        theme = publishing.withdraw(business, version, command=command_of(request))
    except Overtaken as error:
        return _too_late(request, business, version, error)
    undo = (_url("theme_publish", business, version), {"expected": "", "contrast": ACCEPTED})
    toast(request, _("No version is live anymore."), undo=undo, of=theme)
    return see_other(request, reverse("branding", args=[business]))


def _publish(business: str, version: int, given: dict[str, Any], command: Command) -> PublishedMarker | None:
    """None where an old form comes again and what it put in force was withdrawn since: there is no marker to tell."""
    try:
        return publishing.publish(
            business,
            version,
            expected=given["expected"],
            revision=given["revision"],
            text=given["note"],
            accepted=given["contrast"] == ACCEPTED,
            command=command,
        )
    except NotFound:
        if find_done(command) is None:
            raise
        return None


def _undo(business: str, did: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Publish what was in force before, or withdraw where nothing was; no way back to a version that is not there."""
    previous, version = did.get("previous"), did.get("version")
    if did.get("lost"):
        return None
    if previous is None:
        return _url("theme_withdraw", business, version), {}
    return _url("theme_publish", business, previous), {"expected": version, "contrast": ACCEPTED}


def _confirmation(request: Request, business: str, version: int) -> HttpResponse:
    """`against` names the version in force, so that both come in one trip; where it names another, once more."""
    asked = request.GET.get("against", "")
    against = int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= 8 else None
    at, schedules = _read(business, version, against)
    if at.in_force is not None and at.in_force not in {version, against}:
        query = request.GET.copy()
        query["against"] = str(at.in_force)
        return see_other(request, f"{request.path}?{query.urlencode()}")
    form = PublishForm(initial={"note": request.GET.get("note", "")})
    return page(request, "branding/publish.html", _context(at, schedules, form))


def _ask_again(
    request: Request, business: str, version: int, form: PublishForm, *, below: bool = False
) -> HttpResponse:
    """The same page with what was typed, and against what is in force now."""
    at, schedules = _read(business, version, queries.standing(business, version).in_force)
    context = _context(at, schedules, form) | {"below": below}
    return page(request, "branding/publish.html", context, status=422)


def _read(business: str, version: int, against: int | None) -> tuple[ThemeState, list[Any]]:
    found = gather(lambda: queries.standing(business, version, against), lambda: queries.schedules(business))
    return found[0], found[1]


def _context(at: ThemeState, schedules: list[Any], form: PublishForm) -> dict[str, Any]:
    theme, number = at.theme, at.in_force
    known = at.others | {theme.number: theme}
    old = at.others.get(number) if number is not None else None
    return {
        "theme": theme,
        "now": in_force(at.marker, known, missing=number is not None and number not in known),
        "old": old,
        "diff": diff(old, theme),
        "readings": contrast.readings(theme.look),
        "failing": contrast.failing(theme.look),
        "to_come": [each for each in schedules if not each.missed],
        "form": form,
        "already": number == theme.number,
        "accepted": ACCEPTED,
    }


def _too_late(request: Request, business: str, version: int, error: Conflict, note: str = "") -> HttpResponse:
    """Someone was faster: who, when, and what is in force now."""
    overtaken, item = isinstance(error, Overtaken), error.item
    marker = item if isinstance(item, PublishedMarker) else None
    number = marker.number if marker else None
    known = queries.some(business, number)[0] if number is not None else {}
    viewer = request.person.email
    context = {
        "overtaken": overtaken,
        "draft": item if isinstance(item, Theme) else None,
        "own": isinstance(item, Theme) and item.updated_by == viewer,
        "now": in_force(marker, known, viewer=viewer, missing=number is not None and number not in known),
        "wanted": version,
        "note": note,
        "url": request.path if request.path == _url("theme_publish", business, version) else "",
    }
    return page(request, "branding/overtaken.html", context, partial="conflict", status=409)


def _url(route: str, business: str, version: Any) -> str:
    return reverse(route, args=[business, version])

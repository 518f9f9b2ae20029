"""The brand on the home page of a business: what is live, what is scheduled, and drafts; a setup step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from branding import queries
from branding.items import PublishedMarker, ScheduledPublication, Theme
from branding.permissions import Permission
from branding.queries.home import newest_drafts
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import (
    HomeLine,
    HomeLink,
    HomePlace,
    HomeSource,
    Reads,
    Results,
    SetupStep,
    Urgency,
    register_home,
    register_setup_steps,
)

MARKER, SCHEDULES, DRAFTS = "branding.marker", "branding.schedules", "branding.drafts"
# The schedules and drafts that are named.
MAX_NAMED = 3


def marker_reads(request: Request) -> Reads:
    return {MARKER: partial(queries.find_marker, request.business.id)}


def brand_reads(request: Request) -> Reads:
    business = request.business.id
    return {
        **marker_reads(request),
        SCHEDULES: partial(queries.schedules, business),
        DRAFTS: partial(newest_drafts, business),
    }


def brand_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    business = request.business.id
    drafts = results[DRAFTS]
    yield from _schedule_lines(business, results[SCHEDULES], drafts)
    if drafts:
        text = ngettext("%(count)s draft is not published", "%(count)s drafts are not published", len(drafts))
        url = f"{reverse('branding', args=[business])}?status=drafts"
        links = tuple(HomeLink(each.title, _theme_url(business, each.number)) for each in drafts[:MAX_NAMED])
        yield HomeLine(Urgency.LATER, "square-pen", text % {"count": len(drafts)}, url, links=links)
    marker: PublishedMarker | None = results[MARKER]
    if marker is not None and marker.number is not None:
        text = _("Live: %(version)s") % {"version": _live_title(marker)}
        url = _theme_url(business, marker.number)
        yield HomeLine(Urgency.INFO, "palette", text, url, since=marker.published_at)
    else:
        yield HomeLine(Urgency.LATER, "palette", _("No version of the brand is live"), _brand_url(business))


def _schedule_lines(
    business: str, schedules: Sequence[ScheduledPublication], drafts: Sequence[Theme]
) -> Iterator[HomeLine]:
    titles = {each.number: each.title for each in drafts}
    for schedule in [each for each in schedules if each.missed][:MAX_NAMED]:
        text = _("%(version)s was not published as scheduled") % {"version": _title(schedule, titles)}
        yield HomeLine(Urgency.WAITING, "calendar-x", text, _brand_url(business), since=schedule.due_at)
    for schedule in [each for each in schedules if not each.missed][:MAX_NAMED]:
        text = _("%(version)s is scheduled to publish") % {"version": _title(schedule, titles)}
        yield HomeLine(Urgency.TODAY, "timer", text, _brand_url(business), since=schedule.due_at)


def _title(schedule: ScheduledPublication, titles: Mapping[int, str]) -> str:
    return titles.get(schedule.number) or f"v{schedule.number}"


def _live_title(marker: PublishedMarker) -> str:
    known = marker.title if marker.describes_live_version else None
    return known or f"v{marker.number}"


def _brand_url(business: str) -> str:
    return reverse("branding", args=[business])


def _theme_url(business: str, version: int) -> str:
    return reverse("theme", args=[business, version])


register_home(
    HomePlace.BUSINESS,
    HomeSource(
        name="branding",
        permission=Permission.BRANDING,
        checked=gettext_lazy("drafts and scheduled versions of the brand"),
        reads=brand_reads,
        build_lines=brand_lines,
    ),
)
register_setup_steps(
    SetupStep(
        order=40,
        label=gettext_lazy("Publish your brand"),
        hint=gettext_lazy("Colours, logo and texts of your pages"),
        route="branding",
        permission=Permission.BRANDING,
        reads=marker_reads,
        is_done=lambda request, results: results[MARKER] is not None and results[MARKER].number is not None,
    ),
)

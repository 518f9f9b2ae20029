"""Businesses on the home pages: those without an owner for admins, and the first steps of a new business."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.addresses import can_be_business
from dashboard.platform.businesses.permissions import Permission
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

OWNERLESS, MEMBERS = "businesses.ownerless", "businesses.members"
# The businesses that the line names.
MAX_NAMED = 5


def ownerless_reads(request: Request) -> Reads:
    return {OWNERLESS: queries.ownerless_businesses}


def ownerless_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    page = results[OWNERLESS]
    # No page can link to an id of an outside writer that fits into no web address.
    found = [each for each in page.items if can_be_business(each.id)]
    if not found:
        return
    text = ngettext("%(count)s business has no owner", "%(count)s businesses have no owner", len(found))
    count = f"{len(found)}+" if page.next_start_key else len(found)
    links = tuple(HomeLink(each.title, reverse("business_manage", args=[each.id])) for each in found[:MAX_NAMED])
    url = links[0].url if len(found) == 1 else reverse("businesses")
    yield HomeLine(Urgency.LATER, "building-2", text % {"count": count}, url, links=links)


def member_reads(request: Request) -> Reads:
    return {MEMBERS: partial(queries.members, request.business.id)}


register_home(
    HomePlace.PLATFORM,
    HomeSource(
        name="businesses.ownerless",
        permission=Permission.BUSINESSES_MANAGE,
        checked=_("businesses without an owner"),
        reads=ownerless_reads,
        build_lines=ownerless_lines,
    ),
)
register_setup_steps(
    SetupStep(
        order=10,
        label=_("Set language and time zone"),
        hint=_("Dates, times and messages to customers use them"),
        route="business_settings",
        permission=Permission.BUSINESS_SETTINGS,
        reads=lambda request: {},
        is_done=lambda request, results: bool(request.business.language and request.business.timezone),
    ),
    SetupStep(
        order=60,
        label=_("Invite your team"),
        hint=_("Each person gets a role and sees only what it needs"),
        route="business_people",
        permission=Permission.BUSINESS_PEOPLE,
        reads=member_reads,
        is_done=lambda request, results: len(results[MEMBERS]) > 1,
    ),
)

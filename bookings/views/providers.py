"""Who can be booked: the list with who works today, and each of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bookings.displaced_bookings import DisplacedBookings
from bookings.forms.providers import ProviderForm
from bookings.hours import WEEKDAYS
from bookings.items import Availability, Provider
from bookings.permissions import Permission
from bookings.queries import providers as queries
from bookings.queries import services as catalog
from bookings.queries.history import history_of
from bookings.services import providers as writing
from bookings.services.deletion import put_back
from bookings.today import Today, today_of, weekdays_now
from bookings.views.hours import drawn, ticks
from bookings.views.shared import (
    accepted,
    asked_for,
    displaced_lines,
    has_page,
    required_revision,
    titles_of,
    undo_form,
    undo_of,
)
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table import cursors
from dashboard.table.read import gather_all
from dashboard.web.commands import command_of
from dashboard.web.lists import listing
from dashboard.web.locale import zone_in_words
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast

TAB = "providers"


@dataclass(frozen=True)
class ProviderRow:
    """Someone in the list."""

    provider: Provider
    does: list[str]
    today: Today
    # Named where it is another one than the business's.
    zone: str

    @property
    def is_linked(self) -> bool:
        return has_page(self.provider.id)


@requires(Permission.BOOKINGS)
@require_safe
def providers(request: Request, business: str) -> HttpResponse:
    """Providers, what they do and today's hours side by side: one trip, however many there are."""
    q, moment = asked_for(request), now()
    scope = (request.person.email, TAB, business)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    days = [partial(queries.hours_on, business, day) for day in weekdays_now(moment)]
    reads: list[Any] = [lambda: queries.providers_of(business, start), lambda: catalog.services_of(business).items]
    found, offered, *hours = gather_all([*reads, *days])
    working: defaultdict[str, list[Availability]] = defaultdict(list)
    for each in (each for day in hours for each in day):
        working[each.provider].append(each)
    titles, here = titles_of(offered), request.business.timezone
    rows = []
    for each in queries.by_name(queries.having(found.items, q)):
        where = each.zone(here)
        does = [titles[name] for name in each.service_ids if name in titles]
        away = zone_in_words(where.key) if where != Provider().zone(here) else ""
        rows.append(ProviderRow(each, does, today_of(working[each.id], where, moment), away))
    following = cursors.encode(found.next, *scope) if found.next else None
    context = {
        "listing": listing(request, rows, following, filters=("q",)),
        "q": q,
        "any": bool(found.items or start),
        "tab": TAB,
    }
    return page(request, "bookings/providers.html", context, partial="rows" if start else "list")


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    offered = catalog.by_name(catalog.services_of(business).items)
    if request.method != "POST":
        zone = Provider().zone(request.business.timezone).key
        form = ProviderForm(initial={"timezone": zone}, offered=offered)
        return page(request, "bookings/provider_new.html", {"form": form, "tab": TAB})
    form = bind(request, ProviderForm, offered=offered)
    if not form.is_valid():
        return page(request, "bookings/provider_new.html", {"form": form, "tab": TAB}, status=422)
    made = writing.create(business, form.values, command=command_of(request))
    undo = (_url("provider_remove", business, made.id), {"revision": made.revision})
    toast(request, _("%(name)s added. Set their hours.") % {"name": made.title}, undo=undo, of=made)
    return see_other(request, _url("provider_hours", business, made.id))


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def provider(request: Request, business: str, provider: str) -> HttpResponse:
    if request.method != "POST":
        return _provider_page(request, business, provider)
    zone = request.business.timezone
    reads: list[Any] = [lambda: queries.provider(business, provider), lambda: catalog.services_of(business).items]
    found, offered = gather_all(reads)
    form = bind(request, ProviderForm, item=found, offered=catalog.by_name(offered))
    if not form.is_valid():
        return _provider_page(request, business, provider, form=form, status=422)
    try:
        saved = writing.edit(
            business,
            provider,
            form.values,
            revision=form.revision,
            business_zone=zone,
            accepts=accepted(request),
            command=command_of(request),
        )
    except DisplacedBookings as strands:
        lost = displaced_lines(business, found, zone, strands)
        return _provider_page(request, business, provider, form=form, losing=lost, status=409)
    undo = undo_of(saved, request.path)
    toast(request, _("Changes to %(name)s are saved.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, request.path)


def _provider_page(
    request: Request,
    business: str,
    provider_id: str,
    *,
    form: ProviderForm | None = None,
    status: int = 200,
    **extra: Any,
) -> HttpResponse:
    """All of it side by side: one trip."""
    reads: list[Any] = [
        lambda: queries.provider(business, provider_id),
        lambda: queries.hours_of(business, provider_id),
        lambda: catalog.services_of(business).items,
        lambda: history_of(business, writing.KIND, provider_id),
        lambda: queries.is_booked(business, provider_id),
    ]
    found, hours, offered, entries, is_booked = gather_all(reads)
    zone = request.business.timezone
    where = found.zone(zone)
    shown = form or ProviderForm(item=found, offered=catalog.by_name(offered))
    context = {
        "provider": found,
        "form": shown,
        "week": drawn(hours, where),
        "hours_ticks": ticks(),
        "today": today_of(hours, where, now()),
        "zone": zone_in_words(where.key),
        "weekday": WEEKDAYS[now().astimezone(where).weekday()],
        "history": history_lines(entries),
        "is_booked": is_booked,
        "tab": TAB,
        **extra,
    }
    return page(request, "bookings/provider.html", context, status=status)


@requires(Permission.BOOKINGS)
@require_POST
def deactivate(request: Request, business: str, provider: str) -> HttpResponse:
    revision = required_revision(request)
    try:
        after = writing.deactivate(
            business, provider, revision=revision, accepts=accepted(request), command=command_of(request)
        )
    except DisplacedBookings as strands:
        found = queries.provider(business, provider)
        lost = displaced_lines(business, found, request.business.timezone, strands)
        return _provider_page(request, business, provider, losing=lost, deactivating=True, status=409)
    undo = (_url("provider_activate", business, after.id), {"revision": after.revision})
    toast(request, _("%(name)s cannot be booked any more.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, _url("provider", business, after.id))


@requires(Permission.BOOKINGS)
@require_POST
def activate(request: Request, business: str, provider: str) -> HttpResponse:
    revision = required_revision(request)
    after = writing.activate(business, provider, revision=revision, command=command_of(request))
    undo = (_url("provider_deactivate", business, after.id), {"revision": after.revision})
    toast(request, _("%(name)s can be booked.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, _url("provider", business, after.id))


@requires(Permission.BOOKINGS)
@require_POST
def remove(request: Request, business: str, provider: str) -> HttpResponse:
    command = command_of(request)
    gone = writing.remove(business, provider, revision=required_revision(request), command=command)
    undo = (_url("provider_restore", business, provider), {"of": command.id})
    toast(request, _("%(name)s is deleted.") % {"name": gone.title if gone else provider}, undo=undo)
    return see_other(request, reverse(TAB, args=[business]))


@requires(Permission.BOOKINGS)
@require_POST
def restore(request: Request, business: str, provider: str) -> HttpResponse:
    of = undo_form(request)["of"]
    again = put_back(business, writing.KIND, provider, of=of, command=command_of(request))
    toast(request, _("%(name)s restored.") % {"name": again.title}, of=again)
    return see_other(request, _url("provider", business, provider))


def _url(route: str, business: str, provider: str) -> str:
    return reverse(route, args=[business, provider])

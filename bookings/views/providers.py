"""The list of staff members with who works today, and the page of each."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bookings.displaced_bookings import DisplacedBookings
from bookings.forms.providers import ProviderForm
from bookings.hours import WEEKDAYS, hours_of
from bookings.items import Availability, Provider
from bookings.permissions import Permission
from bookings.queries import providers as queries
from bookings.queries import services as catalog
from bookings.queries.history import history_of
from bookings.services import providers as services
from bookings.today import Today, today_of, weekdays_now
from bookings.views.hours import hour_ticks, week_lines
from bookings.views.shared import (
    accepted_bookings,
    displaced_lines,
    has_page,
    item_url,
    query_param,
    required_revision,
    respond_deleted,
    respond_restored,
    respond_saved,
    titles_of,
)
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import Page, gather, gather_all
from dashboard.web.commands import command_of
from dashboard.web.lists import list_page
from dashboard.web.locale import zone_label
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast

TAB = "providers"


@dataclass(frozen=True)
class ProviderRow:
    """A staff member in the list."""

    provider: Provider
    service_titles: list[str]
    today: Today
    # Empty where it is the time zone of the business.
    zone: str

    @property
    def is_linked(self) -> bool:
        return has_page(self.provider.id)


@requires(Permission.CATALOG)
@require_safe
def providers(request: Request, business: str) -> HttpResponse:
    q, moment = query_param(request), now()

    def load(start_key: Any) -> tuple[Page[ProviderRow], dict[str, Any]]:
        """Staff members, services and today's hours in one round trip, however many weekdays it is in the world."""
        days = [partial(queries.hours_on, business, day) for day in weekdays_now(moment)]
        reads: list[Any] = [partial(queries.providers_of, business, start_key), partial(catalog.services_of, business)]
        found, offered, *hours = gather_all([*reads, *days])
        availabilities: defaultdict[str, list[Availability]] = defaultdict(list)
        for each in (each for day in hours for each in day):
            availabilities[each.provider].append(each)
        titles, business_zone = titles_of(offered.items), request.business.timezone
        rows = []
        for each in queries.sort_by_name(queries.matching(found.items, q)):
            zone = each.zone(business_zone)
            service_titles = [titles[name] for name in each.service_ids if name in titles]
            other_zone = zone_label(zone.key) if zone != Provider().zone(business_zone) else ""
            rows.append(ProviderRow(each, service_titles, today_of(availabilities[each.id], zone, moment), other_zone))
        return found.with_rows(rows), {"q": q, "any": bool(found.items or start_key), "tab": TAB}

    return list_page(request, "bookings/providers.html", load, cursor_scope=(TAB, business), filters=("q",))


@requires(Permission.CATALOG)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    offered = catalog.sort_by_name(catalog.services_of(business).items)
    if request.method != "POST":
        zone = Provider().zone(request.business.timezone).key
        form = ProviderForm(initial={"timezone": zone}, offered=offered)
        return page(request, "bookings/provider_new.html", {"form": form, "tab": TAB})
    form = bind(request, ProviderForm, offered=offered)
    if not form.is_valid():
        return page(request, "bookings/provider_new.html", {"form": form, "tab": TAB}, status=422)
    created = services.create(business, form.values, command=command_of(request))
    undo = (item_url("provider_remove", business, created), {"revision": created.revision})
    toast(request, _("%(name)s added. Set their hours.") % {"name": created.title}, undo=undo, of=created)
    return see_other(request, item_url("provider_hours", business, created))


@requires(Permission.CATALOG)
@require_http_methods(["GET", "HEAD", "POST"])
def provider(request: Request, business: str, provider: str) -> HttpResponse:
    if request.method != "POST":
        return _provider_page(request, business, provider)
    zone = request.business.timezone
    current, offered = gather(
        partial(queries.load_provider, business, provider), partial(catalog.services_of, business)
    )
    form = bind(request, ProviderForm, item=current, offered=catalog.sort_by_name(offered.items))
    if not form.is_valid():
        return _provider_page(request, business, provider, form=form, status=422)
    try:
        saved = services.edit(
            business,
            provider,
            form.values,
            revision=form.revision,
            business_zone=zone,
            accepts=accepted_bookings(request),
            command=command_of(request),
        )
    except DisplacedBookings as error:
        displaced = displaced_lines(business, current, zone, error)
        return _provider_page(request, business, provider, form=form, displaced=displaced, status=409)
    return respond_saved(request, saved)


def _provider_page(
    request: Request,
    business: str,
    provider_id: str,
    *,
    form: ProviderForm | None = None,
    status: int = 200,
    **extra: Any,
) -> HttpResponse:
    current, hours, offered, entries, is_booked = gather(
        partial(queries.load_provider, business, provider_id),
        partial(queries.hours_of, business, provider_id),
        partial(catalog.services_of, business),
        partial(history_of, business, services.KIND, provider_id),
        partial(queries.is_booked, business, provider_id),
    )
    zone = current.zone(request.business.timezone)
    context = {
        "provider": current,
        "form": form or ProviderForm(item=current, offered=catalog.sort_by_name(offered.items)),
        "week": week_lines(hours_of(zone, hours).weekly),
        "hours_ticks": hour_ticks(),
        "today": today_of(hours, zone, now()),
        "zone": zone_label(zone.key),
        "weekday": WEEKDAYS[now().astimezone(zone).weekday()],
        "history": history_lines(entries),
        "is_booked": is_booked,
        "tab": TAB,
        **extra,
    }
    return page(request, "bookings/provider.html", context, status=status)


@requires(Permission.CATALOG)
@require_POST
def deactivate(request: Request, business: str, provider: str) -> HttpResponse:
    revision = required_revision(request)
    try:
        saved = services.deactivate(
            business, provider, revision=revision, accepts=accepted_bookings(request), command=command_of(request)
        )
    except DisplacedBookings as error:
        current = queries.load_provider(business, provider)
        displaced = displaced_lines(business, current, request.business.timezone, error)
        return _provider_page(request, business, provider, displaced=displaced, deactivating=True, status=409)
    undo = (item_url("provider_activate", business, saved), {"revision": saved.revision})
    toast(request, _("%(name)s deactivated.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, item_url("provider", business, saved))


@requires(Permission.CATALOG)
@require_POST
def activate(request: Request, business: str, provider: str) -> HttpResponse:
    revision = required_revision(request)
    saved = services.activate(business, provider, revision=revision, command=command_of(request))
    undo = (item_url("provider_deactivate", business, saved), {"revision": saved.revision})
    toast(request, _("%(name)s activated.") % {"name": saved.title}, undo=undo, of=saved)
    return see_other(request, item_url("provider", business, saved))


@requires(Permission.CATALOG)
@require_POST
def remove(request: Request, business: str, provider: str) -> HttpResponse:
    command = command_of(request)
    removed = services.remove(business, provider, revision=required_revision(request), command=command)
    return respond_deleted(request, business, services.KIND, provider, removed, command)


@requires(Permission.CATALOG)
@require_POST
def restore(request: Request, business: str, provider: str) -> HttpResponse:
    return respond_restored(request, business, services.KIND, provider)

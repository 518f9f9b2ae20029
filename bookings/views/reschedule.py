"""Move a booking to another time, another provider, or both."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from bookings.actions import RESCHEDULE
from bookings.errors import PossibleDuplicates, ServiceNotOffered, SlotTaken, StartNotBookable
from bookings.forms.bookings import MoveForm
from bookings.items import Booking, Provider
from bookings.params import MAX_ID, read_day
from bookings.permissions import Permission
from bookings.presenters import BookingLine, DisplayNames
from bookings.queries import bookings as queries
from bookings.queries import calendar as calendar_queries
from bookings.queries.providers import find_provider, providers_of, sort_by_name
from bookings.rules import step_of
from bookings.services import bookings as services
from bookings.slots import Rules, to_minutes
from bookings.start_options import StartOptions, start_text
from bookings.views.duplicates import describe_duplicates
from bookings.views.redirects import back_to, booking_path, slot_conflict_page, undo_form
from bookings.views.shared import titles_of
from bookings.views.unlisted import load_booking, offering_search
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.timestamps import to_wire
from dashboard.web.commands import command_of
from dashboard.web.forms import submitted_revision
from dashboard.web.locale import zone
from dashboard.web.pages import add_refusal, bind, page, safe_next, see_other
from dashboard.web.toasts import toast

TAB = "calendar"


@requires(Permission.BOOKINGS)
@require_http_methods(["GET", "HEAD", "POST"])
@offering_search
def reschedule(request: Request, business: str, booking: str) -> HttpResponse:
    if request.method != "POST":
        given = {name: request.GET.get(name, "")[:MAX_ID] for name in ("provider", "day", "start")}
        return _move_page(request, business, booking, MoveForm(initial=given))
    business_timezone = request.business.timezone
    # Without a provider, the booking stays with its own.
    provider_id = request.POST.get("provider", "").strip()[:MAX_ID] or queries.load_booking(business, booking).provider
    provider = find_provider(business, provider_id)
    provider_zone = provider.zone(business_timezone) if provider is not None else zone(business_timezone)
    form = bind(request, MoveForm, provider_zone=provider_zone)
    if not form.is_valid():
        return _move_page(request, business, booking, form, status=422)
    try:
        moved = _move(request, business, booking, provider_id, form)
    except (SlotTaken, StartNotBookable) as error:
        fields = {name: request.POST[name] for name in ("provider", "next") if name in request.POST}
        fields["revision"] = submitted_revision(request.POST)
        url = booking_path(business, booking, RESCHEDULE.path)
        line = BookingLine(queries.load_booking(business, booking), DisplayNames(), zone(business_timezone), now())
        return slot_conflict_page(request, business, error, url=url, fields=fields, line=line)
    except Conflict as error:
        raise _conflict_with_names(request, business, form, error) from error
    except ServiceNotOffered as error:
        return _not_offered_page(request, business, booking, provider_id, form, status=error.status)
    except PossibleDuplicates as error:
        duplicates = describe_duplicates(business, error, {}, zone(business_timezone))
        return _move_page(request, business, booking, form, status=error.status, duplicates=duplicates)
    except Refused as refusal:
        if refusal.field is None:
            raise
        add_refusal(form, refusal)
        return _move_page(request, business, booking, form, status=422)
    when = start_text(moved.start_time, provider_zone, zone(business_timezone)) if moved.start_time else ""
    text = str(RESCHEDULE.toast) % {"who": moved.title, "when": when}
    toast(request, text, undo=undo_form(business, moved, RESCHEDULE), of=moved)
    return see_other(request, back_to(request, business, moved))


def _move(request: Request, business: str, booking_id: str, provider: str, form: MoveForm) -> Booking:
    assert form.moment is not None
    return services.reschedule(
        business,
        booking_id,
        provider=provider,
        start=form.moment.utc,
        revision=form.cleaned_data["revision"],
        rules=moving_rules(request),
        accepts=form.cleaned_data["accepts"],
        command=command_of(request),
    )


def _not_offered_page(
    request: Request, business: str, booking_id: str, provider_id: str, form: MoveForm, *, status: int
) -> HttpResponse:
    """What the person can do instead: book another service, move it to someone who offers it, or leave it."""
    assert form.moment is not None
    found, providers, _answers = load_booking(request, business, booking_id)
    names, business_zone = DisplayNames.of((), providers), zone(request.business.timezone)
    target = {"start": to_wire(form.moment.utc), "day": form.moment.utc.astimezone(business_zone).date().isoformat()}
    move_url = booking_path(business, booking_id, RESCHEDULE.path)
    new_booking = target | {"provider": provider_id, "customer": found.customer_id or ""}
    context = {
        "line": BookingLine(found, names, business_zone, now()),
        "provider_name": names.provider(provider_id),
        "when": start_text(form.moment.utc, form.provider_zone, business_zone),
        "new_url": f"{reverse('booking_new', args=[business])}?{urlencode(new_booking)}",
        "move_url": f"{move_url}?{urlencode(target | {'provider': found.provider})}",
        "offering": [
            (each.title, f"{move_url}?{urlencode(target | {'provider': each.id})}")
            for each in _offering(providers, found)
        ],
        "back_url": back_to(request, business, found),
        "tab": TAB,
    }
    return page(request, "bookings/not_offered.html", context, status=status)


def _offering(providers: list[Provider], booking: Booking) -> list[Provider]:
    """The active providers who offer the booking's service."""
    active = [each for each in sort_by_name(providers) if each.is_active]
    return [each for each in active if (booking.service_id or "") in each.service_ids]


def _conflict_with_names(request: Request, business: str, form: MoveForm, error: Conflict) -> Conflict:
    """A colleague saved first: show both versions by name, or why the booking cannot be moved."""
    try:
        if isinstance(error.item, Booking):
            services.check_movable(error.item)
    except Refused as refusal:
        return Conflict(error.item, refusal.text)
    form.provider_names, form.business_zone = titles_of(providers_of(business).items), zone(request.business.timezone)
    return error


def moving_rules(request: Request) -> Rules:
    """Neither notice nor horizon applies to a move: it is agreed with the customer."""
    step = to_minutes(step_of(request.business))
    return Rules(now(), step=step) if step else Rules(now())


def _move_page(
    request: Request,
    business: str,
    booking_id: str,
    form: MoveForm,
    *,
    status: int = 200,
    duplicates: dict[str, Any] | None = None,
) -> HttpResponse:
    """The form with the free starts of the provider's day, in one trip."""
    given = {name: str(form[name].value() or "")[:MAX_ID] for name in form.fields}
    business_zone = zone(request.business.timezone)
    day = (
        read_day(given["day"])
        or read_day(given["start"] or given["start_at"])
        or now().astimezone(business_zone).date()
    )
    rules = moving_rules(request)
    reads = (
        calendar_queries.availability_reads(business, given["provider"], day, rules.earliest)
        if given["provider"]
        else []
    )
    found, providers, answers = load_booking(request, business, booking_id, *reads)
    availability = calendar_queries.availability_from(answers) if answers else None
    requested_start = given["start"] or given["start_at"]
    revision = submitted_revision(request.POST) if status != 200 else None
    context = {
        "booking": found,
        "line": BookingLine(found, DisplayNames.of((), providers), business_zone, now()),
        "can_move": RESCHEDULE.is_offered(found, now()),
        "form": form,
        "given": given,
        "revision": revision if revision is not None else found.revision,
        "providers": _offering(providers, found),
        "day": day,
        "options": StartOptions.of(availability, found.slot_length, rules, day, requested_start, found)
        if availability is not None
        else None,
        "duplicates": duplicates,
        "url": booking_path(business, booking_id, RESCHEDULE.path),
        "next": safe_next(request, booking_path(business, booking_id)),
        "tab": TAB,
    }
    return page(request, "bookings/booking_move.html", context, status=status)

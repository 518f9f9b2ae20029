"""Books what a visitor has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings

from bookings.errors import SlotTaken, StartNotBookable
from bookings.items import Booking, Customer, Provider, Service
from bookings.online.choices import Selection
from bookings.online.forms import ContactForm
from bookings.online.visits import Visit
from bookings.queries.customers import customers_by_email
from bookings.rules import CONFIRM_BY_EMAIL, rules_of
from bookings.services import bookings as services
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.core.names import unaccented
from dashboard.table.commands import Command
from dashboard.table.timestamps import to_wire

# How long a booking that a visitor has to confirm keeps its time.
HOLD = timedelta(minutes=30)


def book_with_anyone(path: str, visit: Visit, selection: Selection, form: ContactForm) -> Booking:
    """Book the first staff member who is free. If none is, raise the error of the first."""
    start = selection.start_in(visit.clock_zone)
    command = form.command(f"{path} {selection.service.id} {to_wire(start)}")
    refusal: SlotTaken | StartNotBookable | None = None
    for provider in selection.staff:
        try:
            return _create(visit, form, selection.service, provider, start, command)
        except (SlotTaken, StartNotBookable) as error:
            refusal = refusal or error
    assert refusal is not None
    raise refusal


def _create(
    visit: Visit, form: ContactForm, service: Service, provider: Provider, start: datetime, command: Command
) -> Booking:
    business, values = visit.business, form.customer_values
    known = _known_customer(business.id, values)
    must_confirm = business.online_confirmation == CONFIRM_BY_EMAIL
    # Without mail nobody could confirm it: the business does, without a deadline.
    lapses_at = _deadline(start) if must_confirm and settings.MAIL_IS_CONFIGURED else None
    return services.create(
        business.id,
        service.id,
        provider.id,
        start,
        known.id if known else "",
        lapses_at=lapses_at,
        status=Status.PENDING if must_confirm else Status.CONFIRMED,
        note=form.cleaned_data["note"],
        rules=rules_of(business, now()),
        new_customer=None if known else values,
        visitor=values["email"],
        command=command,
    )


def _deadline(start: datetime) -> datetime:
    """Until when the visitor can confirm. Nobody confirms a booking that has begun."""
    moment = now()
    return min(moment + HOLD, start) if start > moment else moment + HOLD


def _known_customer(business: str, values: Mapping[str, str]) -> Customer | None:
    """The customer with this e-mail. Of several, the one with the same name, or else the oldest."""
    known = customers_by_email(business, values["email"])
    same = [each for each in known if unaccented(each.name or "") == unaccented(values["name"])]
    return next(iter(same or known), None)

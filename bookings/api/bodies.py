"""The bodies of bookings and customers in answers and requests."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

import msgspec
from django.http import QueryDict

from bookings.forms.customers import CustomerForm
from bookings.items import Booking, Customer
from dashboard.core.clock import now
from dashboard.web.api.messages import Input, Message, Moment, described
from dashboard.web.api.problems import ApiError

# Without control characters; a note may have lines.
_LINE = r"^[^\u0000-\u001f\u007f]*$"
_LINES = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$"
Line = Annotated[str, msgspec.Meta(max_length=200, pattern=_LINE)]
Note = Annotated[str, msgspec.Meta(max_length=1000, pattern=_LINES)]


class BookingBody(Message):
    id: str
    status: Annotated[
        str,
        described(
            "As people see it: LAPSED where the deadline has passed, empty where an outside writer stored another."
        ),
    ]
    service_id: str | None
    service_name: str | None
    provider_id: str
    start: Moment | None
    end: Moment | None
    price: Decimal | None
    currency: str | None
    payment_status: str | None
    lapses_at: Annotated[Moment | None, described("The deadline of a booking that is not confirmed.")]
    cancel_reason: str | None
    customer_id: Annotated[
        str | msgspec.UnsetType | None, described("Missing in answers to public keys; the note also in lists.")
    ] = msgspec.UNSET
    customer_name: str | msgspec.UnsetType | None = msgspec.UNSET
    note: str | msgspec.UnsetType | None = msgspec.UNSET


class BookingPage(Message):
    bookings: list[BookingBody]
    next: str | None


def booking_body(booking: Booking, *, with_customer: bool = True) -> BookingBody:
    span = booking.span
    private: dict[str, str | None] = {}
    if with_customer:
        private = {"customer_id": booking.customer_id, "customer_name": booking.title}
        # Lists are read without notes.
        private |= {} if booking.partial else {"note": booking.note}
    return BookingBody(
        id=booking.id,
        status=booking.state(now()),
        service_id=booking.service_id,
        service_name=booking.service_name,
        provider_id=booking.provider,
        start=span.start if span else None,
        end=span.end if span else None,
        price=booking.price,
        currency=booking.currency,
        payment_status=booking.payment_status,
        lapses_at=booking.lapses_at,
        cancel_reason=booking.cancel_reason,
        **private,
    )


class CustomerInput(Input, frozen=True):
    """A customer as the form has it; the form's rules apply."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=_LINE)]
    email: Line = ""
    phone: Annotated[str, msgspec.Meta(max_length=40, pattern=_LINE)] = ""


class CustomerBody(Message):
    id: str
    name: str
    email: str | None
    phone: str | None
    created_at: Moment | None


class CustomerList(Message):
    customers: list[CustomerBody]
    next: str | None


def customer_body(customer: Customer) -> CustomerBody:
    return CustomerBody(customer.id, customer.title, customer.email, customer.phone, customer.created_at)


def customer_values(given: CustomerInput, *, item: Customer | None = None) -> dict[str, Any]:
    """The values to save, checked by the form that people use."""
    data = QueryDict(mutable=True)
    data.update({"name": given.name, "email": given.email, "phone": given.phone})
    if item is not None:
        data["revision"] = str(item.revision)
    form = CustomerForm(data, item=item)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise ApiError("invalid", " ".join(map(str, errors)), {"field": name})
    return form.values

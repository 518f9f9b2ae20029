"""Endpoints of customers."""

from __future__ import annotations

from typing import Annotated

import msgspec
from django.utils.translation import gettext_lazy as _

from bookings.api.bodies import (
    BookingPage,
    CustomerBody,
    CustomerInput,
    CustomerList,
    booking_body,
    customer_body,
    customer_values,
)
from bookings.items import Customer
from bookings.queries import customers as queries
from bookings.services import customers as services
from dashboard.platform.apikeys.calls import ApiCall
from dashboard.web.api.endpoints import Scope, endpoint
from dashboard.web.api.messages import PageQuery


class CustomersQuery(PageQuery, frozen=True):
    q: Annotated[str, msgspec.Meta(max_length=100, description="Words of the name, e-mail or phone.")] = ""


@endpoint("GET", "customers", scope=Scope.READ, summary=_("Customers, the newest first"))
def customers(call: ApiCall, query: CustomersQuery) -> CustomerList:
    start_key, words = call.start_key(query, query.q), query.q.strip()
    if words:
        # A search reads some hundred customers at a time, whatever the limit is.
        found = queries.search(call.tenant, words, start_key)
        return CustomerList([customer_body(each) for each in found.items], call.cursor(found.next_start_key, query.q))
    page = queries.customers_of(call.tenant, start_key, query.limit)
    return CustomerList([customer_body(each) for each in page.items], call.cursor(page.next_start_key, query.q))


@endpoint("GET", "customers/<str:customer>", scope=Scope.READ, has_etag=True, summary=_("A customer"))
def customer(call: ApiCall, customer: str) -> CustomerBody:
    return _answer(call, queries.load_customer(call.tenant, customer))


@endpoint(
    "GET", "customers/<str:customer>/bookings", scope=Scope.READ, summary=_("Bookings of a customer, the newest first")
)
def customer_bookings(call: ApiCall, customer: str, query: PageQuery) -> BookingPage:
    start_key = call.start_key(query, customer)
    found = queries.bookings_of_customer(call.tenant, customer, start_key, query.limit)
    return BookingPage([booking_body(each) for each in found.items], call.cursor(found.next_start_key, customer))


@endpoint("POST", "customers", scope=Scope.BOOK, status=201, has_etag=True, summary=_("Create a customer"))
def create_customer(call: ApiCall, body: CustomerInput) -> CustomerBody:
    return _answer(call, services.create(call.tenant, customer_values(body), command=call.command))


@endpoint(
    "PUT",
    "customers/<str:customer>",
    scope=Scope.BOOK,
    has_etag=True,
    needs_revision=True,
    cost=2,
    summary=_("Change a customer"),
)
def edit_customer(call: ApiCall, customer: str, body: CustomerInput) -> CustomerBody:
    current = queries.load_customer(call.tenant, customer)
    values = customer_values(body, item=current)
    return _answer(call, services.edit(call.tenant, customer, values, revision=call.revision, command=call.command))


def _answer(call: ApiCall, customer: Customer) -> CustomerBody:
    call.answer_revision = customer.revision
    return customer_body(customer)

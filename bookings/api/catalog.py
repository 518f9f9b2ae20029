"""Endpoints of services and staff members: what a booking page shows."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

import msgspec
from django.utils.translation import gettext_lazy as _

from bookings.items import Provider, Service
from bookings.queries import providers as provider_queries
from bookings.queries import services as service_queries
from dashboard.core.errors import NotFound
from dashboard.platform.apikeys.calls import ApiCall
from dashboard.web.api.endpoints import Scope, endpoint
from dashboard.web.api.messages import Message, PageQuery, described


class ServiceBody(Message):
    id: str
    name: str
    description: str | None
    category: str | None
    duration_minutes: Annotated[
        int | None, described("None: an outside writer stored no valid duration, and it cannot be booked.")
    ]
    price: Decimal | None
    currency: str | None


class ServicePage(Message):
    services: list[ServiceBody]
    next: str | None


class ProviderBody(Message):
    id: str
    name: str
    bio: str | None
    service_ids: list[str]
    timezone: str


class ProviderPage(Message):
    providers: list[ProviderBody]
    next: str | None


class ProvidersQuery(PageQuery, frozen=True):
    service: Annotated[str, msgspec.Meta(max_length=200, description="Only staff members who offer it.")] = ""


@endpoint("GET", "services", scope=Scope.READ, public_keys=True, summary=_("The services that can be booked"))
def services(call: ApiCall, query: PageQuery) -> ServicePage:
    found = service_queries.services_of(call.tenant, call.start_key(query), query.limit)
    active = [service_body(each) for each in found.items if each.is_active]
    return ServicePage(active, call.cursor(found.next_start_key))


@endpoint("GET", "services/<str:service>", scope=Scope.READ, public_keys=True, has_etag=True, summary=_("A service"))
def service(call: ApiCall, service: str) -> ServiceBody:
    found = service_queries.load_service(call.tenant, service)
    if not found.is_active:
        raise NotFound
    call.answer_revision = found.revision
    return service_body(found)


@endpoint("GET", "providers", scope=Scope.READ, public_keys=True, summary=_("The staff members who can be booked"))
def providers(call: ApiCall, query: ProvidersQuery) -> ProviderPage:
    start_key = call.start_key(query, query.service)
    found = provider_queries.providers_of(call.tenant, start_key, query.limit)
    active = [each for each in found.items if each.is_active]
    offering = [each for each in active if not query.service or query.service in each.service_ids]
    bodies = [provider_body(each, call.business.timezone) for each in offering]
    return ProviderPage(bodies, call.cursor(found.next_start_key, query.service))


@endpoint(
    "GET", "providers/<str:provider>", scope=Scope.READ, public_keys=True, has_etag=True, summary=_("A staff member")
)
def provider(call: ApiCall, provider: str) -> ProviderBody:
    found = provider_queries.load_provider(call.tenant, provider)
    if not found.is_active:
        raise NotFound
    call.answer_revision = found.revision
    return provider_body(found, call.business.timezone)


def service_body(service: Service) -> ServiceBody:
    return ServiceBody(
        id=service.id,
        name=service.title,
        description=service.description,
        category=service.category,
        duration_minutes=service.minutes if service.slot_length is not None else None,
        price=service.price,
        currency=service.currency,
    )


def provider_body(provider: Provider, business_zone: str | None) -> ProviderBody:
    return ProviderBody(
        id=provider.id,
        name=provider.title,
        bio=provider.bio,
        service_ids=provider.service_ids,
        timezone=provider.zone(business_zone).key,
    )

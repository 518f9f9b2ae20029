"""Reads a provider's hours from their page and from the table."""

from __future__ import annotations

from typing import Any

from django.test import Client

from bookings.items import Provider
from bookings.queries import providers as queries
from tests.bookings.catalog import BUSINESS, PROVIDERS, raw_at
from tests.ui.html import Element, Form, form_to


def url_of(provider_id: str) -> str:
    return f"{PROVIDERS}{provider_id}/hours/"


def open_form(client: Client, provider_id: str) -> Form:
    return form_to(client.get(url_of(provider_id)), url_of(provider_id))


def button(form: Form, wanted: str) -> Element:
    return next(each for each in form.buttons if each.attrs.get("value") == wanted)


def reloaded(provider_id: str) -> Provider:
    return queries.load_provider(BUSINESS, provider_id)


def weekday_raw(provider_id: str, weekday: str) -> dict[str, Any]:
    return raw_at(f"TENANT#{BUSINESS}#PROVIDER#{provider_id}", f"AVAILABILITY#{weekday}")

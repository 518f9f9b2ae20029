"""Where a business stands in an address: `/b/<business>/…`."""

from __future__ import annotations

import re

from django.urls import NoReverseMatch, reverse

# Ours are `[a-z0-9-]+`; other services have written dots and underscores.
BUSINESS = r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}"
_INSIDE = re.compile(rf"/b/({BUSINESS})/")


class BusinessConverter:
    """The id of a business in a path."""

    regex = BUSINESS

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def entrance(business: str | None) -> str:
    """Where a business begins; empty for an id of another service that no address can hold."""
    try:
        return reverse("business", args=[business])
    except NoReverseMatch:
        return ""


def business_in(path: str) -> str:
    """The business an address is inside of; empty where it is in none."""
    match = _INSIDE.match(path)
    return match[1] if match else ""

"""The business in a path: `/b/<business>/…`."""

from __future__ import annotations

import re

from django.urls import NoReverseMatch, reverse

# Our ids are `[a-z0-9-]+`; ids of outside writers also have capitals, dots and underscores.
BUSINESS = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}"
_INSIDE = re.compile(rf"/b/({BUSINESS})/")


class BusinessConverter:
    """The id of a business in a path."""

    regex = BUSINESS

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def business_url(business: str | None) -> str:
    """The overview page of a business; empty for an id that no URL can contain."""
    try:
        return reverse("business", args=[business])
    except NoReverseMatch:
        return ""


def business_in_path(path: str) -> str:
    """The business in a path; empty for a path outside a business."""
    match = _INSIDE.match(path)
    return match[1] if match else ""

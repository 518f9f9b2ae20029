"""How a file is named in an address."""

from __future__ import annotations

from django.urls import NoReverseMatch, reverse
from django.urls.converters import StringConverter


class AssetConverter(StringConverter):
    """Ours are `<business>-<32 hex digits>`; other services have others. Bounded, so that a key always holds it."""

    regex = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}"


def file_url(asset: str) -> str:
    """Where a file's picture is served; empty for an id of another service that no address can hold."""
    try:
        return reverse("brand_file", args=[asset])
    except NoReverseMatch:
        return ""

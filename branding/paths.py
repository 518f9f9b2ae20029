"""How files, scheduled publications and links are named in an address."""

from __future__ import annotations

from django.urls import NoReverseMatch, reverse
from django.urls.converters import StringConverter

from dashboard.platform.businesses.paths import BUSINESS

# The letters of a link's secret: 160 bits.
SECRET = 40


class AssetConverter(StringConverter):
    """Ours are `<business>-<32 hex digits>`; other services have others. Bounded, so that a key always holds it."""

    regex = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}"


def file_url(asset: str) -> str:
    """Where a file's picture is served; empty for an id of another service that no address can hold."""
    try:
        return reverse("brand_file", args=[asset])
    except NoReverseMatch:
        return ""


class ScheduleConverter(StringConverter):
    """When and which: the two parts of a scheduled publication's key, with a `_` between them."""

    regex = "[^/#_]{1,64}_[0-9]{1,8}"


class ShareConverter(StringConverter):
    """A link, by the hash of its secret."""

    regex = "[0-9a-f]{64}"


class SharedConverter(StringConverter):
    """What a link holds: business, version and secret. Ids of businesses may have dots, the rest has none."""

    regex = rf"{BUSINESS}\.[0-9]{{1,8}}\.[0-9a-f]{{{SECRET}}}"

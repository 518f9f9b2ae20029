"""URL converters for files, schedules and share links."""

from __future__ import annotations

from django.urls import NoReverseMatch, reverse
from django.urls.converters import StringConverter

from dashboard.platform.businesses.paths import BUSINESS

# The number of hex digits of a link's secret: 160 bits.
SECRET_LENGTH = 40


class AssetConverter(StringConverter):
    """Our ids are `<business>-<32 hex digits>`; outside writers have others. Limited to what a key can hold."""

    regex = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}"


def file_url(asset: str) -> str:
    """The public URL of a file; empty for an id of an outside writer that no URL can hold."""
    try:
        return reverse("brand_file", args=[asset])
    except NoReverseMatch:
        return ""


def asset_url(business: str, asset: str) -> str:
    """The page of a file; empty for an id of an outside writer that no URL can hold."""
    try:
        return reverse("asset", args=[business, asset])
    except NoReverseMatch:
        return ""


def outside_picture_url(business: str, asset: str) -> str:
    """The picture of a file in another bucket; empty for an id of an outside writer that no URL can hold."""
    try:
        return reverse("outside_picture", args=[business, asset])
    except NoReverseMatch:
        return ""


class ScheduleConverter(StringConverter):
    """The time and the version of a scheduled publication's key, joined by `_`."""

    regex = "[^/#_]{1,64}_[0-9]{1,8}"


class ShareConverter(StringConverter):
    """The hash of a share link's secret."""

    regex = "[0-9a-f]{64}"


class SharedConverter(StringConverter):
    """The token of a share link: business, version and secret. Only ids of businesses may contain dots."""

    regex = rf"{BUSINESS}\.[0-9]{{1,8}}\.[0-9a-f]{{{SECRET_LENGTH}}}"

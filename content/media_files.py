"""The files of media that people upload here. They are public, because the pages of a site show them.

Their names follow from their content, so the same picture is stored once and an address never changes what it shows.
"""

from __future__ import annotations

import re

from django.conf import settings
from django.urls import reverse

from branding.public import Picture
from content.files import put_file, read_file

FOLDER = "site-media"
# The name of a file, and of its thumbnail.
NAME = r"[0-9a-f]{64}(?:\.thumb)?\.(?:png|jpg)"
_KEY = re.compile(rf"{FOLDER}/(?P<business>[^/]+)/(?P<stem>[0-9a-f]{{64}})\.(?P<extension>png|jpg)")
TYPES = {"png": "image/png", "jpg": "image/jpeg"}


def key_of(business: str, name: str) -> str:
    return f"{FOLDER}/{business}/{name}"


def name_of(picture: Picture) -> str:
    return f"{picture.source}.{picture.extension}"


def thumbnail_of(name: str) -> str:
    stem, _dot, extension = name.rpartition(".")
    return f"{stem}.thumb.{extension}"


def store(business: str, picture: Picture) -> str:
    """Store a picture and its thumbnail; returns its key."""
    name = name_of(picture)
    put_file(key_of(business, name), picture.content)
    put_file(key_of(business, thumbnail_of(name)), picture.thumbnail)
    return key_of(business, name)


def read(business: str, name: str) -> bytes | None:
    return read_file(key_of(business, name))


def address_of(business: str, name: str) -> str:
    """The address of a file for pages of the site, which are on another host."""
    return f"{settings.SITE_URL}{path_of(business, name)}"


def path_of(business: str, name: str) -> str:
    return reverse("site_media", args=[business, name])


def path_of_key(business: str, key: str | None) -> str:
    """The path of a file that was uploaded here; empty for any other file."""
    name = _own_name(business, key)
    return path_of(business, name) if name else ""


def thumbnail_path(business: str, key: str | None) -> str:
    name = _own_name(business, key)
    return path_of(business, thumbnail_of(name)) if name else ""


def _own_name(business: str, key: str | None) -> str:
    found = _KEY.fullmatch(key or "")
    return f"{found['stem']}.{found['extension']}" if found and found["business"] == business else ""

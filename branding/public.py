"""The public interface of branding for other apps."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass

from PIL import Image, features

from branding.file_types import is_picture
from branding.forms.assets import clean_file_name
from branding.images import MAX_BYTES as MAX_PICTURE_BYTES
from branding.images import MAX_PIXELS, MAX_SIDE, BadPicture, read
from branding.items import AssetRole
from branding.paths import file_url
from branding.queries.version_list import versions
from branding.services import assets
from dashboard.core.errors import Refused
from dashboard.table.commands import Command

__all__ = ["MAX_PICTURE_BYTES", "StoredPicture", "ThemeChoice", "picture_type", "store_picture", "theme_choices"]

logger = logging.getLogger("trastienda.images")

_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
# A JPEG with more than one picture, from some phones.
_JPEG_SERIES = "MPO"
_AVIF_BRANDS = (b"avif", b"avis")
if features.check("avif"):
    _TYPES["AVIF"] = "image/avif"


def picture_type(content: bytes) -> str:
    """The content type of a picture that a browser can show, from its content; empty for everything else.

    Only the header is read: no pixel is decoded. A picture with too many pixels is not recognised.
    """
    if not is_picture(content) and not _is_avif(content):
        return ""
    try:
        with Image.open(io.BytesIO(content), formats=list(_TYPES)) as image:
            width, height = image.size
            found = _TYPES["JPEG"] if image.format == _JPEG_SERIES else _TYPES.get(image.format or "", "")
    except Exception as error:
        # Decoders raise many kinds of errors; all of them mean a damaged file.
        logger.info("a picture could not be recognised", extra={"reason": type(error).__name__})
        return ""
    return found if width * height <= MAX_PIXELS and max(width, height) <= MAX_SIDE else ""


def _is_avif(content: bytes) -> bool:
    return "AVIF" in _TYPES and content[4:8] == b"ftyp" and content[8:12] in _AVIF_BRANDS


@dataclass(frozen=True)
class ThemeChoice:
    """A version of a theme in which another app can preview something. Its stylesheet is at the URL `theme_css`."""

    number: int
    title: str


def theme_choices(business: str) -> list[ThemeChoice]:
    """The newest versions, in one round trip."""
    return [ThemeChoice(theme.number, theme.title) for theme in versions(business).items]


@dataclass(frozen=True)
class StoredPicture:
    """A picture among the files of a business. `path` is its public address on this host."""

    path: str
    name: str


def store_picture(business: str, content: bytes, name: str | None, *, command: Command) -> StoredPicture:
    """Decode and store a picture as the files of brands are; raise Refused with the reason if it is not valid."""
    try:
        picture = read(content, AssetRole.BANNER)
    except BadPicture as bad:
        raise Refused(str(bad.text), "file") from bad
    asset = assets.upload(
        business,
        picture,
        name=clean_file_name(name),
        role=AssetRole.BANNER,
        command=command.part(picture.source),
    )
    return StoredPicture(file_url(asset.id), asset.title)

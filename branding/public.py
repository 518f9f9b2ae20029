"""The public interface of branding for other apps."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass
from typing import Any

from PIL import Image, features

from branding import images
from branding.file_types import is_picture
from branding.forms.assets import ACCEPTED, HELP, PicturesField, PicturesInput, clean_file_name
from branding.images import MAX_BYTES, MAX_PIXELS, MAX_SIDE, BadPicture, Picture
from branding.items import AssetRole
from branding.queries.version_list import versions

__all__ = [
    "MAX_BYTES",
    "BadPicture",
    "Picture",
    "PicturesField",
    "ThemeChoice",
    "clean_file_name",
    "picture_type",
    "pictures_field",
    "read_picture",
    "theme_choices",
]

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


def read_picture(content: bytes) -> Picture:
    """Decode a picture for a page and encode it again; raise `BadPicture` if it is refused."""
    return images.read(content, AssetRole.BANNER)


def pictures_field(label: Any) -> PicturesField:
    """The field of a form that sends one or several pictures."""
    widget = PicturesInput(attrs={"accept": ACCEPTED, "multiple": True})
    return PicturesField(label=label, allow_empty_file=True, help_text=HELP, widget=widget)


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

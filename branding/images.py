"""A file that someone sent becomes a picture: decoded, turned upright, scaled, and written anew without anything else.

PNG where something shines through or the source had sharp edges (PNG, GIF), else JPEG: both are shown by every
browser, app and mail program, which cannot be said of WebP. Nothing of the file but its pixels is kept.
"""

from __future__ import annotations

import hashlib
import io
import logging
import threading
import warnings
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageCms, ImageOps

from branding.file_types import is_picture, is_something_else_too, what_it_is
from branding.items import Role

logger = logging.getLogger("trastienda.images")

MAX_BYTES = 5 * 1024 * 1024
# A photo of today's phones has 24 and a bit.
MAX_PIXELS = 25_000_000
MAX_SIDE = 16_384
THUMBNAIL = 320
# The longer side of what is stored. Twice what screens show, and no more than that.
LARGEST = {Role.LOGO: 1024, Role.BANNER: 2560, Role.ICON: 512}
# An opaque PNG of more than this is a photo.
_PHOTO = 1024 * 1024
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_SHARP = {"PNG", "GIF"}
_MAX_PROFILE = 2 * 1024 * 1024
_SRGB = ImageCms.createProfile("sRGB")

# Pillow's own guard, below the header check of ours.
Image.MAX_IMAGE_PIXELS = MAX_PIXELS
warnings.simplefilter("error", Image.DecompressionBombWarning)
# The largest picture takes 100 MB while it is worked on, and a few copies of it: one at a time is enough.
_one_at_a_time = threading.Lock()


class BadPicture(Exception):
    """A file that is not taken, and why, in words for whoever sent it."""

    def __init__(self, text: str | Promise) -> None:
        self.text = text
        super().__init__(str(text))


@dataclass(frozen=True)
class Picture:
    """A picture as it is stored."""

    # Of the file as it was sent: the same file is the same asset.
    source: str
    content: bytes
    thumbnail: bytes
    content_type: str
    width: int
    height: int
    # The source moved; only its first picture is kept.
    was_animated: bool = False

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def extension(self) -> str:
        return "png" if self.content_type == "image/png" else "jpg"


def read(content: bytes, role: Role) -> Picture:
    """The picture in a file; `BadPicture` says why there is none that could be taken."""
    if not content:
        raise BadPicture(_("This file is empty."))
    if len(content) > MAX_BYTES:
        raise BadPicture(_("This file is larger than 5 MB. Save it smaller, or as JPEG."))
    if not is_picture(content):
        raise BadPicture(what_it_is(content))
    if is_something_else_too(content):
        raise BadPicture(_("This file is a picture and something else at once. Export the picture again."))
    with _one_at_a_time:
        try:
            return _read(content, role)
        except BadPicture:
            raise
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise _too_many_pixels() from error
        except Exception as error:
            # Decoders fail in a dozen ways, and each of them says the same about the file.
            logger.info("a picture could not be decoded", extra={"reason": type(error).__name__})
            text = _("This picture is damaged or was not sent whole. Export it again.")
            raise BadPicture(text) from error


def _too_many_pixels() -> BadPicture:
    return BadPicture(_("This picture has more than 25 million pixels. Scale it down first."))


def _read(content: bytes, role: Role) -> Picture:
    largest = LARGEST[role]
    with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
        _check_size(image)
        was_animated = getattr(image, "is_animated", False) and image.format != "MPO"
        sharp = image.format in _SHARP
        # A JPEG is decoded at about the size it is wanted at.
        image.draft(None, (largest * 2, largest * 2))
        image.load()
        _check_size(image)
        with suppress(Exception):  # A note about the picture that makes no sense leaves it as it is.
            ImageOps.exif_transpose(image, in_place=True)
        picture = _plain(image)
    picture.thumbnail((largest, largest), Image.Resampling.LANCZOS, reducing_gap=3.0)
    thumbnail = picture.copy()
    thumbnail.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.LANCZOS)
    as_png = picture.mode == "RGBA" or sharp
    written = _written(picture, as_png, role)
    if as_png and picture.mode == "RGB" and len(written) > _PHOTO:
        as_png, written = False, _written(picture, False, role)
    return Picture(
        source=hashlib.sha256(content).hexdigest(),
        content=written,
        thumbnail=_written(thumbnail, as_png, role),
        content_type="image/png" if as_png else "image/jpeg",
        width=picture.width,
        height=picture.height,
        was_animated=was_animated,
    )


def _check_size(image: Image.Image) -> None:
    """By the header, before a pixel is decoded; and again after, should a decoder have thought otherwise."""
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise _too_many_pixels()
    if max(width, height) > MAX_SIDE:
        raise BadPicture(_("One side of this picture is longer than 16,384 pixels. Scale it down first."))


def _plain(image: Image.Image) -> Image.Image:
    """Eight bits of red, green and blue, as screens have them; transparency only where something shines through."""
    profile = image.info.get("icc_profile")
    sees_through = image.has_transparency_data
    if image.mode.startswith("I") or image.mode == "F":
        # Sixteen bits of grey: Pillow would cut off, not scale.
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
        profile = None
    # Asked first: converting to what it is already would make another copy of a hundred megabytes.
    if sees_through and image.mode != "RGBA":
        image = image.convert("RGBA")
    elif not sees_through and image.mode not in {"RGB", "CMYK"}:
        image = image.convert("RGB")
    image = _in_srgb(image, profile)
    if image.mode == "CMYK":
        image = image.convert("RGB")
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    image.info = {}
    return image


def _in_srgb(image: Image.Image, profile: Any) -> Image.Image:
    """Colours as the file means them: the profile that says so is not kept. A profile that is none says nothing."""
    if not isinstance(profile, bytes) or not profile or len(profile) > _MAX_PROFILE:
        return image
    with suppress(ImageCms.PyCMSError, OSError, ValueError, TypeError):
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        moved = ImageCms.profileToProfile(image, source, _SRGB, outputMode=mode)
        return moved or image
    return image


def _written(image: Image.Image, as_png: bool, role: Role) -> bytes:
    """The same bytes for the same pixels."""
    out = io.BytesIO()
    if as_png:
        image.save(out, "PNG", optimize=max(image.size) <= LARGEST[Role.LOGO])
    else:
        # Letters and edges keep their colours; a photo does without.
        subsampling = 2 if role == Role.BANNER else 0
        image.save(out, "JPEG", quality=86, optimize=True, progressive=True, subsampling=subsampling)
    return out.getvalue()

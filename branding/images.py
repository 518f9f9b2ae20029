"""Decode an uploaded file, rotate it upright, scale it and encode it again: only its pixels are kept.

The result is PNG for transparency or sharp edges (PNG, GIF), else JPEG. Every browser, app and mail program supports
both, unlike WebP.
"""

from __future__ import annotations

import hashlib
import io
import logging
import threading
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageCms, ImageOps

from branding.file_types import describe_unsupported, is_picture, is_polyglot
from branding.items import AssetRole
from branding.logo_contrast import visible_colors

logger = logging.getLogger("trastienda.images")

MAX_BYTES = 5 * 1024 * 1024
# A photo of a current phone has about 24 million.
MAX_PIXELS = 25_000_000
MAX_SIDE = 16_384
THUMBNAIL = 320
# The longer side of the stored picture: twice its size on screens.
MAX_STORED_SIDE = {AssetRole.LOGO: 1024, AssetRole.BANNER: 2560, AssetRole.ICON: 512}
# An opaque PNG larger than this is a photo.
_PHOTO = 1024 * 1024
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_SHARP = {"PNG", "GIF"}
_MAX_PROFILE = 2 * 1024 * 1024
_SRGB = ImageCms.createProfile("sRGB")

# Pillow's own limit, in addition to our check of the header.
Image.MAX_IMAGE_PIXELS = MAX_PIXELS
warnings.simplefilter("error", Image.DecompressionBombWarning)
# The largest picture takes 100 MB and several copies of that, so only one is decoded at a time.
_decode_lock = threading.Lock()


class BadPicture(Exception):
    """A file is refused, with the reason as a text for the person."""

    def __init__(self, text: str | Promise) -> None:
        self.text = text
        super().__init__(str(text))


@dataclass(frozen=True)
class Picture:
    """A picture ready to be stored."""

    # The hash of the uploaded file: the same file is the same asset.
    source: str
    content: bytes
    thumbnail: bytes
    content_type: str
    width: int
    height: int
    # Only the first frame of an animation is kept.
    was_animated: bool = False
    # The main colours with their shares in percent, if the picture is transparent.
    colors: dict[str, int] = field(default_factory=dict)

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def extension(self) -> str:
        return "png" if self.content_type == "image/png" else "jpg"


def read(content: bytes, role: AssetRole) -> Picture:
    """Decode a file; raise `BadPicture` if it is refused."""
    if not content:
        raise BadPicture(_("This file is empty."))
    if len(content) > MAX_BYTES:
        raise BadPicture(_("This file is larger than 5 MB. Reduce its size or export it as JPEG."))
    if not is_picture(content):
        raise BadPicture(describe_unsupported(content))
    if is_polyglot(content):
        raise BadPicture(_("This file contains more than a picture. Export the picture again."))
    with _decode_lock:
        try:
            return _read(content, role)
        except BadPicture:
            raise
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise _too_many_pixels() from error
        except Exception as error:
            # Decoders raise many kinds of errors; all of them mean a damaged file.
            logger.info("a picture could not be decoded", extra={"reason": type(error).__name__})
            text = _("This picture is damaged or incomplete. Export it again.")
            raise BadPicture(text) from error


def _too_many_pixels() -> BadPicture:
    return BadPicture(_("This picture has more than 25 megapixels. Scale it down first."))


def _read(content: bytes, role: AssetRole) -> Picture:
    largest = MAX_STORED_SIDE[role]
    with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
        _check_size(image)
        was_animated = getattr(image, "is_animated", False) and image.format != "MPO"
        sharp = image.format in _SHARP
        # A JPEG is decoded at about the size that is needed.
        image.draft(None, (largest * 2, largest * 2))
        image.load()
        _check_size(image)
        with suppress(Exception):  # Invalid EXIF data is ignored.
            ImageOps.exif_transpose(image, in_place=True)
        picture = _normalise(image)
    picture.thumbnail((largest, largest), Image.Resampling.LANCZOS, reducing_gap=3.0)
    thumbnail = picture.copy()
    thumbnail.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.LANCZOS)
    as_png = picture.mode == "RGBA" or sharp
    encoded = _encode(picture, as_png, role)
    if as_png and picture.mode == "RGB" and len(encoded) > _PHOTO:
        as_png, encoded = False, _encode(picture, False, role)
    return Picture(
        source=hashlib.sha256(content).hexdigest(),
        content=encoded,
        thumbnail=_encode(thumbnail, as_png, role),
        content_type="image/png" if as_png else "image/jpeg",
        width=picture.width,
        height=picture.height,
        was_animated=was_animated,
        colors=visible_colors(picture),
    )


def _check_size(image: Image.Image) -> None:
    """Called with the size in the header, and again after decoding."""
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise _too_many_pixels()
    if max(width, height) > MAX_SIDE:
        raise BadPicture(_("One side of this picture is longer than 16,384 pixels. Scale it down first."))


def _normalise(image: Image.Image) -> Image.Image:
    """Convert to 8-bit sRGB, with an alpha channel only if a pixel is transparent."""
    profile = image.info.get("icc_profile")
    has_transparency = image.has_transparency_data
    if image.mode.startswith("I") or image.mode == "F":
        # 16-bit grey: Pillow would clip the values instead of scaling them.
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
        profile = None
    # Converting to the same mode would make another copy of up to 100 MB.
    if has_transparency and image.mode != "RGBA":
        image = image.convert("RGBA")
    elif not has_transparency and image.mode not in {"RGB", "CMYK"}:
        image = image.convert("RGB")
    image = _to_srgb(image, profile)
    if image.mode == "CMYK":
        image = image.convert("RGB")
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    image.info = {}
    return image


def _to_srgb(image: Image.Image, profile: Any) -> Image.Image:
    """Apply the colour profile, which is not kept. An invalid one is ignored."""
    if not isinstance(profile, bytes) or not profile or len(profile) > _MAX_PROFILE:
        return image
    with suppress(ImageCms.PyCMSError, OSError, ValueError, TypeError):
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        converted = ImageCms.profileToProfile(image, source, _SRGB, outputMode=mode)
        return converted or image
    return image


def _encode(image: Image.Image, as_png: bool, role: AssetRole) -> bytes:
    """The same pixels give the same bytes."""
    out = io.BytesIO()
    if as_png:
        image.save(out, "PNG", optimize=max(image.size) <= MAX_STORED_SIDE[AssetRole.LOGO])
    else:
        # Logos and icons keep full colour resolution at edges; photos do not need it.
        subsampling = 2 if role == AssetRole.BANNER else 0
        image.save(out, "JPEG", quality=86, optimize=True, progressive=True, subsampling=subsampling)
    return out.getvalue()

"""Pictures, made as they are needed."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image, ImageCms

from branding import images
from branding.images import Picture
from branding.items import Asset, Role
from branding.services import assets
from dashboard.table.commands import new_command
from tests.conftest import ACTOR

FOLDER = "branding.storage.Folder"


def encoded(image: Image.Image, format: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, format, **options)
    return out.getvalue()


def png(number: int = 0, size: tuple[int, int] = (64, 48)) -> bytes:
    """A small picture; another number is another file."""
    return encoded(Image.new("RGBA", size, (number % 256, number // 256 % 256, 7, 120)))


def photo(size: tuple[int, int] = (640, 480), **options: Any) -> bytes:
    """One that does not shrink to nothing."""
    return encoded(Image.effect_noise(size, 80).convert("RGB"), "JPEG", **options)


def decoded(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def picture(number: int = 0, role: Role = Role.LOGO) -> Picture:
    return images.read(png(number), role)


def stored(business: str = "andina", number: int = 0, role: Role = Role.LOGO, name: str = "") -> Asset:
    """A file that a business has."""
    shown = name or f"{role}-{number}.png"
    return assets.upload(business, picture(number, role), name=shown, role=role, command=new_command(ACTOR))


def srgb_profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_saying(width: int, height: int, rows: bytes = b"") -> bytes:
    """A PNG whose header says so, whatever it holds."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")

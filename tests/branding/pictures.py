"""Images for the tests, generated when they are needed."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image, ImageCms, ImageDraw

from branding import images
from branding.images import Picture
from branding.items import Asset, AssetRole
from branding.services import assets
from dashboard.table.commands import new_command
from tests.conftest import ACTOR

FOLDER = "branding.storage.Folder"


def encode(image: Image.Image, format: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, format, **options)
    return out.getvalue()


def png(number: int = 0, size: tuple[int, int] = (64, 48)) -> bytes:
    """A small picture; each number gives a different file."""
    return encode(Image.new("RGBA", size, (number % 256, number // 256 % 256, 7, 120)))


def draw_logo(color: str, second: str = "", *, background: str = "#00000000") -> Image.Image:
    """A disc and a rectangle, on a transparent background."""
    image = Image.new("RGBA", (120, 60), background)
    draw = ImageDraw.Draw(image)
    draw.ellipse((10, 5, 60, 55), fill=color)
    draw.rectangle((70, 20, 110, 40), fill=second or color)
    return image


def photo(size: tuple[int, int] = (640, 480), **options: Any) -> bytes:
    """A noisy picture, so that compression does not make it tiny."""
    return encode(Image.effect_noise(size, 80).convert("RGB"), "JPEG", **options)


def decode(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def make_picture(number: int = 0, role: AssetRole = AssetRole.LOGO) -> Picture:
    return images.read(png(number), role)


def upload_asset(business: str = "andina", number: int = 0, role: AssetRole = AssetRole.LOGO, name: str = "") -> Asset:
    """Upload a picture as a file of the business."""
    file_name = name or f"{role}-{number}.png"
    return assets.upload(business, make_picture(number, role), name=file_name, role=role, command=new_command(ACTOR))


def srgb_profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_with_size(width: int, height: int, rows: bytes = b"") -> bytes:
    """A PNG whose header declares this size, whatever its pixel data is."""
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + png_chunk(b"IDAT", zlib.compress(rows, 9)) + png_chunk(b"IEND", b"")

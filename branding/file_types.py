"""Detect the type of a file from its content. Its name and declared type are ignored."""

from __future__ import annotations

import re

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# How many bytes are read to detect the type.
_HEAD = 4096
# PDF readers look for their signature in the first kilobyte, ZIP readers in the last 64.
_PDF_WITHIN = 1024
_ZIP_WITHIN = 65_557
_PADDING = b"\x00\r\n\t "

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_SVG = re.compile(rb"<svg[\s>/]", re.IGNORECASE)
_MARKUP = re.compile(rb"\s*<(?:!doctype|html|head|body|script|\?xml|!--)", re.IGNORECASE)
# Long enough not to occur by chance in compressed data.
_SCRIPT = re.compile(rb"<script|<!doctype html|<html[\s>]|<iframe|<svg\s|<\?php|javascript:", re.IGNORECASE)

_USE = _("Use a PNG, JPEG, WebP or GIF file.")
_UNSUPPORTED: tuple[tuple[re.Pattern[bytes], Promise], ...] = (
    (re.compile(rb"%PDF-"), _("This is a PDF. Export the picture as PNG or JPEG.")),
    (re.compile(rb"....ftyp(?:hei|hev|mif|msf)", re.DOTALL), _("This is a HEIC photo. Export it as JPEG first.")),
    (re.compile(rb"....ftypavi", re.DOTALL), _("This is an AVIF picture. Export it as PNG, JPEG or WebP first.")),
    (re.compile(rb"....ftyp", re.DOTALL), _("This is a video. Choose a picture.")),
    (re.compile(rb"II\*\x00|MM\x00\*"), _("This is a TIFF picture. Export it as PNG or JPEG first.")),
    (re.compile(rb"BM"), _("This is a bitmap (BMP). Export it as PNG or JPEG first.")),
    (re.compile(rb"\x00\x00\x01\x00"), _("This is an ICO file. Export it as PNG first.")),
    (re.compile(rb"8BPS|%!PS"), _("This is a design file. Export the picture as PNG or JPEG.")),
    (re.compile(rb"PK\x03\x04"), _("This is an archive or a document. Choose the picture itself.")),
)


def is_picture(content: bytes) -> bool:
    """Whether it begins like one of the four supported formats."""
    is_webp = content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    return content.startswith((_PNG, _JPEG, b"GIF87a", b"GIF89a")) or is_webp


def describe_unsupported(content: bytes) -> str | Promise:
    """The type of an unsupported file, and how to convert it."""
    head = content[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    text = head.decode("utf-16", "ignore").encode() if head[:2] in (b"\xff\xfe", b"\xfe\xff") else head
    if _SVG.search(text):
        return _("SVG files are not supported because they can contain scripts. Export it as PNG at twice the size.")
    if _MARKUP.match(text):
        return _("This is a web page, not a picture. %(use)s") % {"use": _USE}
    found = next((text for signature, text in _UNSUPPORTED if signature.match(head)), None)
    return found or _("This file type is not supported. %(use)s") % {"use": _USE}


def is_polyglot(content: bytes) -> bool:
    """Whether a picture is also a page, a script, a document or an archive.

    Encoding it again would remove that, but such a file is never an accident.
    """
    if b"%PDF-" in content[:_PDF_WITHIN] or b"PK\x05\x06" in content[-_ZIP_WITHIN:]:
        return True
    return _SCRIPT.search(content) is not None or _has_trailing_data(content)


def _has_trailing_data(content: bytes) -> bool:
    """Whether data follows the end of the picture. Phones append videos and depth maps to JPEGs: that is allowed."""
    if content.startswith(_PNG):
        end = _end_of_png(content)
    elif content.startswith(b"RIFF"):
        size = int.from_bytes(content[4:8], "little")
        end = 8 + size + size % 2
    elif content.startswith(b"GIF8"):
        end = _end_of_gif(content)
    else:
        return False
    return end is not None and bool(content[end:].strip(_PADDING))


def _end_of_png(content: bytes) -> int | None:
    at = len(_PNG)
    while at + 8 <= len(content):
        kind = content[at + 4 : at + 8]
        at += 12 + int.from_bytes(content[at : at + 4], "big")
        if kind == b"IEND":
            return at
    return None


def _end_of_gif(content: bytes) -> int | None:
    """The end of the last block; None if the file is damaged, which the decoder reports."""
    if len(content) < 13:
        return None
    at = 13 + _palette_size(content[10])
    while at < len(content):
        mark = content[at]
        if mark == 0x3B:
            return at + 1
        if mark == 0x21:
            at += 2
        elif mark == 0x2C and at + 9 < len(content):
            at += 11 + _palette_size(content[at + 9])
        else:
            return None
        while at < len(content) and content[at]:
            at += 1 + content[at]
        at += 1
    return None


def _palette_size(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0

"""Files that are not images, are too large or are damaged are refused with a reason."""

from __future__ import annotations

import io
import random
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable

import pytest
from PIL import Image

from branding import images
from branding.images import BadPicture, Picture
from branding.items import AssetRole
from tests.branding.pictures import decode, encode, photo, png, png_chunk, png_with_size, srgb_profile

SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
GREY = Image.new("RGB", (60, 40), (120, 120, 120))


def refusal_text(content: bytes, role: AssetRole = AssetRole.LOGO) -> str:
    with pytest.raises(BadPicture) as bad:
        images.read(content, role)
    return str(bad.value)


PDF = b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n%%EOF"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (SVG, "SVG"),
        (b"\xef\xbb\xbf  <!-- hello --><SVG onload=alert(1)>", "SVG"),
        ("<svg xmlns='x'/>".encode("utf-16"), "SVG"),
        (b"<!doctype html><html><body>hi", "web page"),
        (b"  <script>alert(1)</script>", "web page"),
        (PDF, "PDF"),
        (b"PK\x03\x04" + bytes(200), "archive"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(100), "HEIC"),
        (b"\x00\x00\x00\x18ftypavif" + bytes(100), "AVIF"),
        (b"\x00\x00\x00\x18ftypisom" + bytes(100), "video"),
        (encode(GREY, "TIFF"), "TIFF"),
        (encode(GREY, "BMP"), "BMP"),
        (encode(GREY, "ICO"), "ICO"),
        (b"hello", "not supported"),
        (bytes(5000), "not supported"),
        (bytes(images.MAX_BYTES + 1), "5 MB"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_not_a_picture_is_refused_with_a_reason(content: bytes, words: str) -> None:
    assert words in refusal_text(content)


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("a.txt", "hello")
    return out.getvalue()


GIF = encode(GREY, "GIF")


@pytest.mark.parametrize(
    "content",
    [
        encode(GREY) + b"<script>alert(1)</script>",
        encode(GREY) + b"anything else",
        encode(GREY) + archive(),
        encode(GREY, "JPEG") + archive(),
        encode(GREY, "JPEG", comment=b"<script>alert(1)</script>"),
        encode(GREY, "JPEG", comment=b"<?php system($_GET[0]); ?>"),
        encode(GREY, "JPEG", comment=PDF),
        GIF + b"*/=1;alert(1);/*",
        GIF[:-1] + b"\x21\xfe\x19<script>alert(1)</script>\x00;",
        encode(GREY, "WEBP") + b"alert(1)",
        encode(GREY, "WEBP", xmp=SVG),
    ],
)
def test_a_picture_with_hidden_content_is_refused(content: bytes) -> None:
    assert Image.open(io.BytesIO(content)).size == (60, 40), "the file is also a valid picture"
    assert "more than a picture" in refusal_text(content)


def test_a_video_appended_by_a_phone_is_removed() -> None:
    video = b"\x00\x00\x00\x18ftypmp42" + bytes(300) + b"moov"
    picture = images.read(photo() + video, AssetRole.BANNER)
    assert b"ftyp" not in picture.content
    padded = images.read(png() + bytes(16), AssetRole.LOGO)
    assert padded.width == 64


@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_truncated_file_is_refused(format: str) -> None:
    noise = Image.effect_noise((300, 200), 90).convert("RGB")
    content = encode(noise, format)
    for kept in (0.1, 0.5, 0.9):
        assert "damaged" in refusal_text(content[: int(len(content) * kept)])


def test_a_decompression_bomb_is_refused_from_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty million pixels in five kilobytes: none of them is decoded."""
    bomb = png_with_size(8000, 5000, bytes(1001 * 5000))
    assert len(bomb) < 10_000
    monkeypatch.setattr(Image.Image, "load", lambda *_: pytest.fail("a pixel was decoded"))
    tracemalloc.start()
    assert "25 megapixels" in refusal_text(bomb)
    assert "25 megapixels" in refusal_text(png_with_size(2**31 - 1, 2**31 - 1))
    assert "25 megapixels" in refusal_text(png_with_size(100_000, 100_000))
    assert "16,384" in refusal_text(png_with_size(20_000, 1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000


@pytest.mark.parametrize("format", ["GIF", "WEBP", "JPEG"])
def test_decompression_bombs_of_other_formats_are_refused(format: str) -> None:
    content = encode(Image.new("RGB", (7000, 6000)), format)
    assert "25 megapixels" in refusal_text(content)


def test_a_compressed_text_chunk_that_is_too_large_is_refused() -> None:
    swollen = b"Comment\x00\x00" + zlib.compress(bytes(60_000_000), 9)
    content = png()
    assert "damaged" in refusal_text(content[:33] + png_chunk(b"zTXt", swollen) + content[33:])


SOURCES: dict[str, Callable[[], bytes]] = {
    "png": lambda: png(3, (90, 70)),
    "palette": lambda: encode(Image.effect_noise((90, 70), 50).convert("P"), "PNG", transparency=4),
    "jpeg": lambda: photo((160, 120), progressive=True),
    "jpeg with notes": lambda: encode(GREY, "JPEG", exif=_exif(), comment=b"hello"),
    "webp": lambda: encode(Image.effect_noise((90, 70), 50).convert("RGBA"), "WEBP"),
    "gif": lambda: encode(GREY, "GIF", save_all=True, append_images=[Image.new("RGB", (60, 40), (1, 2, 3))]),
    "cmyk": lambda: encode(Image.new("CMYK", (60, 40), (1, 90, 90, 0)), "JPEG", icc_profile=srgb_profile()),
    "profile": lambda: encode(GREY, "PNG", icc_profile=srgb_profile()),
}


def _exif() -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = 3
    exif[0x010F] = "x" * 40
    return exif


def mutate(content: bytes, rng: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(rng.randint(1, 12)):
        at = rng.randrange(len(data))
        match rng.randrange(5):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                data[at : at + 4] = rng.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff"])
            case 2:
                del data[at : at + rng.randint(1, 40)]
            case 3:
                data[at:at] = data[rng.randrange(len(data)) :][: rng.randint(1, 60)]
            case _:
                data[at] ^= 1 << rng.randrange(8)
        if not data:
            break
    return bytes(data)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("source", SOURCES)
def test_a_mutated_file_is_a_valid_picture_or_refused(source: str) -> None:
    content, rng = SOURCES[source](), random.Random(source)
    counts = {"picture": 0, "refused": 0}
    for _ in range(250):
        try:
            picture = images.read(mutate(content, rng), rng.choice(list(AssetRole)))
        except BadPicture as bad:
            assert str(bad.text)
            counts["refused"] += 1
        else:
            assert isinstance(picture, Picture) and decode(picture.content).size == (picture.width, picture.height)
            counts["picture"] += 1
    assert counts["refused"] > 20, counts

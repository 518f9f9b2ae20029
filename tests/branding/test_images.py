"""A file becomes a picture by being decoded, or is refused in words: nothing else can happen, whatever it holds."""

from __future__ import annotations

import io
import random
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable

import pytest
from PIL import Image, ImageCms

from branding import images
from branding.images import BadPicture, Picture
from branding.items import Role
from tests.branding.pictures import decoded, encoded, photo, png

SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
GREY = Image.new("RGB", (60, 40), (120, 120, 120))


def refusal(content: bytes, role: Role = Role.LOGO) -> str:
    with pytest.raises(BadPicture) as bad:
        images.read(content, role)
    return str(bad.value)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_saying(width: int, height: int, rows: bytes = b"") -> bytes:
    """A PNG whose header says so, whatever it holds."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("content", "stored", "mode"),
    [
        (encoded(GREY), "image/png", "RGB"),
        (encoded(GREY, "JPEG"), "image/jpeg", "RGB"),
        (encoded(GREY, "WEBP"), "image/jpeg", "RGB"),
        (encoded(GREY, "GIF"), "image/png", "RGB"),
        (encoded(Image.new("RGBA", (60, 40), (9, 9, 9, 90)), "WEBP", lossless=True), "image/png", "RGBA"),
        (encoded(Image.new("RGBA", (60, 40), (9, 9, 9, 255)), "WEBP", lossless=True), "image/jpeg", "RGB"),
        (encoded(Image.new("P", (60, 40), 0), "PNG", transparency=0), "image/png", "RGBA"),
        (encoded(Image.new("P", (60, 40), 3)), "image/png", "RGB"),
        (encoded(Image.new("LA", (60, 40), (100, 50))), "image/png", "RGBA"),
        (encoded(Image.new("1", (60, 40), 1)), "image/png", "RGB"),
        (encoded(Image.new("CMYK", (60, 40), (0, 90, 90, 0)), "JPEG"), "image/jpeg", "RGB"),
        (encoded(Image.new("L", (60, 40), 77), "JPEG"), "image/jpeg", "RGB"),
    ],
    ids=["png", "jpeg", "webp", "gif", "webp with alpha", "webp opaque", "palette with a hole", "palette", "grey with "
    "alpha", "one bit", "cmyk", "grey"],
)  # fmt: skip
def test_what_is_taken_and_what_it_becomes(content: bytes, stored: str, mode: str) -> None:
    taken = images.read(content, Role.LOGO)
    assert (taken.content_type, taken.width, taken.height) == (stored, 60, 40)
    again = decoded(taken.content)
    assert (again.format, again.mode, again.size) == (stored.removeprefix("image/").upper(), mode, (60, 40))
    assert decoded(taken.thumbnail).format == again.format
    # The same file is the same picture, byte by byte.
    assert images.read(content, Role.LOGO) == taken


def test_sixteen_bits_of_grey_are_scaled_and_not_cut_off() -> None:
    taken = images.read(encoded(Image.new("I;16", (40, 40), 0x8000)), Role.LOGO)
    assert decoded(taken.content).getpixel((5, 5)) == (128, 128, 128)


def test_cmyk_is_turned_into_the_colour_it_means() -> None:
    taken = images.read(encoded(Image.new("CMYK", (40, 40), (0, 255, 255, 0)), "JPEG", quality=95), Role.LOGO)
    red, green, blue = decoded(taken.content).getpixel((20, 20))  # type: ignore[misc]
    assert red > 200 and green < 60 and blue < 60


def test_a_colour_profile_is_carried_out_and_not_kept() -> None:
    """In this one red and blue have changed places."""
    turned = _profile().replace(b"rXYZ", b"?XYZ").replace(b"bXYZ", b"rXYZ").replace(b"?XYZ", b"bXYZ")
    taken = images.read(encoded(Image.new("RGB", (60, 40), (230, 20, 20)), "PNG", icc_profile=turned), Role.LOGO)
    red, _, blue = decoded(taken.content).getpixel((3, 3))  # type: ignore[misc]
    assert blue > 200 and red < 60
    assert "icc_profile" not in decoded(taken.content).info


def test_a_colour_profile_that_is_none_changes_nothing() -> None:
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    for profile in (b"no profile at all", lab, bytes(5000)):
        taken = images.read(encoded(GREY, "PNG", icc_profile=profile), Role.LOGO)
        assert decoded(taken.content).getpixel((3, 3)) == (120, 120, 120)
        assert "icc_profile" not in decoded(taken.content).info


def test_a_photo_stands_upright_and_says_nothing_of_where_it_was_taken() -> None:
    source = Image.new("RGB", (80, 40), (250, 250, 250))
    source.paste((200, 0, 0), (0, 0, 40, 40))
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Camera of Olivia"
    exif.get_ifd(0x8825)[2] = (33.0, 26.0, 0.0)
    content = encoded(source, "JPEG", exif=exif, comment=b"a secret", quality=95)
    assert b"Camera of Olivia" in content and b"a secret" in content
    taken = images.read(content, Role.LOGO)
    again = decoded(taken.content)
    assert (taken.width, taken.height) == (40, 80)
    top, bottom = again.getpixel((20, 10)), again.getpixel((20, 70))
    assert top[1] < 40 and bottom[1] > 200  # type: ignore[index]
    assert b"Camera" not in taken.content and b"secret" not in taken.content
    assert dict(again.getexif()) == {} and "comment" not in again.info


@pytest.mark.parametrize(("role", "largest"), [(Role.LOGO, 1024), (Role.BANNER, 2560), (Role.ICON, 512)])
def test_what_is_larger_than_anyone_shows_is_scaled_down(role: Role, largest: int) -> None:
    taken = images.read(encoded(Image.new("RGB", (3000, 1500), (1, 2, 3)), "JPEG"), role)
    assert (taken.width, taken.height) == (largest, largest // 2)
    assert max(decoded(taken.thumbnail).size) == images.THUMBNAIL
    small = images.read(png(size=(30, 20)), role)
    assert (small.width, small.height, decoded(small.thumbnail).size) == (30, 20, (30, 20))


def test_an_opaque_png_that_is_a_photo_becomes_a_jpeg() -> None:
    noise = Image.effect_noise((1000, 1000), 90).convert("RGB")
    assert images.read(encoded(noise), Role.LOGO).content_type == "image/jpeg"
    noise.putalpha(100)
    assert images.read(encoded(noise), Role.LOGO).content_type == "image/png"


@pytest.mark.parametrize("format", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_the_first_picture_is_kept_and_told(format: str) -> None:
    frames = [Image.new("RGB", (40, 30), color) for color in ((200, 0, 0), (0, 200, 0), (0, 0, 200))]
    content = encoded(frames[0], format, save_all=True, append_images=frames[1:])
    taken = images.read(content, Role.ICON)
    red, green, _ = decoded(taken.content).getpixel((5, 5))  # type: ignore[misc]
    assert taken.was_animated and red > 150 and green < 60
    assert not images.read(encoded(frames[0], format), Role.ICON).was_animated


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
        (encoded(GREY, "TIFF"), "TIFF"),
        (encoded(GREY, "BMP"), "BMP"),
        (encoded(GREY, "ICO"), "ICO"),
        (b"hello", "not a picture"),
        (bytes(5000), "not a picture"),
        (bytes(images.MAX_BYTES + 1), "5 MB"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_picture_is_refused_with_a_reason(content: bytes, words: str) -> None:
    assert words in refusal(content)


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("a.txt", "hello")
    return out.getvalue()


GIF = encoded(GREY, "GIF")


@pytest.mark.parametrize(
    "content",
    [
        encoded(GREY) + b"<script>alert(1)</script>",
        encoded(GREY) + b"anything else",
        encoded(GREY) + archive(),
        encoded(GREY, "JPEG") + archive(),
        encoded(GREY, "JPEG", comment=b"<script>alert(1)</script>"),
        encoded(GREY, "JPEG", comment=b"<?php system($_GET[0]); ?>"),
        encoded(GREY, "JPEG", comment=PDF),
        GIF + b"*/=1;alert(1);/*",
        GIF[:-1] + b"\x21\xfe\x19<script>alert(1)</script>\x00;",
        encoded(GREY, "WEBP") + b"alert(1)",
        encoded(GREY, "WEBP", xmp=SVG),
    ],
)
def test_what_is_a_picture_and_something_else_is_refused(content: bytes) -> None:
    assert Image.open(io.BytesIO(content)).size == (60, 40), "it is a picture indeed"
    assert "something else" in refusal(content)


def test_what_phones_put_behind_a_photo_is_taken_and_dropped() -> None:
    film = b"\x00\x00\x00\x18ftypmp42" + bytes(300) + b"moov"
    taken = images.read(photo() + film, Role.BANNER)
    assert b"ftyp" not in taken.content
    padded = images.read(png() + bytes(16), Role.LOGO)
    assert padded.width == 64


@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_file_that_breaks_off_is_refused(format: str) -> None:
    noise = Image.effect_noise((300, 200), 90).convert("RGB")
    content = encoded(noise, format)
    for kept in (0.1, 0.5, 0.9):
        assert "damaged" in refusal(content[: int(len(content) * kept)])


def test_a_bomb_is_refused_by_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty million pixels in five kilobytes: not one of them is decoded."""
    bomb = png_saying(8000, 5000, bytes(1001 * 5000))
    assert len(bomb) < 10_000
    monkeypatch.setattr(Image.Image, "load", lambda *_: pytest.fail("a pixel was decoded"))
    tracemalloc.start()
    assert "25 million pixels" in refusal(bomb)
    assert "25 million pixels" in refusal(png_saying(2**31 - 1, 2**31 - 1))
    assert "25 million pixels" in refusal(png_saying(100_000, 100_000))
    assert "16,384" in refusal(png_saying(20_000, 1))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20_000_000


@pytest.mark.parametrize("format", ["GIF", "WEBP", "JPEG"])
def test_bombs_of_other_formats(format: str) -> None:
    content = encoded(Image.new("RGB", (7000, 6000)), format)
    assert "25 million pixels" in refusal(content)


def test_text_that_unpacks_to_a_gigabyte_is_refused() -> None:
    swollen = b"Comment\x00\x00" + zlib.compress(bytes(60_000_000), 9)
    content = png()
    assert "damaged" in refusal(content[:33] + chunk(b"zTXt", swollen) + content[33:])


SOURCES: dict[str, Callable[[], bytes]] = {
    "png": lambda: png(3, (90, 70)),
    "palette": lambda: encoded(Image.effect_noise((90, 70), 50).convert("P"), "PNG", transparency=4),
    "jpeg": lambda: photo((160, 120), progressive=True),
    "jpeg with notes": lambda: encoded(GREY, "JPEG", exif=_notes(), comment=b"hello"),
    "webp": lambda: encoded(Image.effect_noise((90, 70), 50).convert("RGBA"), "WEBP"),
    "gif": lambda: encoded(GREY, "GIF", save_all=True, append_images=[Image.new("RGB", (60, 40), (1, 2, 3))]),
    "cmyk": lambda: encoded(Image.new("CMYK", (60, 40), (1, 90, 90, 0)), "JPEG", icc_profile=_profile()),
    "profile": lambda: encoded(GREY, "PNG", icc_profile=_profile()),
}


def _notes() -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = 3
    exif[0x010F] = "x" * 40
    return exif


def _profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def mutated(content: bytes, chance: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(data))
        match chance.randrange(5):
            case 0:
                data[at] = chance.randrange(256)
            case 1:
                data[at : at + 4] = chance.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff"])
            case 2:
                del data[at : at + chance.randint(1, 40)]
            case 3:
                data[at:at] = data[chance.randrange(len(data)) :][: chance.randint(1, 60)]
            case _:
                data[at] ^= 1 << chance.randrange(8)
        if not data:
            break
    return bytes(data)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("source", SOURCES)
def test_whatever_is_done_to_a_file_it_is_a_picture_or_refused(source: str) -> None:
    content, chance = SOURCES[source](), random.Random(source)
    came = {"picture": 0, "refused": 0}
    for _ in range(250):
        try:
            taken = images.read(mutated(content, chance), chance.choice(list(Role)))
        except BadPicture as bad:
            assert str(bad.text)
            came["refused"] += 1
        else:
            assert isinstance(taken, Picture) and decoded(taken.content).size == (taken.width, taken.height)
            came["picture"] += 1
    assert came["refused"] > 20, came

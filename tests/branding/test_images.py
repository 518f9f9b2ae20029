"""An uploaded image is decoded and encoded again: upright, scaled, converted to sRGB, without metadata."""

from __future__ import annotations

import pytest
from PIL import Image, ImageCms

from branding import images
from branding.items import AssetRole
from tests.branding.pictures import decode, encode, png, srgb_profile

SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
GREY = Image.new("RGB", (60, 40), (120, 120, 120))


@pytest.mark.parametrize(
    ("content", "stored", "mode"),
    [
        (encode(GREY), "image/png", "RGB"),
        (encode(GREY, "JPEG"), "image/jpeg", "RGB"),
        (encode(GREY, "WEBP"), "image/jpeg", "RGB"),
        (encode(GREY, "GIF"), "image/png", "RGB"),
        (encode(Image.new("RGBA", (60, 40), (9, 9, 9, 90)), "WEBP", lossless=True), "image/png", "RGBA"),
        (encode(Image.new("RGBA", (60, 40), (9, 9, 9, 255)), "WEBP", lossless=True), "image/jpeg", "RGB"),
        (encode(Image.new("P", (60, 40), 0), "PNG", transparency=0), "image/png", "RGBA"),
        (encode(Image.new("P", (60, 40), 3)), "image/png", "RGB"),
        (encode(Image.new("LA", (60, 40), (100, 50))), "image/png", "RGBA"),
        (encode(Image.new("1", (60, 40), 1)), "image/png", "RGB"),
        (encode(Image.new("CMYK", (60, 40), (0, 90, 90, 0)), "JPEG"), "image/jpeg", "RGB"),
        (encode(Image.new("L", (60, 40), 77), "JPEG"), "image/jpeg", "RGB"),
    ],
    ids=["png", "jpeg", "webp", "gif", "webp with alpha", "webp opaque", "palette with a hole", "palette", "grey with "
    "alpha", "one bit", "cmyk", "grey"],
)  # fmt: skip
def test_each_supported_format_and_its_stored_format(content: bytes, stored: str, mode: str) -> None:
    picture = images.read(content, AssetRole.LOGO)
    assert (picture.content_type, picture.width, picture.height) == (stored, 60, 40)
    decoded = decode(picture.content)
    assert (decoded.format, decoded.mode, decoded.size) == (stored.removeprefix("image/").upper(), mode, (60, 40))
    assert decode(picture.thumbnail).format == decoded.format
    # The same file always gives the same bytes.
    assert images.read(content, AssetRole.LOGO) == picture


def test_sixteen_bit_grey_is_scaled_to_eight_bits() -> None:
    picture = images.read(encode(Image.new("I;16", (40, 40), 0x8000)), AssetRole.LOGO)
    assert decode(picture.content).getpixel((5, 5)) == (128, 128, 128)


def test_cmyk_is_converted_to_rgb() -> None:
    picture = images.read(encode(Image.new("CMYK", (40, 40), (0, 255, 255, 0)), "JPEG", quality=95), AssetRole.LOGO)
    red, green, blue = decode(picture.content).getpixel((20, 20))  # type: ignore[misc]
    assert red > 200 and green < 60 and blue < 60


def test_a_colour_profile_is_applied_and_removed() -> None:
    """In this profile red and blue are swapped."""
    swapped_profile = srgb_profile().replace(b"rXYZ", b"?XYZ").replace(b"bXYZ", b"rXYZ").replace(b"?XYZ", b"bXYZ")
    picture = images.read(
        encode(Image.new("RGB", (60, 40), (230, 20, 20)), "PNG", icc_profile=swapped_profile), AssetRole.LOGO
    )
    red, _, blue = decode(picture.content).getpixel((3, 3))  # type: ignore[misc]
    assert blue > 200 and red < 60
    assert "icc_profile" not in decode(picture.content).info


def test_an_invalid_colour_profile_is_ignored() -> None:
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    for profile in (b"no profile at all", lab, bytes(5000)):
        picture = images.read(encode(GREY, "PNG", icc_profile=profile), AssetRole.LOGO)
        assert decode(picture.content).getpixel((3, 3)) == (120, 120, 120)
        assert "icc_profile" not in decode(picture.content).info


def test_a_photo_is_rotated_and_its_metadata_is_removed() -> None:
    source = Image.new("RGB", (80, 40), (250, 250, 250))
    source.paste((200, 0, 0), (0, 0, 40, 40))
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Camera of Olivia"
    exif.get_ifd(0x8825)[2] = (33.0, 26.0, 0.0)
    content = encode(source, "JPEG", exif=exif, comment=b"a secret", quality=95)
    assert b"Camera of Olivia" in content and b"a secret" in content
    picture = images.read(content, AssetRole.LOGO)
    decoded = decode(picture.content)
    assert (picture.width, picture.height) == (40, 80)
    top, bottom = decoded.getpixel((20, 10)), decoded.getpixel((20, 70))
    assert top[1] < 40 and bottom[1] > 200  # type: ignore[index]
    assert b"Camera" not in picture.content and b"secret" not in picture.content
    assert dict(decoded.getexif()) == {} and "comment" not in decoded.info


@pytest.mark.parametrize(("role", "largest"), [(AssetRole.LOGO, 1024), (AssetRole.BANNER, 2560), (AssetRole.ICON, 512)])
def test_a_large_picture_is_scaled_down_to_the_size_of_its_role(role: AssetRole, largest: int) -> None:
    picture = images.read(encode(Image.new("RGB", (3000, 1500), (1, 2, 3)), "JPEG"), role)
    assert (picture.width, picture.height) == (largest, largest // 2)
    assert max(decode(picture.thumbnail).size) == images.THUMBNAIL
    small = images.read(png(size=(30, 20)), role)
    assert (small.width, small.height, decode(small.thumbnail).size) == (30, 20, (30, 20))


def test_an_opaque_png_with_photo_content_becomes_a_jpeg() -> None:
    noise = Image.effect_noise((1000, 1000), 90).convert("RGB")
    assert images.read(encode(noise), AssetRole.LOGO).content_type == "image/jpeg"
    noise.putalpha(100)
    assert images.read(encode(noise), AssetRole.LOGO).content_type == "image/png"


@pytest.mark.parametrize("format", ["GIF", "WEBP", "PNG"])
def test_only_the_first_frame_of_an_animation_is_kept(format: str) -> None:
    frames = [Image.new("RGB", (40, 30), color) for color in ((200, 0, 0), (0, 200, 0), (0, 0, 200))]
    content = encode(frames[0], format, save_all=True, append_images=frames[1:])
    picture = images.read(content, AssetRole.ICON)
    red, green, _ = decode(picture.content).getpixel((5, 5))  # type: ignore[misc]
    assert picture.was_animated and red > 150 and green < 60
    assert not images.read(encode(frames[0], format), AssetRole.ICON).was_animated

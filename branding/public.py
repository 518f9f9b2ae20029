"""The public interface of branding for other apps."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass
from functools import partial
from typing import Any

from PIL import Image, features

from branding import images
from branding.contrast import AA, PairContrast, failing_pairs
from branding.file_types import is_picture
from branding.forms.assets import ACCEPTED, HELP, PicturesField, PicturesInput, clean_file_name
from branding.images import MAX_BYTES, MAX_PIXELS, MAX_SIDE, BadPicture, Picture
from branding.items import AssetRole
from branding.permissions import Permission
from branding.queries.themes import find_marker, find_themes, load_theme_state
from branding.queries.version_list import newest_versions, versions
from branding.services import publishing
from branding.services.publishing import check_can_be_live
from branding.services.schedule_changes import CANCELLED
from branding.tokens import Style, color
from dashboard.core.errors import NotFound, Refused
from dashboard.table.commands import Command
from dashboard.table.read import gather
from dashboard.table.transactions import find_done, find_result

__all__ = [
    "AA",
    "MAX_BYTES",
    "THEME_PERMISSION",
    "BadPicture",
    "PairContrast",
    "Picture",
    "PicturesField",
    "PublishableTheme",
    "Style",
    "ThemeChoice",
    "clean_file_name",
    "color",
    "failing_pairs",
    "find_style",
    "load_publishable_theme",
    "picture_type",
    "pictures_field",
    "publish_theme",
    "read_picture",
    "theme_choices",
    "withdraw_theme",
]

# What a person needs to publish a theme.
THEME_PERMISSION = Permission.BRANDING

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
    is_live: bool
    # Whether it can be made live.
    can_publish: bool


def theme_choices(business: str) -> list[ThemeChoice]:
    """The newest versions, in one round trip."""
    found, marker = gather(partial(versions, business), partial(find_marker, business))
    live = marker.number if marker else None
    return [
        ThemeChoice(
            theme.number,
            theme.title,
            theme.number == live,
            theme.number != live and not theme.is_discarded and not theme.must_be_copied_to_publish,
        )
        for theme in found.items
    ]


def find_style(business: str, version: int | None = None) -> Style:
    """The style of a version; without a version, of the live one. The defaults if it does not exist.

    In one round trip, unless the live version is none of the newest ones.
    """
    if version is not None:
        theme = find_themes(business, version).get(version)
        return theme.style if theme is not None else Style.of({})
    newest, marker = gather(partial(newest_versions, business), partial(find_marker, business))
    live = marker.number if marker is not None else None
    if live is None:
        return Style.of({})
    found = next((theme for theme in newest.themes if theme.number == live), None)
    return found.style if found is not None else find_style(business, live)


@dataclass(frozen=True)
class PublishableTheme:
    """A version that a person may make live, and the version that it would replace."""

    number: int
    title: str
    # None for a version that was live before: it cannot change.
    revision: int | None
    live_number: int | None
    live_title: str
    style: Style
    swatches: list[str]
    # Why it cannot be made live; empty if it can.
    refusal: str


def load_publishable_theme(business: str, version: int) -> PublishableTheme:
    """One consistent round trip."""
    state = load_theme_state(business, version)
    theme, marker = state.theme, state.marker
    refusal = ""
    try:
        check_can_be_live(theme)
    except Refused as error:
        refusal = str(error.text)
    live_title = marker.title if marker is not None and marker.describes_live_version else ""
    return PublishableTheme(
        theme.number,
        theme.title,
        theme.revision if theme.is_editable else None,
        state.live_version,
        f"v{state.live_version} {live_title or ''}".strip() if state.live_version is not None else "",
        theme.style,
        theme.swatches,
        refusal,
    )


def publish_theme(
    business: str,
    version: int,
    *,
    expected_live_version: int | None,
    revision: int | None,
    note: str = "",
    restore: str = "",
    command: Command,
) -> dict[str, Any]:
    """Make a version live, whatever its contrast: the caller has shown it. The result says what was live before."""
    try:
        publishing.publish(
            business,
            version,
            expected_live_version=expected_live_version,
            revision=revision,
            note=note,
            accept_low_contrast=True,
            restore=restore,
            command=command,
        )
    except NotFound:
        # A repeated command whose version was withdrawn since has no marker to return.
        if find_done(command) is None:
            raise
    result = find_result(command)
    return {
        "previous": result.get("previous"),
        "has_previous": not result.get("lost"),
        # What the Undo passes as `restore`.
        "restore": command.id if result.get(CANCELLED) else None,
    }


def withdraw_theme(business: str, version: int, *, restore: str, command: Command) -> None:
    """The Undo of a first publication: no version is live."""
    publishing.withdraw(business, version, restore=restore, command=command)

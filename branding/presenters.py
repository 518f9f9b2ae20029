"""Presenters of the live version, the timeline and files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from branding import contrast, outside_files
from branding.items import ROLE_LABELS, Asset, AssetLink, AssetRole, Publication, PublishedMarker, Theme
from branding.paths import asset_url, file_url, outside_picture_url
from branding.tokens import to_version

# How many versions a file's card names.
MAX_NAMED_VERSIONS = 4


@dataclass(frozen=True)
class LiveTheme:
    """The live version."""

    number: int
    name: str
    published_by: str
    # The person who looks at it published it.
    is_own: bool
    published_at: datetime | None
    swatches: list[str]
    # The marker names a version that does not exist.
    is_missing: bool = False

    @property
    def label(self) -> str:
        return f"v{self.number}"

    @property
    def title(self) -> str:
        return f"{self.label} {self.name}" if self.name else self.label


def to_live_theme(
    marker: PublishedMarker | None, themes: Mapping[int, Theme], *, viewer: str = "", is_missing: bool = False
) -> LiveTheme | None:
    """The live version from its marker, and from its theme where an outside writer has changed the marker."""
    if marker is None or marker.number is None:
        return None
    theme = themes.get(marker.number)
    # The seed's markers have no `toldOf`. Ours do; it stays behind when an outside writer changes the version.
    is_stale = marker.described_version is not None and not marker.describes_live_version
    name = marker.title if marker.describes_live_version else theme.name if theme else None
    colors = list(marker.swatches or []) if marker.describes_live_version else theme.swatches if theme else []
    return LiveTheme(
        number=marker.number,
        name=name or "",
        published_by="" if is_stale else marker.published_by_name or marker.published_by or "",
        is_own=bool(viewer) and not is_stale and marker.published_by == viewer,
        published_at=None if is_stale else marker.published_at,
        swatches=colors,
        is_missing=is_missing,
    )


def publish_query(live: LiveTheme | None) -> str:
    """The query of a link to the publish page: it names the live version, which saves that page a redirect."""
    return f"?against={live.number}" if live else ""


def is_live_version_missing(marker: PublishedMarker | None, newest: Sequence[Theme], *, has_more: bool) -> bool:
    """Whether the first page of versions proves that the live one does not exist."""
    number = marker.number if marker else None
    numbers = [theme.number for theme in newest]
    if number is None or number in numbers:
        return False
    return not has_more or bool(numbers and number > numbers[-1])


@dataclass(frozen=True)
class TimelineRow:
    """One publication."""

    number: int | None
    name: str
    published_by: str
    published_at: datetime | None
    note: str
    swatches: list[str]
    was_scheduled: bool
    was_withdrawn: bool
    # The labels of the pairs that were accepted below AA.
    below_aa: list[str | Promise]
    # Its version is live now; `made_live` marks the publication that made it live.
    is_live: bool
    made_live: bool = False

    @property
    def label(self) -> str:
        return f"v{self.number}" if self.number is not None else "–"


def to_timeline_rows(
    publications: Iterable[Publication], live_version: int | None, *, is_first_page: bool = True
) -> list[TimelineRow]:
    """Newest first."""
    rows = [_timeline_row(each, live_version) for each in publications]
    if is_first_page and rows and rows[0].is_live and not rows[0].was_withdrawn:
        rows[0] = replace(rows[0], made_live=True)
    return rows


def _timeline_row(publication: Publication, live_version: int | None) -> TimelineRow:
    number = to_version(publication.version)
    return TimelineRow(
        number=number,
        name=publication.title or "",
        published_by=publication.published_by_name or publication.published_by or "",
        published_at=publication.published_at,
        note=publication.note or "",
        swatches=list(publication.swatches or []),
        was_scheduled=bool(publication.scheduled),
        was_withdrawn=bool(publication.withdrawn),
        below_aa=[contrast.LABELS.get(str(pair), str(pair)) for pair in publication.below_aa or []],
        is_live=number is not None and number == live_version,
    )


@dataclass(frozen=True)
class VersionLink:
    """A version that uses a file, and the URL of its page."""

    label: str
    title: str
    url: str


@dataclass(frozen=True)
class AssetCard:
    """A file in a list or on its page."""

    title: str
    role: str
    role_label: str
    # Empty for an id of an outside writer that no URL can hold.
    url: str
    # The URL of the file; empty if it is not stored here.
    picture: str
    # A small picture, or the picture in another bucket; empty if there is none.
    thumbnail: str
    width: int | None
    height: int | None
    size: int | None
    versions: list[VersionLink]

    @property
    def named_versions(self) -> list[VersionLink]:
        return self.versions[:MAX_NAMED_VERSIONS]

    @property
    def unnamed_count(self) -> int:
        return max(len(self.versions) - MAX_NAMED_VERSIONS, 0)


def to_asset_card(file: AssetLink | Asset, business: str) -> AssetCard:
    role = file.asset_type or ""
    picture = file_url(file.id) if file.file_name else ""
    versions = file.used_by_versions if isinstance(file, AssetLink) else []
    return AssetCard(
        title=file.title,
        role=role,
        role_label=str(ROLE_LABELS[AssetRole(role)]) if role in set(AssetRole) else role or _("Other"),
        url=asset_url(business, file.id),
        picture=picture,
        thumbnail=f"{picture}?size=thumb" if picture else _outside_picture(file, business),
        width=_to_int(file.width),
        height=_to_int(file.height),
        size=_to_int(file.size),
        versions=[_version_link(number, f"v{number}", business) for number in versions],
    )


def _outside_picture(file: AssetLink | Asset, business: str) -> str:
    """The URL of a picture that may be in another bucket. The seed's links have no URI: the file itself has it."""
    is_elsewhere = not file.file_name and (not file.uri or outside_files.is_in_bucket(file.uri))
    return outside_picture_url(business, file.id) if is_elsewhere and outside_files.can_read() else ""


def to_version_links(link: AssetLink | None, themes: list[Theme], business: str) -> list[VersionLink]:
    """The versions that the link names, and these themes, which may be of outside writers."""
    titles = {theme.number: theme.title for theme in themes}
    numbers = {*(link.used_by_versions if link else ()), *titles}
    return [
        _version_link(number, titles.get(number, f"v{number}"), business) for number in sorted(numbers, reverse=True)
    ]


def _version_link(number: int, title: str, business: str) -> VersionLink:
    return VersionLink(f"v{number}", title, reverse("theme", args=[business, number]))


def to_outside_asset(asset: str, themes: Iterable[Theme]) -> Asset | None:
    """A file that only versions know, because an outside writer stores no item for it; None if none of these does."""
    theme = next(iter(themes), None)
    if theme is None:
        return None
    entry = theme.asset_map(asset)
    role = next((role for role, each in theme.assets_by_role.items() if each == asset), None)
    found = Asset.new(asset=asset)
    found.asset_type, found.uri = role or entry.text("assetType") or None, entry.text("uri") or None
    return found


def _to_int(value: float | None) -> int | None:
    return int(value) if value is not None else None

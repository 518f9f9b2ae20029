"""A file as the screens show it."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from branding.forms.assets import ROLE_LABELS
from branding.items import Asset, AssetLink, Role, Theme
from branding.paths import file_url

# As many versions as a card names.
NAMED = 4


@dataclass(frozen=True)
class Version:
    """A version that shows a file, and where to look at it."""

    label: str
    title: str
    url: str


@dataclass(frozen=True)
class Card:
    title: str
    role: str
    role_label: str
    # Where the file is shown here; empty for an id of another service that no address can hold.
    url: str
    # The file itself and its thumbnail; empty where it is not kept here.
    picture: str
    thumbnail: str
    width: int | None
    height: int | None
    size: int | None
    versions: list[Version]

    @property
    def named(self) -> list[Version]:
        return self.versions[:NAMED]

    @property
    def more(self) -> int:
        return max(len(self.versions) - NAMED, 0)


def card(file: AssetLink | Asset, business: str) -> Card:
    role = file.asset_type or ""
    picture = file_url(file.id) if file.file_name else ""
    users = file.users if isinstance(file, AssetLink) else []
    return Card(
        title=file.title,
        role=role,
        role_label=str(ROLE_LABELS[Role(role)]) if role in set(Role) else role or _("Other"),
        url=_address(business, file.id),
        picture=picture,
        thumbnail=f"{picture}?size=thumb" if picture else "",
        width=_whole(file.width),
        height=_whole(file.height),
        size=_whole(file.size),
        versions=[_version(number, f"v{number}", business) for number in users],
    )


def versions_of(link: AssetLink | None, themes: list[Theme], business: str) -> list[Version]:
    """Those that the link knows of, and of the newest also those that other services wrote."""
    titles = {theme.number: theme.title for theme in themes}
    numbers = {*(link.users if link else ()), *titles}
    return [_version(number, titles.get(number, f"v{number}"), business) for number in sorted(numbers, reverse=True)]


def _version(number: int, title: str, business: str) -> Version:
    return Version(f"v{number}", title, reverse("theme", args=[business, number]))


def _address(business: str, asset: str) -> str:
    try:
        return reverse("asset", args=[business, asset])
    except NoReverseMatch:
        return ""


def _whole(value: float | None) -> int | None:
    return int(value) if value is not None else None

"""Rows of the lists of products, resources, contexts, signals and files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from content.items import LibraryItem, SiteAsset
from content.library.columns import ItemState
from content.library.kind import LibraryKind
from content.media_files import thumbnail_path
from dashboard.web.pages import url_or_empty


@dataclass(frozen=True)
class Thumbnail:
    """The small picture of a row; without an address, an icon takes its place."""

    address: str
    icon: str


def thumbnail_of(business: str, item: LibraryItem) -> Thumbnail | None:
    """Only of media. Pictures on other hosts have none: the content security policy allows only our own."""
    if not isinstance(item, SiteAsset):
        return None
    kind = item.file_type or item.imported_type or ""
    return Thumbnail(thumbnail_path(business, item.s3_key), "image" if kind.startswith("image/") else "file-text")


@dataclass(frozen=True)
class LibraryCell:
    """One value of a row, with the label of its column."""

    label: str
    text: str
    is_number: bool


class LibraryRow:
    """An item in a list."""

    def __init__(self, kind: LibraryKind, business: str, item: LibraryItem) -> None:
        self.item = item
        self.title = kind.title_of(item)
        self.url = item_url(kind, business, kind.id_of(item))
        self.thumbnail = thumbnail_of(business, item)
        self.sub = kind.sub(item) if kind.sub else ""
        self.state: ItemState | None = kind.state(item) if kind.state else None
        self.cells = [LibraryCell(str(each.label), each.read(item), each.is_number) for each in kind.columns]


def library_rows(kind: LibraryKind, business: str, items: Iterable[LibraryItem]) -> list[LibraryRow]:
    return [LibraryRow(kind, business, item) for item in items]


def item_url(kind: LibraryKind, business: str, item_id: str, route: str = "site_item") -> str:
    """The page of an item; empty for an id that no address can contain."""
    return url_or_empty(route, business, kind.key, item_id)

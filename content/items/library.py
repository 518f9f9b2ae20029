"""What a site and its agent use: products, resources, contexts, signals and assets."""

from __future__ import annotations

from collections.abc import Iterator

from content.items.lists import by_type
from dashboard.table import keys
from dashboard.table.attributes import LenientNumberAttribute, LenientUnicodeAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey


class Context(Item):
    """Information for the site's agent."""

    key_pattern = keys.CONTEXT

    title = LenientUnicodeAttribute(null=True)
    content = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "CONTEXT")


class Resource(Item):
    """A file or link for visitors."""

    key_pattern = keys.RESOURCE

    title = LenientUnicodeAttribute(null=True)
    uri = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "RESOURCE")


class Signal(Item):
    """An event that the site detected."""

    key_pattern = keys.SIGNAL

    title = LenientUnicodeAttribute(null=True)
    metadata = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "SIGNAL")


class SiteAsset(Item):
    """A file of the site."""

    key_pattern = keys.SITE_ASSET

    title = LenientUnicodeAttribute(null=True)
    uri = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "ASSET")


class Product(Item):
    """A product that the site offers."""

    key_pattern = keys.PRODUCT

    name = LenientUnicodeAttribute(null=True)
    description = LenientUnicodeAttribute(null=True)
    price = LenientNumberAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "PRODUCT")

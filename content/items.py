"""A business's site: pages, routes and visitors, as the website service writes them."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.table import keys
from dashboard.table.attributes import (
    LenientBooleanAttribute,
    LenientNumberAttribute,
    LenientUnicodeAttribute,
    PlainListAttribute,
    PlainMapAttribute,
)
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey


class Content(Item):
    """The current version of a page."""

    key_pattern = keys.CONTENT

    title = LenientUnicodeAttribute(null=True)
    slug = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)
    version = LenientNumberAttribute(null=True)
    blocks = PlainListAttribute(null=True)


class ContentCard(Item):
    """The part of a page that lists show."""

    key_pattern = keys.CONTENT_CARD

    title = LenientUnicodeAttribute(null=True)
    slug = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)
    version = LenientNumberAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        business = self.key_parts["tenant"]
        yield from keys.CONTENTS.optional_key(tenant=business, updated_at=self.updated_at)
        yield from keys.CONTENTS_BY_STATUS.optional_key(tenant=business, status=self.status, updated_at=self.updated_at)


class ContentVersion(Item):
    """An earlier version of a page."""

    key_pattern = keys.CONTENT_VERSION
    editable = False

    title = LenientUnicodeAttribute(null=True)
    slug = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)
    version = LenientNumberAttribute(null=True)
    blocks = PlainListAttribute(null=True)


class Route(Item):
    """An address of the site and what it leads to: a page or another address."""

    key_pattern = keys.ROUTE

    node_id = LenientUnicodeAttribute(null=True, attr_name="nodeId")
    # The seed writes this name with a capital letter.
    is_redirect = LenientBooleanAttribute(null=True, attr_name="IsRedirect")
    redirect_to = LenientUnicodeAttribute(null=True, attr_name="redirectTo")

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.ROUTES_TO.optional_key(node=self.node_id, **self.key_parts)


class PageComment(Item):
    """A visitor's comment on a page."""

    key_pattern = keys.PAGE_COMMENT

    author = LenientUnicodeAttribute(null=True)
    content = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.PAGE_COMMENTS_BY_STATUS.optional_key(status=self.status, **self.key_parts)


def by_type(item: Item, name: str) -> Iterator[IndexKey]:
    """The index key in the list of a type, sorted by the time in the item's key or by its creation."""
    at = item.key_parts.get("at") or item.created_at
    yield from keys.SITE_ITEMS_BY_TYPE.optional_key(tenant=item.key_parts["tenant"], type=name, at=at)


class Lead(Item):
    """A visitor who left an e-mail address."""

    key_pattern = keys.LEAD

    email = LenientUnicodeAttribute(null=True)
    name = LenientUnicodeAttribute(null=True)
    source = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "LEAD")


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


class Consent(Item):
    """A visitor's consent choices."""

    key_pattern = keys.CONSENT
    editable = False

    choices = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "CONSENT")

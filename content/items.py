"""A business's site: pages, routes and visitors (seed 003)."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.table import keys
from dashboard.table.attributes import (
    BooleanAttribute,
    NumberAttribute,
    PlainListAttribute,
    PlainMapAttribute,
    UnicodeAttribute,
)
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey


class Content(Item):
    """The current version of a page."""

    key_pattern = keys.CONTENT

    title = UnicodeAttribute(null=True)
    slug = UnicodeAttribute(null=True)
    status = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    blocks = PlainListAttribute(null=True)


class ContentCard(Item):
    """The part of a page that lists show."""

    key_pattern = keys.CONTENT_CARD

    title = UnicodeAttribute(null=True)
    slug = UnicodeAttribute(null=True)
    status = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        business = self.key_parts["tenant"]
        yield from keys.CONTENTS.optional_key(tenant=business, updated_at=self.updated_at)
        yield from keys.CONTENTS_BY_STATUS.optional_key(tenant=business, status=self.status, updated_at=self.updated_at)


class ContentVersion(Item):
    """An earlier version of a page."""

    key_pattern = keys.CONTENT_VERSION
    editable = False

    title = UnicodeAttribute(null=True)
    slug = UnicodeAttribute(null=True)
    status = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    blocks = PlainListAttribute(null=True)


class Route(Item):
    """An address of the site and what it leads to: a page or another address."""

    key_pattern = keys.ROUTE

    node_id = UnicodeAttribute(null=True, attr_name="nodeId")
    # The seed writes this name with a capital letter.
    is_redirect = BooleanAttribute(null=True, attr_name="IsRedirect")
    redirect_to = UnicodeAttribute(null=True, attr_name="redirectTo")

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.ROUTES_TO.optional_key(node=self.node_id, **self.key_parts)


class PageComment(Item):
    """A visitor's comment on a page."""

    key_pattern = keys.PAGE_COMMENT

    author = UnicodeAttribute(null=True)
    content = UnicodeAttribute(null=True)
    status = UnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.PAGE_COMMENTS_BY_STATUS.optional_key(status=self.status, **self.key_parts)


def by_type(item: Item, name: str) -> Iterator[IndexKey]:
    """The index key in the list of a type, sorted by the time in the item's key or by its creation."""
    at = item.key_parts.get("at") or item.created_at
    yield from keys.SITE_ITEMS_BY_TYPE.optional_key(tenant=item.key_parts["tenant"], type=name, at=at)


class Lead(Item):
    """A visitor who left an e-mail address."""

    key_pattern = keys.LEAD

    email = UnicodeAttribute(null=True)
    name = UnicodeAttribute(null=True)
    source = UnicodeAttribute(null=True)
    status = UnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "LEAD")


class Context(Item):
    """Information for the site's agent."""

    key_pattern = keys.CONTEXT

    title = UnicodeAttribute(null=True)
    content = UnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "CONTEXT")


class Resource(Item):
    """A file or link for visitors."""

    key_pattern = keys.RESOURCE

    title = UnicodeAttribute(null=True)
    uri = UnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "RESOURCE")


class Signal(Item):
    """An event that the site detected."""

    key_pattern = keys.SIGNAL

    title = UnicodeAttribute(null=True)
    metadata = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "SIGNAL")


class SiteAsset(Item):
    """A file of the site."""

    key_pattern = keys.SITE_ASSET

    title = UnicodeAttribute(null=True)
    uri = UnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "ASSET")


class Product(Item):
    """A product that the site offers."""

    key_pattern = keys.PRODUCT

    name = UnicodeAttribute(null=True)
    description = UnicodeAttribute(null=True)
    price = NumberAttribute(null=True)
    status = UnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "PRODUCT")


class Consent(Item):
    """A visitor's consent choices."""

    key_pattern = keys.CONSENT
    editable = False

    choices = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "CONSENT")

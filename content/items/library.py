"""What a site and its agent use: products, resources, contexts, signals and assets.

The website service writes all of them. Its attributes that are not declared here stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from content.items.lists import by_type
from content.items.shop import ShopItem
from content.plain_blocks import blocks_text, with_text
from dashboard.table import keys
from dashboard.table.attributes import (
    LenientBooleanAttribute,
    LenientNumberAttribute,
    LenientUnicodeAttribute,
    PlainListAttribute,
)
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey


class SignalStatus(StrEnum):
    """The states of a signal, as the website service writes them."""

    NEW = "New"
    DRAFTED = "Drafted"
    REPLIED = "Replied"
    DISMISSED = "Dismissed"


class Context(Item):
    """Information for the site's agent. Its text is in blocks, like that of a page."""

    key_pattern = keys.CONTEXT

    title = LenientUnicodeAttribute(null=True)
    blocks = PlainListAttribute(null=True)
    created_by = LenientUnicodeAttribute(null=True, attr_name="createdBy")

    @property
    def text(self) -> str:
        """The text of its blocks."""
        return blocks_text(self.blocks)

    @text.setter
    def text(self, text: str | None) -> None:
        self.blocks = with_text(self.blocks, text or "")

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "CONTEXT")


class Resource(Item):
    """A private file for visitors, such as a guide that they get for their address."""

    key_pattern = keys.RESOURCE

    file_name = LenientUnicodeAttribute(null=True, attr_name="fileName")
    s3_key = LenientUnicodeAttribute(null=True, attr_name="s3Key")
    uploaded_by = LenientUnicodeAttribute(null=True, attr_name="uploadedBy")

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "RESOURCE")


class Signal(Item):
    """A public post elsewhere that the site's agent found, with its assessment and a reply."""

    key_pattern = keys.SIGNAL

    source = LenientUnicodeAttribute(null=True)
    url = LenientUnicodeAttribute(null=True)
    title = LenientUnicodeAttribute(null=True)
    content_snapshot = LenientUnicodeAttribute(null=True, attr_name="contentSnapshot")
    author = LenientUnicodeAttribute(null=True)
    pain_score = LenientNumberAttribute(null=True, attr_name="painScore")
    wallet_signal = LenientBooleanAttribute(null=True, attr_name="walletSignal")
    analysis = LenientUnicodeAttribute(null=True)
    draft_reply = LenientUnicodeAttribute(null=True, attr_name="draftReply")
    status = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "SIGNAL")


class SiteAsset(Item):
    """A public file of the site."""

    key_pattern = keys.SITE_ASSET

    file_name = LenientUnicodeAttribute(null=True, attr_name="fileName")
    file_type = LenientUnicodeAttribute(null=True, attr_name="fileType")
    size = LenientNumberAttribute(null=True)
    s3_key = LenientUnicodeAttribute(null=True, attr_name="s3Key")
    public_url = LenientUnicodeAttribute(null=True, attr_name="publicUrl")
    uploaded_by = LenientUnicodeAttribute(null=True, attr_name="uploadedBy")
    # What imports write in addition, or instead.
    imported_name = LenientUnicodeAttribute(null=True, attr_name="filename")
    imported_url = LenientUnicodeAttribute(null=True, attr_name="url")
    imported_type = LenientUnicodeAttribute(null=True, attr_name="contentType")

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "ASSET")


class Product(Item):
    """A product that the site offers. Its prices are texts, as the website service writes them."""

    key_pattern = keys.PRODUCT

    title = LenientUnicodeAttribute(null=True)
    slug = LenientUnicodeAttribute(null=True)
    sku = LenientUnicodeAttribute(null=True)
    description = LenientUnicodeAttribute(null=True)
    price = LenientUnicodeAttribute(null=True)
    sale_price = LenientUnicodeAttribute(null=True, attr_name="salePrice")
    currency = LenientUnicodeAttribute(null=True)
    availability = LenientUnicodeAttribute(null=True)
    inventory_quantity = LenientNumberAttribute(null=True, attr_name="inventoryQuantity")
    image_link = LenientUnicodeAttribute(null=True, attr_name="imageLink")
    status = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "PRODUCT")


LibraryItem = Context | Resource | Signal | SiteAsset | Product | ShopItem

"""A page: its current version, its card and its earlier versions."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.table import keys
from dashboard.table.attributes import LenientNumberAttribute, LenientUnicodeAttribute, PlainListAttribute
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

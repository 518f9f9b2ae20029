"""What visitors leave on a site: comments, leads and consents."""

from __future__ import annotations

from collections.abc import Iterator

from content.items.lists import by_type
from dashboard.table import keys
from dashboard.table.attributes import LenientUnicodeAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey


class PageComment(Item):
    """A visitor's comment on a page."""

    key_pattern = keys.PAGE_COMMENT

    author = LenientUnicodeAttribute(null=True)
    content = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.PAGE_COMMENTS_BY_STATUS.optional_key(status=self.status, **self.key_parts)


class Lead(Item):
    """A visitor who left an e-mail address."""

    key_pattern = keys.LEAD

    email = LenientUnicodeAttribute(null=True)
    name = LenientUnicodeAttribute(null=True)
    source = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "LEAD")


class Consent(Item):
    """A visitor's consent choices."""

    key_pattern = keys.CONSENT
    editable = False

    choices = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from by_type(self, "CONSENT")

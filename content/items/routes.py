"""The addresses of a site."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.table import keys
from dashboard.table.attributes import LenientBooleanAttribute, LenientUnicodeAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey


class Route(Item):
    """An address of the site and what it leads to: a page or another address."""

    key_pattern = keys.ROUTE

    node_id = LenientUnicodeAttribute(null=True, attr_name="nodeId")
    # The seed writes this name with a capital letter.
    is_redirect = LenientBooleanAttribute(null=True, attr_name="IsRedirect")
    redirect_to = LenientUnicodeAttribute(null=True, attr_name="redirectTo")

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.ROUTES_TO.optional_key(node=self.node_id, **self.key_parts)

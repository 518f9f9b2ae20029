"""The addresses of a site."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.table import keys
from dashboard.table.attributes import LenientBooleanAttribute, LenientUnicodeAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class Route(Item):
    """An address of the site and what it leads to: a page, or for a redirect another address.

    The service's redirects name only the address. Ours also name the page, which may have moved on since.
    """

    key_pattern = keys.ROUTE
    needs_key_parts = True
    editable = False

    # The service writes these names with a capital letter.
    target_node = LenientUnicodeAttribute(null=True, attr_name="TargetNode")
    is_redirect = LenientBooleanAttribute(null=True, attr_name="IsRedirect")
    redirect_to = LenientUnicodeAttribute(null=True, attr_name="RedirectTo")
    type = LenientUnicodeAttribute(null=True, attr_name="Type")
    domain = LenientUnicodeAttribute(null=True, attr_name="Domain")
    made_at = TimestampAttribute(null=True, attr_name="CreatedAt")
    made_by = LenientUnicodeAttribute(null=True, attr_name="CreatedBy")
    # Whether a person added the redirect; else a rename left it.
    is_manual = LenientBooleanAttribute(null=True, attr_name="isManual")

    # The title of the page, for lists. Only this product writes it, at live addresses.
    title = LenientUnicodeAttribute(null=True)

    @property
    def slug(self) -> str:
        return str(self.key_parts["slug"])

    @property
    def node(self) -> str:
        """The page that it leads to; empty for a redirect of the service, which names only an address."""
        return keys.node_of(self.target_node or "")

    @node.setter
    def node(self, node: str) -> None:
        self.target_node = keys.node_reference(node)

    @property
    def leads_elsewhere(self) -> bool:
        """Whether it is a redirect. One of the service may lack the mark."""
        return bool(self.is_redirect) or (not self.node and bool(self.redirect_to))

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.ROUTES_TO.optional_key(node=self.node or None, **self.key_parts)

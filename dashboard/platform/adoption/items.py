"""Ids that appear in the table without a business or an account, as the stream and `reindex` show them."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import UnicodeAttribute

from dashboard.platform.adoption.kinds import kinds_text
from dashboard.platform.businesses.addresses import can_be_business, suggest_slug_for_id
from dashboard.table import keys
from dashboard.table.attributes import PlainListAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import Key
from dashboard.table.nested import StoredMap
from dashboard.table.timestamps import TimestampAttribute

CANNOT_BE_ADOPTED = _("Its id contains characters that a web address cannot contain, or is reserved.")


class UnknownBusiness(Item):
    """An id in the keys of other items that is not a business yet."""

    key_pattern = keys.UNKNOWN_BUSINESS
    needs_key_parts = True
    editable = False

    name = UnicodeAttribute(null=True)
    # Kind → the key of one such item.
    kinds = PlainMapAttribute(null=True)
    first_seen_at = TimestampAttribute(null=True, attr_name="firstSeenAt")
    last_seen_at = TimestampAttribute(null=True, attr_name="lastSeenAt")

    @property
    def id(self) -> str:
        return str(self.key_parts["business_id"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def can_be_adopted(self) -> bool:
        return can_be_business(self.id)

    @property
    def obstacle(self) -> str | Promise:
        """Why it cannot become a business; empty if it can."""
        return "" if self.can_be_adopted else CANNOT_BE_ADOPTED

    @property
    def suggested_slug(self) -> str:
        return suggest_slug_for_id(self.id, self.name or "")

    @property
    def examples(self) -> dict[str, Key]:
        """The key of one item of each kind."""
        found = {kind: Key(key.text("pk"), key.text("sk")) for kind, key in StoredMap.of(self.kinds).maps()}
        return {kind: key for kind, key in found.items() if key.pk and key.sk}

    @property
    def kinds_text(self) -> str:
        return kinds_text(self.examples)


class OutsideOwner(Item):
    """The id of an owner in another system, and the person who was linked to it."""

    key_pattern = keys.OUTSIDE_OWNER
    needs_key_parts = True

    # The person; None until an admin links one.
    email = UnicodeAttribute(null=True)
    name = UnicodeAttribute(null=True)
    # The businesses that name this owner, and those in which the person became an owner through the link.
    businesses = PlainListAttribute(null=True)
    owned_businesses = PlainListAttribute(null=True, attr_name="joined")
    first_seen_at = TimestampAttribute(null=True, attr_name="firstSeenAt")

    @property
    def id(self) -> str:
        return str(self.key_parts["owner"])

    @property
    def title(self) -> str:
        return self.name or self.email or ""

    @property
    def business_ids(self) -> list[str]:
        return [str(each) for each in self.businesses or []]

    @property
    def owned_business_ids(self) -> list[str]:
        return [str(each) for each in self.owned_businesses or []]

    @property
    def not_owned_business_ids(self) -> list[str]:
        """The businesses in which the linked person is not an owner yet."""
        return [each for each in self.business_ids if each not in self.owned_business_ids] if self.email else []

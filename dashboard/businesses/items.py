"""Businesses and who belongs to them."""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey


class Tenant(Item):
    """A business: who it is, and how it wants things."""

    pattern = keys.TENANT

    tenant_id = UnicodeAttribute(attr_name="tenantId")
    name = UnicodeAttribute()
    slug = UnicodeAttribute()
    status = UnicodeAttribute()
    plan = UnicodeAttribute()
    domain = UnicodeAttribute(null=True)
    billing_email = UnicodeAttribute(null=True, attr_name="billingEmail")
    owner_user_id = UnicodeAttribute(null=True, attr_name="ownerUserId")
    settings = PlainMapAttribute(null=True)


class Slug(Item):
    """A name taken by one business."""

    pattern = keys.SLUG
    editable = False

    tenant_id = UnicodeAttribute(attr_name="tenantId")


class Member(Item):
    """A person's place in a business. The name is copied, so that a list is one query."""

    pattern = keys.MEMBER

    tenant_id = UnicodeAttribute(attr_name="tenantId")
    email = UnicodeAttribute()
    tenant_name = UnicodeAttribute(attr_name="tenantName")

    def index_keys(self) -> Iterator[IndexKey]:
        yield keys.MEMBERS_OF_OWNER.key(email=self.email, created_at=self.created_at)

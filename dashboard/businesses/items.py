"""Businesses and who belongs to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import UnicodeAttribute

from dashboard.names import folded, initials
from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey, IndexKey


class Status(StrEnum):
    ACTIVE = "ACTIVE"
    TRIAL = "TRIAL"
    SUSPENDED = "SUSPENDED"
    CANCELLED = "CANCELLED"


class Plan(StrEnum):
    FREE = "FREE"
    PRO = "PRO"
    ENTERPRISE = "ENTERPRISE"


STATUS_LABELS = {
    Status.ACTIVE: _("Active"),
    Status.TRIAL: _("On trial"),
    Status.SUSPENDED: _("Suspended"),
    Status.CANCELLED: _("Cancelled"),
}
PLAN_LABELS = {Plan.FREE: _("Free"), Plan.PRO: _("Pro"), Plan.ENTERPRISE: _("Enterprise")}
CLOSED = {Status.SUSPENDED, Status.CANCELLED}
CLOSED_TEXTS: dict[str, Promise] = {
    Status.SUSPENDED: _("This business is suspended: you can look at everything and change nothing."),
    Status.CANCELLED: _("This business is cancelled: you can look at everything and change nothing."),
}


class Tenant(Item):
    """A business: who it is, and how it wants things."""

    pattern = keys.TENANT

    tenant_id = UnicodeAttribute(attr_name="tenantId")
    name = UnicodeAttribute()
    slug = UnicodeAttribute()
    status = UnicodeAttribute()
    plan = UnicodeAttribute()
    # Why it is suspended or cancelled, in words for its owners.
    status_reason = UnicodeAttribute(null=True, attr_name="statusReason")
    domain = UnicodeAttribute(null=True)
    billing_email = UnicodeAttribute(null=True, attr_name="billingEmail")
    owner_user_id = UnicodeAttribute(null=True, attr_name="ownerUserId")
    settings = PlainMapAttribute(null=True)

    # What lists show.
    CARD = ("tenantId", "name", "slug", "status", "plan", "domain", "createdAt", "revision")

    def index_keys(self) -> Iterator[IndexKey]:
        with suppress(BadKey):
            name = folded(self.name or "")
            yield keys.TENANTS.key(name=name, tenant=self.id)
            yield keys.TENANTS_BY_STATUS.key(status=self.status, name=name, tenant=self.id)

    @property
    def id(self) -> str:
        """What names it everywhere: its key says so, whatever else another service wrote."""
        return str((keys.TENANT.read(*self.key) or {})["tenant"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def initials(self) -> str:
        return initials(self.title)

    @property
    def timezone(self) -> str | None:
        return (self.settings or {}).get("defaultTimezone")

    @property
    def is_closed(self) -> bool:
        """Suspended or cancelled: its owners can look, and change nothing."""
        return self.status in CLOSED

    @property
    def closed_because(self) -> str:
        """What an owner reads on the pages of a closed business."""
        text = CLOSED_TEXTS.get(self.status, "")
        return f"{text} {self.status_reason or ''}".strip()


class Domain(Item):
    """A domain taken by one business."""

    pattern = keys.DOMAIN
    editable = False

    tenant_id = UnicodeAttribute(attr_name="tenantId")


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

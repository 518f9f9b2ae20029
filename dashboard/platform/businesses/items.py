"""Businesses, their addresses and their members."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from dashboard.core.names import folded, initials
from dashboard.platform.accounts.permissions import (
    BUSINESS_GRANTS,
    BUSINESS_ROLE_LABELS,
    BasePermission,
    BusinessRole,
)
from dashboard.platform.businesses.paths import business_url
from dashboard.platform.businesses.settings import NumberSetting, Setting
from dashboard.table import keys
from dashboard.table.attributes import LenientNumberAttribute, LenientUnicodeAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class BusinessStatus(StrEnum):
    ACTIVE = "ACTIVE"
    TRIAL = "TRIAL"
    SUSPENDED = "SUSPENDED"
    CANCELLED = "CANCELLED"


class Plan(StrEnum):
    FREE = "FREE"
    PRO = "PRO"
    ENTERPRISE = "ENTERPRISE"


STATUS_LABELS = {
    BusinessStatus.ACTIVE: _("Active"),
    BusinessStatus.TRIAL: _("Trial"),
    BusinessStatus.SUSPENDED: _("Suspended"),
    BusinessStatus.CANCELLED: _("Cancelled"),
}
PLAN_LABELS = {Plan.FREE: _("Free"), Plan.PRO: _("Pro"), Plan.ENTERPRISE: _("Enterprise")}
STATUS_LEVELS: dict[str, str] = {
    BusinessStatus.ACTIVE: "good",
    BusinessStatus.TRIAL: "info",
    BusinessStatus.SUSPENDED: "warn",
    BusinessStatus.CANCELLED: "plain",
    "LIVE": "good",
}
CLOSED = {BusinessStatus.SUSPENDED, BusinessStatus.CANCELLED}
# The site's service calls an open business LIVE.
OPEN = {BusinessStatus.ACTIVE, BusinessStatus.TRIAL, "LIVE"}
CLOSED_TEXTS: dict[str, Promise] = {
    BusinessStatus.SUSPENDED: _("This business is suspended. It is read-only."),
    BusinessStatus.CANCELLED: _("This business is cancelled. It is read-only."),
}


class Business(Item):
    """A business and its settings."""

    key_pattern = keys.TENANT
    needs_key_parts = True
    attributes_from_key = {"tenantId": "tenant"}
    shared_maps = frozenset({"settings"})

    business_id = LenientUnicodeAttribute(attr_name="tenantId")
    name = LenientUnicodeAttribute()
    slug = LenientUnicodeAttribute()
    status = LenientUnicodeAttribute()
    plan = LenientUnicodeAttribute()
    # Why it is suspended or cancelled. Its owners read this.
    status_reason = LenientUnicodeAttribute(null=True, attr_name="statusReason")
    domain = LenientUnicodeAttribute(null=True)
    billing_email = LenientUnicodeAttribute(null=True, attr_name="billingEmail")
    owner_user_id = LenientUnicodeAttribute(null=True, attr_name="ownerUserId")
    settings = PlainMapAttribute(null=True)

    # What people set inside `settings`; other entries belong to outside writers and are kept.
    language = Setting("language")
    timezone = Setting("defaultTimezone")
    color = Setting("widget", "primaryColor")
    position = Setting("widget", "position")
    # Booking rules (bookings/rules.py).
    notice_minutes = NumberSetting("booking", "noticeMinutes")
    horizon_days = NumberSetting("booking", "horizonDays")
    step_minutes = NumberSetting("booking", "stepMinutes")
    # Whether visitors can book on the booking page, and how they confirm (bookings/online).
    online_page = Setting("booking", "onlinePage")
    online_confirmation = Setting("booking", "onlineConfirmation")
    # The currency of new services.
    currency = Setting("booking", "currency")

    def index_keys(self) -> Iterator[IndexKey]:
        # A name without sortable characters is listed by the id.
        name = folded(self.name or "") or self.id
        yield from keys.TENANTS.optional_key(name=name, tenant=self.id)
        yield from keys.TENANTS_BY_STATUS.optional_key(status=self.status, name=name, tenant=self.id)

    @property
    def id(self) -> str:
        """The id in the key. The attribute may differ where an outside writer wrote it."""
        return str(self.key_parts["tenant"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def initials(self) -> str:
        return initials(self.title)

    @property
    def status_label(self) -> str | Promise:
        return STATUS_LABELS.get(self.status, self.status) or ""  # type: ignore[call-overload]

    @property
    def status_level(self) -> str:
        return STATUS_LEVELS.get(self.status, "plain")

    @property
    def plan_label(self) -> str | Promise:
        return PLAN_LABELS.get(self.plan, self.plan) or ""  # type: ignore[call-overload]

    @property
    def is_closed(self) -> bool:
        """Whether it is read-only for its owners."""
        # An outside writer may leave the status out; an unknown status counts as closed.
        return bool(self.status) and self.status not in OPEN

    @property
    def closed_text(self) -> str | Promise:
        if not self.is_closed:
            return ""
        return CLOSED_TEXTS.get(self.status) or _("This business is not active. It is read-only.")

    @property
    def closed_message(self) -> str:
        """The error that an owner gets for a change of a closed business."""
        reason = self.status_reason or ""
        return f"{self.closed_text} {reason}{'' if not reason or reason[-1] in '.!?…' else '.'}".strip()


class Domain(Item):
    """A domain that one business uses."""

    key_pattern = keys.DOMAIN
    editable = False

    business_id = LenientUnicodeAttribute(attr_name="tenantId")


class Slug(Item):
    """A slug that one business uses."""

    key_pattern = keys.SLUG
    editable = False

    business_id = LenientUnicodeAttribute(attr_name="tenantId")


class OwnerlessBusiness(Item):
    """A business without an owner whose account works. The home page of admins lists them."""

    key_pattern = keys.OWNERLESS
    needs_key_parts = True
    editable = False

    name = UnicodeAttribute(null=True)

    @property
    def id(self) -> str:
        return str(self.key_parts["tenant"])

    @property
    def title(self) -> str:
        return self.name or self.id


class Member(Item):
    """A person's membership in a business. Names are copied, so that a list is one query."""

    key_pattern = keys.MEMBER
    attributes_from_key = {"tenantId": "tenant", "email": "email"}

    business_id = LenientUnicodeAttribute(attr_name="tenantId")
    email = LenientUnicodeAttribute()
    # Copied from the business at its revision `copiedRevision`: see services/member_copies.py.
    business_name = LenientUnicodeAttribute(attr_name="tenantName")
    business_status = LenientUnicodeAttribute(null=True, attr_name="tenantStatus")
    copied_revision = LenientNumberAttribute(null=True, attr_name="copiedRevision")
    # The name of the person.
    name = LenientUnicodeAttribute(null=True)
    # Members from before roles existed have none: they are owners.
    role = LenientUnicodeAttribute(null=True)
    # Set until an invited person opens the business for the first time.
    invited_at = TimestampAttribute(null=True, attr_name="invitedAt")
    # Set while the account is disabled or has a role that opens no business; copied from the account.
    locked_at = TimestampAttribute(null=True, attr_name="lockedAt")

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.MEMBERS_OF_OWNER.optional_key(email=self.email, created_at=self.created_at)

    @property
    def business_role(self) -> BusinessRole | None:
        """The role in the business; None for a value that is not a role, which has no permissions."""
        if not self.role:
            return BusinessRole.OWNER
        return BusinessRole(self.role) if self.role in set(BusinessRole) else None

    @property
    def is_owner(self) -> bool:
        return self.business_role == BusinessRole.OWNER

    @property
    def is_active_owner(self) -> bool:
        return self.is_owner and not self.locked_at

    @property
    def role_label(self) -> str | Promise:
        return BUSINESS_ROLE_LABELS[self.business_role] if self.business_role else str(self.role)

    def may(self, permission: BasePermission) -> bool:
        """Whether the role has a permission inside the business."""
        # A permission that no app granted to business roles belongs to owners.
        return self.business_role in BUSINESS_GRANTS.get(permission, {BusinessRole.OWNER})

    @property
    def title(self) -> str:
        return self.name or self.email

    @property
    def initials(self) -> str:
        return initials(self.title)

    @property
    def url(self) -> str:
        return business_url(self.business_id)

    @property
    def is_closed(self) -> bool:
        return self.business_status in CLOSED

    @property
    def status_label(self) -> str | Promise:
        return STATUS_LABELS.get(self.business_status, "")  # type: ignore[call-overload, no-any-return]


class RemainingOwner(Item):
    """A person on whom others relied: businesses lost an owner because this person remains (services/last_owner.py)."""

    key_pattern = keys.REMAINING_OWNER
    editable = False

    businesses = UnicodeSetAttribute(null=True)
    # How often it happened.
    times = NumberAttribute(null=True)

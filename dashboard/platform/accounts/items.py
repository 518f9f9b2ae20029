"""People, sessions, throttle counters and the rules for signing in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.utils.functional import Promise
from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from dashboard.core.clock import now
from dashboard.core.names import initials
from dashboard.platform.accounts.permissions import GRANTS, ROLE_LABELS, BasePermission, Role
from dashboard.table import keys
from dashboard.table.attributes import LenientUnicodeAttribute, PlainListAttribute
from dashboard.table.commands import Actor
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey, IndexKey
from dashboard.table.timestamps import TimestampAttribute

INVITED, DISABLED = "invited", "disabled"
# Sorts before every date: outside writers store people without a date of registration.
NO_DATE = "0000-00-00T00:00:00Z"
# The partitions of the index of accounts: a role for people who can sign in, then the other states.
STATES = (*Role, INVITED, DISABLED)
_ROLES = frozenset(Role)


class Person(Item):
    """A person. `passwordHash` makes an account, `backOfficeRole` is its role."""

    key_pattern = keys.PERSON
    needs_key_parts = True
    attributes_from_key = {"email": "email"}

    email = UnicodeAttribute()
    # The id that outside writers use, if it is not the address.
    user_id = LenientUnicodeAttribute(null=True, attr_name="userId")
    name = LenientUnicodeAttribute(null=True)
    # The event service stores first and last name separately.
    last_name = LenientUnicodeAttribute(null=True, attr_name="lastname")
    country = LenientUnicodeAttribute(null=True)
    # The role in the event. It is shown, and gives no permission.
    role = LenientUnicodeAttribute(null=True)
    progress = PlainListAttribute(null=True)
    back_office_role = UnicodeAttribute(null=True, attr_name="backOfficeRole")
    password_hash = UnicodeAttribute(null=True, attr_name="passwordHash")
    session_epoch = NumberAttribute(null=True, attr_name="sessionEpoch")
    language = UnicodeAttribute(null=True)
    timezone = UnicodeAttribute(null=True)
    theme = UnicodeAttribute(null=True)
    # Whether pictures in the forum are shown without blur.
    clear_images = BooleanAttribute(null=True, attr_name="clearImages")
    last_sign_in_at = TimestampAttribute(null=True, attr_name="lastSignInAt")
    disabled_at = TimestampAttribute(null=True, attr_name="disabledAt")
    # The hash of the secret in an invitation or password link, until it is used or expires.
    link_hash = UnicodeAttribute(null=True, attr_name="linkHash")
    link_expires_at = TimestampAttribute(null=True, attr_name="linkExpiresAt")
    invited_at = TimestampAttribute(null=True, attr_name="invitedAt")
    # The second factor. Its secret is derived from the seed and the pepper. Recovery codes are stored as hashes.
    totp_seed = UnicodeAttribute(null=True, attr_name="totpSeed")
    totp_since = TimestampAttribute(null=True, attr_name="totpSince")
    # The time step of the last accepted code; it and earlier ones are refused.
    totp_step = NumberAttribute(null=True, attr_name="totpStep")
    recovery_hashes = UnicodeSetAttribute(null=True, attr_name="recoveryHashes")
    # The business whose owner created the account. Owners of other businesses cannot add this person, because nobody
    # else has confirmed that the address is theirs.
    invited_by_business = UnicodeAttribute(null=True, attr_name="invitedByTenant")
    # Set if this product created the person, not set if an outside writer did.
    made_here = NumberAttribute(null=True, attr_name="madeHere")

    # The attributes that the list of attendees and its export show.
    IN_EVENT = ("email", "name", "lastname", "country", "role", "progress", "backOfficeRole", "createdAt")

    def index_keys(self) -> Iterator[IndexKey]:
        registered_at = self.created_at or NO_DATE
        yield keys.PEOPLE_BY_AGE.key(created_at=registered_at)
        if self.country:
            # The country of an outside writer may contain `#`; then the person is not listed by country.
            with suppress(BadKey):
                yield keys.PEOPLE_BY_COUNTRY.key(country=self.country, created_at=registered_at)
        if self.state:
            yield keys.ACCOUNTS.key(state=self.state, email=self.email)
            yield keys.EVERYONE.key(email=self.email)

    @property
    def office_role(self) -> Role | None:
        try:
            return Role(self.back_office_role)
        except ValueError:
            return None

    @property
    def role_label(self) -> str | Promise:
        return ROLE_LABELS[self.office_role] if self.office_role else ""

    @property
    def state(self) -> str | None:
        """The state of the account: a role, invited or disabled; None without an account."""
        if self.office_role is None:
            return None
        if self.disabled_at:
            return DISABLED
        return self.office_role if self.password_hash else INVITED

    @property
    def listed_as(self) -> str:
        """The state in a list, which does not read the password hash."""
        if self.disabled_at:
            return DISABLED
        return INVITED if self.invited_at else "active"

    @property
    def may_sign_in(self) -> bool:
        return self.state in _ROLES

    @property
    def may_open_businesses(self) -> bool:
        """Whether the account is active and its role opens businesses. Which ones depends on the memberships."""
        return self.state in {Role.OWNER, Role.ADMIN}

    def is_invited_by(self, business: str) -> bool:
        """Whether an owner of this business created the account, and nobody has opened it yet."""
        is_member_only = self.office_role == Role.OWNER
        return self.state == INVITED and is_member_only and self.invited_by_business == business

    @property
    def has_second_factor(self) -> bool:
        return bool(self.totp_seed)

    @property
    def recovery_left(self) -> int:
        """The number of unused recovery codes."""
        return len(self.recovery_hashes or ())

    @property
    def epoch(self) -> int:
        return int(self.session_epoch or 0)

    def begin_epoch(self) -> None:
        """End all sessions. The epoch contains the time, so that it is new even if another program deleted the item."""
        self.session_epoch = max(self.epoch + 1, int(now().timestamp() * 1000))

    @property
    def title(self) -> str:
        """The name, or the e-mail address."""
        return self.full_name or self.email

    @property
    def full_name(self) -> str:
        """First and last name; empty if neither is known."""
        return " ".join(part for part in (self.name, self.last_name) if part)

    @property
    def raw_progress(self) -> dict[str, Any] | None:
        """The completed rooms as stored: an outside writer may use another type than a list."""
        return self.raw.get(str(Person.progress.attr_name))

    @property
    def selection_value(self) -> str:
        """The value of a selected row: the revision and the e-mail address."""
        return f"{self.revision}:{quote(self.email, safe='@')}"

    @property
    def initials(self) -> str:
        return initials(self.title)

    @property
    def actor(self) -> Actor:
        return Actor(self.email, self.title)

    def may(self, permission: BasePermission) -> bool:
        # The state of an account that can sign in is its role.
        return self.state in GRANTS.get(permission, ())


class Session(Item):
    """A session of one person in one browser. Only a hash of its key is stored."""

    key_pattern = keys.SESSION
    editable = False

    session_epoch = NumberAttribute(attr_name="sessionEpoch")
    last_seen_at = TimestampAttribute(attr_name="lastSeenAt")
    ends_at = TimestampAttribute(attr_name="endsAt")
    agent = UnicodeAttribute(null=True)
    address = UnicodeAttribute(null=True)
    # Set while the code is still missing. Such a session opens only the page that asks for the code.
    stage = UnicodeAttribute(null=True)

    CODE = "code"

    @property
    def id(self) -> str:
        parts = self.key_pattern.read(self.pk, self.sk) or {}
        return str(parts["hash"])

    @property
    def expires_at(self) -> datetime:
        return min(self.ends_at, datetime.fromtimestamp(float(self.ttl), tz=self.ends_at.tzinfo))

    def is_good_for(self, person: Person) -> bool:
        return not self.stage and self._lasts_for(person)

    def is_awaiting_code_of(self, person: Person) -> bool:
        """Whether the password was correct and the code is still missing."""
        return self.stage == self.CODE and person.has_second_factor and self._lasts_for(person)

    def _lasts_for(self, person: Person) -> bool:
        return int(self.session_epoch) == person.epoch and person.may_sign_in and now() < self.expires_at


class Throttle(Item):
    """The number of tries in a window of time."""

    key_pattern = keys.THROTTLE
    editable = False

    tries = NumberAttribute(null=True)
    # The ids of tries that can be taken back. A counter uses this or `tries`.
    attempts = UnicodeSetAttribute(null=True)
    # Those of `attempts` whose outcome is not known yet.
    undecided = UnicodeSetAttribute(null=True)


class Admins(Item):
    """The admins who can sign in. It prevents that the last one is removed."""

    key_pattern = keys.ADMINS
    editable = False

    emails = UnicodeSetAttribute(null=True)


class Security(Item):
    """The rules for signing in."""

    key_pattern = keys.SECURITY

    second_factor_roles = PlainListAttribute(null=True, attr_name="secondFactorRoles")

    @property
    def roles(self) -> list[str]:
        """The roles that need a second factor, in the order of `Role`. Unknown values are ignored."""
        return [str(role) for role in Role if role in (self.second_factor_roles or [])]

    # One property for each field of the form.
    needs_admin = property(lambda self: Role.ADMIN in self.roles)
    needs_moderator = property(lambda self: Role.MODERATOR in self.roles)
    needs_staff = property(lambda self: Role.STAFF in self.roles)
    needs_owner = property(lambda self: Role.OWNER in self.roles)

"""People, their sessions, and the counters that slow a guesser down."""

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
from dashboard.table.attributes import PlainListAttribute
from dashboard.table.commands import Actor
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey, IndexKey
from dashboard.table.timestamps import TimestampAttribute

INVITED, DISABLED = "invited", "disabled"
# The partitions of the index of accounts: those who may sign in by role, then those who may not.
STATES = (*Role, INVITED, DISABLED)


class Person(Item):
    """Anyone the platform knows. `passwordHash` makes an account, and `backOfficeRole` its role here."""

    pattern = keys.PERSON
    attributes_from_key = {"email": "email"}

    email = UnicodeAttribute()
    # What other services know them by, where that is not the address.
    user_id = UnicodeAttribute(null=True, attr_name="userId")
    name = UnicodeAttribute(null=True)
    country = UnicodeAttribute(null=True)
    # The event's own word for a person: shown, never trusted.
    role = UnicodeAttribute(null=True)
    progress = PlainListAttribute(null=True)
    back_office_role = UnicodeAttribute(null=True, attr_name="backOfficeRole")
    password_hash = UnicodeAttribute(null=True, attr_name="passwordHash")
    session_epoch = NumberAttribute(null=True, attr_name="sessionEpoch")
    language = UnicodeAttribute(null=True)
    timezone = UnicodeAttribute(null=True)
    theme = UnicodeAttribute(null=True)
    # Pictures in the forum come blurred unless someone says otherwise.
    clear_images = BooleanAttribute(null=True, attr_name="clearImages")
    last_sign_in_at = TimestampAttribute(null=True, attr_name="lastSignInAt")
    disabled_at = TimestampAttribute(null=True, attr_name="disabledAt")
    # An invitation or a reset: the hash of a link's secret, until it is used or too old.
    link_hash = UnicodeAttribute(null=True, attr_name="linkHash")
    link_expires_at = TimestampAttribute(null=True, attr_name="linkExpiresAt")
    invited_at = TimestampAttribute(null=True, attr_name="invitedAt")
    # The second factor. The seed is half of its secret, the pepper the other; only hashes of recovery codes are kept.
    totp_seed = UnicodeAttribute(null=True, attr_name="totpSeed")
    totp_since = TimestampAttribute(null=True, attr_name="totpSince")
    # The step of the last code taken: that one and older ones are refused.
    totp_step = NumberAttribute(null=True, attr_name="totpStep")
    recovery_hashes = UnicodeSetAttribute(null=True, attr_name="recoveryHashes")
    # Set where this product made the person, unset where another service did.
    made_here = NumberAttribute(null=True, attr_name="madeHere")

    # What lists show; never a hash or a seed.
    CARD = (
        "email",
        "name",
        "backOfficeRole",
        "disabledAt",
        "invitedAt",
        "lastSignInAt",
        "linkExpiresAt",
        "revision",
    )
    # What the list of the event's people shows, and its file.
    IN_EVENT = ("email", "name", "country", "role", "progress", "backOfficeRole", "createdAt")

    def index_keys(self) -> Iterator[IndexKey]:
        if self.created_at:
            yield keys.PEOPLE_BY_AGE.key(created_at=self.created_at)
            if self.country:
                # Another service's country may hold a `#`: then it is not listed by country.
                with suppress(BadKey):
                    yield keys.PEOPLE_BY_COUNTRY.key(country=self.country, created_at=self.created_at)
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
        """Where this person stands among the accounts; none for someone who has none."""
        if self.office_role is None:
            return None
        if self.disabled_at:
            return DISABLED
        return self.office_role if self.password_hash else INVITED

    @property
    def listed_as(self) -> str:
        """The state as a list shows it: a list does not fetch the password's hash, the index knows."""
        if self.disabled_at:
            return DISABLED
        return INVITED if self.invited_at else "active"

    @property
    def may_sign_in(self) -> bool:
        return self.state is not None and self.state in set(Role)

    @property
    def has_second_factor(self) -> bool:
        return bool(self.totp_seed)

    @property
    def recovery_left(self) -> int:
        """How many recovery codes have not been used."""
        return len(self.recovery_hashes or ())

    @property
    def epoch(self) -> int:
        return int(self.session_epoch or 0)

    @property
    def title(self) -> str:
        """What to call them."""
        return self.name or self.email

    @property
    def raw_progress(self) -> dict[str, Any] | None:
        """The rooms they have completed as it was read: other services may keep another type than a list."""
        return self.raw.get(str(Person.progress.attr_name))

    @property
    def pick(self) -> str:
        """What a selected row sends: the revision seen and the address."""
        return f"{self.revision}:{quote(self.email, safe='@')}"

    @property
    def initials(self) -> str:
        return initials(self.title)

    @property
    def actor(self) -> Actor:
        return Actor(self.email, self.title)

    def may(self, permission: BasePermission) -> bool:
        role = self.office_role
        return role is not None and self.may_sign_in and role in GRANTS.get(permission, ())


class Session(Item):
    """One browser of one person. Only a hash of its key is stored."""

    pattern = keys.SESSION
    editable = False

    session_epoch = NumberAttribute(attr_name="sessionEpoch")
    last_seen_at = TimestampAttribute(attr_name="lastSeenAt")
    ends_at = TimestampAttribute(attr_name="endsAt")
    agent = UnicodeAttribute(null=True)
    address = UnicodeAttribute(null=True)
    # Set while only the password has been given: such a session opens nothing but the page that asks for the code.
    stage = UnicodeAttribute(null=True)

    CODE = "code"

    @property
    def id(self) -> str:
        parts = self.pattern.read(self.pk, self.sk) or {}
        return str(parts["hash"])

    @property
    def expires_at(self) -> datetime:
        return min(self.ends_at, datetime.fromtimestamp(float(self.ttl), tz=self.ends_at.tzinfo))

    def is_good_for(self, person: Person) -> bool:
        return not self.stage and self._lasts_for(person)

    def is_halfway_for(self, person: Person) -> bool:
        """The password was right, and the code is still to come."""
        return self.stage == self.CODE and person.has_second_factor and self._lasts_for(person)

    def _lasts_for(self, person: Person) -> bool:
        return int(self.session_epoch) == person.epoch and person.may_sign_in and now() < self.expires_at


class Throttle(Item):
    """How often something was tried in a stretch of time."""

    pattern = keys.THROTTLE
    editable = False

    tries = NumberAttribute()


class Admins(Item):
    """The roster of admins who can sign in: what keeps the last one from locking everyone out."""

    pattern = keys.ADMINS
    editable = False

    emails = UnicodeSetAttribute(null=True)


class Security(Item):
    """What is asked of people when they sign in."""

    pattern = keys.SECURITY

    second_factor_roles = PlainListAttribute(null=True, attr_name="secondFactorRoles")

    @property
    def roles(self) -> list[str]:
        """The roles that need a second factor, in the order of the roles; whatever else stands there is none."""
        return [str(role) for role in Role if role in (self.second_factor_roles or [])]

    # One by one, as the form asks for them.
    needs_admin = property(lambda self: Role.ADMIN in self.roles)
    needs_moderator = property(lambda self: Role.MODERATOR in self.roles)
    needs_staff = property(lambda self: Role.STAFF in self.roles)
    needs_owner = property(lambda self: Role.OWNER in self.roles)

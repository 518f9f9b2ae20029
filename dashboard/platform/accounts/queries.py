"""Queries for people, sessions and sign-in rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.fields import PERSON_FIELDS
from dashboard.platform.accounts.items import Person, Security, Session, Throttle
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses.items import Business, Member
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern

PAGE = 50
# The attributes that lists show; never a hash or a seed.
IN_LISTS = PERSON_FIELDS.list_attributes("email", "disabledAt", "invitedAt", "lastSignInAt", "linkExpiresAt")
# The number of people of a role whose second factors are counted.
MAX_COUNTED = 100


@dataclass(frozen=True)
class SignedIn:
    """A session with its person, the sign-in rules and the business in the path."""

    session: Session
    person: Person
    security: Security | None
    business: Business | None = None
    member: Member | None = None

    @property
    def needs_second_factor(self) -> bool:
        return self.security is not None and self.person.back_office_role in self.security.roles


@access_pattern(
    "Who is signed in, and in which business?", keys.SESSION, keys.PERSON, keys.SECURITY, keys.TENANT, keys.MEMBER
)
def find_signed_in(email: str, key_hash: str, business: str = "") -> SignedIn | None:
    """All in one consistent read."""
    keys_to_read = [keys.SESSION.key(email=email, hash=key_hash), keys.PERSON.key(email=email), keys.SECURITY.key()]
    if business:
        keys_to_read += [keys.TENANT.key(tenant=business), keys.MEMBER.key(tenant=business, email=email)]
    session, person, *others = cast(list[Any], read.get_many(keys_to_read))
    return SignedIn(session, person, *others) if session and person else None


@access_pattern("Who has this e-mail address?", keys.PERSON)
def find_person(email: str) -> Person | None:
    try:
        return read.get(Person, keys.PERSON.key(email=email))
    except BadKey:
        return None


def load_person(email: str) -> Person:
    found = find_person(email)
    if found is None:
        raise NotFound
    return found


def load_account(email: str) -> Person:
    """A person who has an account or an invitation."""
    found = load_person(email)
    if found.state is None:
        raise NotFound
    return found


@access_pattern("Who has one of these e-mail addresses?", keys.PERSON)
def people_with(emails: Sequence[str]) -> dict[str, Person]:
    """At most a hundred addresses, so that it is one read."""
    found = read.get_many([keys.PERSON.key(email=email) for email in emails])
    return {email: person for email, person in zip(emails, found, strict=True) if isinstance(person, Person)}


@access_pattern("Which accounts are in this state, by e-mail?", keys.ACCOUNTS)
def accounts(state: str, prefix: str = "", start_key: Any = None) -> read.Page[Person]:
    collection = keys.ACCOUNTS.collection(state=state)
    return read.page(collection, Person, starts_with=prefix, start_key=start_key, limit=PAGE, attributes=IN_LISTS)


@access_pattern("Which accounts are there, by e-mail?", keys.EVERYONE)
def everyone(prefix: str = "", start_key: Any = None, limit: int = PAGE) -> read.Page[Person]:
    """One query for all states, from a partition of its own."""
    return read.page(
        keys.EVERYONE.collection(), Person, starts_with=prefix, start_key=start_key, limit=limit, attributes=IN_LISTS
    )


@access_pattern("Where is this person signed in?", keys.SESSION, partition=True)
def sessions(email: str) -> list[Session]:
    found = read.page(keys.SESSION.collection(email=email), Session, limit=100, consistent=True)
    return sorted(found.items, key=lambda each: each.last_seen_at, reverse=True)


@access_pattern("What are the rules for signing in?", keys.SECURITY)
def find_security() -> Security | None:
    return read.get(Security, keys.SECURITY.key())


@access_pattern("Which passwords and codes of this counter are still being checked?", keys.THROTTLE)
def find_counter(key: Key) -> Throttle | None:
    return read.get(Throttle, key)


@dataclass(frozen=True)
class Coverage:
    """How many people of a role have a second factor, and who does not."""

    with_factor: int
    names_without: list[str]
    has_more: bool

    @property
    def counted(self) -> int:
        return self.with_factor + len(self.names_without)


@access_pattern("Which people of this role have a second factor?", keys.ACCOUNTS)
def coverage(role: Role) -> Coverage:
    """Of the first hundred people, so that the cost of the page has a limit."""
    attributes = ("email", "name", "totpSince")
    found = read.page(keys.ACCOUNTS.collection(state=role), Person, limit=MAX_COUNTED, attributes=attributes)
    lacking = [person.title for person in found.items if person.totp_since is None]
    return Coverage(len(found.items) - len(lacking), lacking, has_more=found.next_start_key is not None)

"""What the product asks about people and their sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.items import Person, Security, Session
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses.items import Business, Member
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 50
# Whose second factors are counted of a role; beyond that it says "or more".
MOST_COUNTED = 100


@dataclass(frozen=True)
class Signed:
    """What a session's cookie stands for, the business of the address, and what is asked of everyone."""

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
def signed_in(email: str, key_hash: str, business: str = "") -> Signed | None:
    """All in one consistent trip."""
    wanted = [keys.SESSION.key(email=email, hash=key_hash), keys.PERSON.key(email=email), keys.SECURITY.key()]
    if business:
        wanted += [keys.TENANT.key(tenant=business), keys.MEMBER.key(tenant=business, email=email)]
    found: list[Any] = list(read.get_many(wanted))
    return Signed(*found) if found[0] and found[1] else None


@access_pattern("Who has this e-mail address?", keys.PERSON)
def find_person(email: str) -> Person | None:
    try:
        return read.get(Person, keys.PERSON.key(email=email))
    except BadKey:
        return None


def load_person(email: str) -> Person:
    """The same, where there has to be one."""
    found = find_person(email)
    if found is None:
        raise NotFound
    return found


def load_account(email: str) -> Person:
    """Someone who has, or is invited to, an account."""
    found = load_person(email)
    if found.state is None:
        raise NotFound
    return found


@access_pattern("Who has one of these e-mail addresses?", keys.PERSON)
def people_with(emails: Sequence[str]) -> dict[str, Person]:
    """At most a hundred addresses: one read."""
    found = read.get_many([keys.PERSON.key(email=email) for email in emails])
    return {email: person for email, person in zip(emails, found, strict=True) if isinstance(person, Person)}


@access_pattern("Which accounts are in this state, by e-mail?", keys.ACCOUNTS)
def accounts(state: str, prefix: str = "", start: Any = None) -> read.Page[Person]:
    where = keys.ACCOUNTS.under(state=state)
    return read.page(where, Person, starts_with=prefix, start=start, limit=PAGE, only=Person.CARD)


@access_pattern("Which accounts are there, by e-mail?", keys.EVERYONE)
def everyone(prefix: str = "", start: Any = None, limit: int = PAGE) -> read.Page[Person]:
    """One query, whatever the states: a partition of its own costs a write and saves a query a state."""
    return read.page(keys.EVERYONE.under(), Person, starts_with=prefix, start=start, limit=limit, only=Person.CARD)


@access_pattern("Where is this person signed in?", keys.SESSION, partition=True)
def sessions(email: str) -> list[Session]:
    found = read.page(keys.SESSION.under(email=email), Session, limit=100, consistent=True)
    return sorted(found.items, key=lambda each: each.last_seen_at, reverse=True)


@access_pattern("What is asked of people when they sign in?", keys.SECURITY)
def security() -> Security | None:
    return read.get(Security, keys.SECURITY.key())


@dataclass(frozen=True)
class Coverage:
    """How far the second factor has come among the people of a role."""

    having: int
    lacking: list[str]
    more: bool

    @property
    def counted(self) -> int:
        return self.having + len(self.lacking)


@access_pattern("Who of this role has a second factor?", keys.ACCOUNTS)
def coverage(role: Role) -> Coverage:
    """Of the first hundred: no index tells, and a page must not cost more as people come."""
    only = ("email", "name", "totpSince")
    found = read.page(keys.ACCOUNTS.under(state=role), Person, limit=MOST_COUNTED, only=only)
    lacking = [person.title for person in found.items if person.totp_since is None]
    return Coverage(len(found.items) - len(lacking), lacking, more=found.next is not None)

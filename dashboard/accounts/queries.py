"""What the product asks about people and their sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.accounts.items import Person, Session
from dashboard.businesses.items import Member, Tenant
from dashboard.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 50


@dataclass(frozen=True)
class Signed:
    """Who is signed in, and the business of the address with their place in it."""

    session: Session | None
    person: Person | None
    business: Tenant | None = None
    member: Member | None = None


@access_pattern("Who is signed in, and in which business?", keys.SESSION, keys.PERSON, keys.TENANT, keys.MEMBER)
def signed_in(email: str, key_hash: str, business: str = "") -> Signed:
    """All in one consistent trip."""
    wanted = [keys.SESSION.key(email=email, hash=key_hash), keys.PERSON.key(email=email)]
    if business:
        wanted += [keys.TENANT.key(tenant=business), keys.MEMBER.key(tenant=business, email=email)]
    found: list[Any] = list(read.get_many(wanted))
    return Signed(*found)


@access_pattern("Who has this e-mail address?", keys.PERSON)
def find_person(email: str) -> Person | None:
    try:
        return read.get(Person, keys.PERSON.key(email=email))
    except BadKey:
        return None


def person(email: str) -> Person:
    """The same, where there has to be one."""
    found = find_person(email)
    if found is None:
        raise NotFound
    return found


def account(email: str) -> Person:
    """Someone who has, or is invited to, an account."""
    found = person(email)
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

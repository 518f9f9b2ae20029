"""What the product asks about people and their sessions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from dashboard.accounts.items import STATES, Person, Session
from dashboard.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 50


@access_pattern("Who is signed in with this session?", keys.SESSION, keys.PERSON)
def session_and_person(email: str, key_hash: str) -> tuple[Session | None, Person | None]:
    """Both in one consistent trip."""
    wanted = [keys.SESSION.key(email=email, hash=key_hash), keys.PERSON.key(email=email)]
    session, person = read.get_many(wanted)
    return cast(Session | None, session), cast(Person | None, person)


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


@access_pattern("Which accounts are in this state, by e-mail?", keys.ACCOUNTS)
def accounts(state: str, prefix: str = "", start: Any = None, limit: int = PAGE) -> read.Page[Person]:
    where = keys.ACCOUNTS.under(state=state)
    return read.page(where, Person, starts_with=prefix, start=start, limit=limit, only=Person.CARD)


@dataclass(frozen=True)
class People:
    """A page of people, and where each state's next page starts."""

    items: list[Person]
    next: dict[str, Any] | None


def everyone(prefix: str = "", starts: dict[str, Any] | None = None, limit: int = PAGE) -> People:
    """Accounts of every state in one list by e-mail: the states side by side, merged."""
    starts = dict.fromkeys(STATES) if starts is None else starts
    pages = read.gather(*(lambda s=s, at=at: accounts(s, prefix, at, limit) for s, at in starts.items()))
    by_state = dict(zip(starts, pages, strict=True))
    merged = sorted((p for page in pages for p in page.items), key=lambda p: p.email)[:limit]
    shown = {p.email for p in merged}
    following = {}
    for state, page in by_state.items():
        if page.items and page.items[-1].email in shown:
            if page.next is not None:
                following[state] = page.next
        elif page.items:
            last = [p for p in page.items if p.email in shown]
            following[state] = read.place(last[-1], keys.ACCOUNTS.index) if last else starts[state]
    return People(merged, following or None)


def one_state(state: str, prefix: str = "", starts: dict[str, Any] | None = None) -> People:
    found = accounts(state, prefix, (starts or {}).get(state))
    return People(found.items, {state: found.next} if found.next else None)


@access_pattern("Where is this person signed in?", keys.SESSION, partition=True)
def sessions(email: str) -> list[Session]:
    found = read.page(keys.SESSION.under(email=email), Session, limit=100, consistent=True)
    return sorted(found.items, key=lambda each: each.last_seen_at, reverse=True)

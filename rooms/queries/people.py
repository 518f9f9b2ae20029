"""What is asked about the event's people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.core.names import unaccented
from dashboard.platform.accounts import emails
from dashboard.platform.accounts.items import Person
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern
from rooms.items import Room

PAGE = 50
# So many of a list are looked through for words at once: one answer holds them.
LOOKED_THROUGH = 500
# Longer names than a key of ours could hold are nobody's.
MAX_BYTES = 1000


@dataclass(frozen=True)
class AttendeeFilter:
    """Whom someone looks for: by an address or words, of a country."""

    q: str = ""
    country: str = ""

    @property
    def scope(self) -> tuple[str, ...]:
        """What a cursor into this is good for."""
        return self.q, self.country

    @property
    def spellings(self) -> list[str]:
        """How the country may be written in the table, as it was typed first."""
        typed = self.country
        return list(dict.fromkeys([typed, typed[:1].upper() + typed[1:], typed.title()]))

    @property
    def address(self) -> str:
        """The whole address that was asked for; none where it is words."""
        return self.q if "@" in self.q.strip("@") and not self.q.split()[1:] else ""


@dataclass(frozen=True)
class AttendeePage(read.Page[Person]):
    """People, of the country as the table writes it; with words, found among so many, back to there."""

    country: str = ""
    among: int | None = None
    back_to: datetime | None = None


@access_pattern("Who has registered for the event, newest first?", keys.PEOPLE_BY_AGE)
def newest(start: Any = None, limit: int = PAGE) -> read.Page[Person]:
    where = keys.PEOPLE_BY_AGE.under()
    return _people(read.page(where, Person, newest_first=True, start=start, limit=limit, only=Person.IN_EVENT))


@access_pattern("Who of this country has registered, newest first?", keys.PEOPLE_BY_COUNTRY)
def of_country(country: str, start: Any = None, limit: int = PAGE) -> read.Page[Person]:
    try:
        where = keys.PEOPLE_BY_COUNTRY.under(country=country)
    except BadKey:
        return read.Page([])
    return _people(read.page(where, Person, newest_first=True, start=start, limit=limit, only=Person.IN_EVENT))


def _people(found: read.Page[Person]) -> read.Page[Person]:
    """What another service put into the index and is nobody's profile is left out."""
    return read.Page([each for each in found.items if each.key_parts], found.next)


def people(country: str, start: Any = None, limit: int = PAGE) -> read.Page[Person]:
    """Of a country as it is written, or all of them."""
    return of_country(country, start, limit) if country else newest(start, limit)


@access_pattern("Who of the event has this address?", keys.PERSON)
def find(email: str) -> Person | None:
    """As it is written; else as we write addresses. Also whom no index knows."""
    try:
        wanted = [_key(each) for each in dict.fromkeys([email, emails.normalise(email)])]
    except NotFound:
        return None
    return next((each for each in read.get_many(wanted) if isinstance(each, Person)), None)


@access_pattern("How far is this person, and is there this room?", keys.PERSON, keys.ROOM)
def person_and_room(email: str, room: str) -> tuple[Person, Room | None]:
    """Both in one consistent trip."""
    wanted = [_key(email)]
    with suppress(BadKey):  # A name that no key can hold is no room's.
        wanted.append(keys.ROOM.key(room=room))
    person, *rooms = read.get_many(wanted)
    if not isinstance(person, Person):
        raise NotFound
    return person, next((each for each in rooms if isinstance(each, Room)), None)


def _key(email: str) -> Key:
    if not can_be_address(email):
        raise NotFound
    try:
        return keys.PERSON.key(email=email)
    except BadKey:
        raise NotFound from None


def can_be_address(email: str) -> bool:
    """Whether every key that holds it is short enough."""
    return len(email.encode(errors="replace")) <= MAX_BYTES


# --- A page of the list ---------------------------------------------------------------------------
def reads_for(wanted: AttendeeFilter, place: Any = None) -> list[Callable[[], Any]]:
    """The reads behind a page, to go out side by side with whatever else it needs; `place` is where it starts."""
    limit = LOOKED_THROUGH if wanted.q else PAGE
    if place is not None:
        return [partial(people, place["country"], place["start"], limit)]
    asked: list[Callable[[], Any]] = [partial(people, each, None, limit) for each in wanted.spellings]
    return asked + ([partial(find, wanted.address)] if wanted.address else [])


def found_by(wanted: AttendeeFilter, place: Any, answers: Sequence[Any]) -> AttendeePage:
    """What those reads have answered."""
    if wanted.address and place is None and answers[-1] is not None:
        # One person is meant, whatever country is chosen.
        return AttendeePage([answers[-1]], country=wanted.country)
    countries = wanted.spellings if place is None else [place["country"]]
    pages: list[tuple[str, read.Page[Person]]] = list(zip(countries, answers, strict=False))
    country, page = next((each for each in pages if each[1].items or each[1].next), pages[0])
    following: Any = {"country": country, "start": page.next} if page.next else None
    if not wanted.q:
        return AttendeePage(page.items, following, country)
    words = unaccented(wanted.q).split()
    back_to = next((each.created_at for each in reversed(page.items) if each.created_at), None)
    having = [each for each in page.items if _has(each, words)]
    return AttendeePage(having, following, country, len(page.items), back_to)


def _has(person: Person, words: Sequence[str]) -> bool:
    text = unaccented(f"{person.name or ''} {person.email}")
    return all(word in text for word in words)

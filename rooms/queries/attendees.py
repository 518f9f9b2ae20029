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
SEARCH_SIZE = 500
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
    searched: int | None = None
    searched_back_to: datetime | None = None


@access_pattern("Who has registered for the event, newest first?", keys.PEOPLE_BY_AGE)
def newest_attendees(start: Any = None, limit: int = PAGE) -> read.Page[Person]:
    where = keys.PEOPLE_BY_AGE.under()
    return _with_keys(read.page(where, Person, newest_first=True, start=start, limit=limit, only=Person.IN_EVENT))


@access_pattern("Who of this country has registered, newest first?", keys.PEOPLE_BY_COUNTRY)
def attendees_of_country(country: str, start: Any = None, limit: int = PAGE) -> read.Page[Person]:
    try:
        where = keys.PEOPLE_BY_COUNTRY.under(country=country)
    except BadKey:
        return read.Page([])
    return _with_keys(read.page(where, Person, newest_first=True, start=start, limit=limit, only=Person.IN_EVENT))


def _with_keys(found: read.Page[Person]) -> read.Page[Person]:
    """What another service put into the index and is nobody's profile is left out."""
    return read.Page([each for each in found.items if each.key_parts], found.next)


def attendees_page(country: str, start: Any = None, limit: int = PAGE) -> read.Page[Person]:
    """Of a country as it is written, or all of them."""
    return attendees_of_country(country, start, limit) if country else newest_attendees(start, limit)


@access_pattern("Who of the event has this address?", keys.PERSON)
def find_attendee(email: str) -> Person | None:
    """As it is written; else as we write addresses. Also whom no index knows."""
    try:
        wanted = [_key(each) for each in dict.fromkeys([email, emails.normalise(email)])]
    except NotFound:
        return None
    return next((each for each in read.get_many(wanted) if isinstance(each, Person)), None)


@access_pattern("How far is this person, and is there this room?", keys.PERSON, keys.ROOM)
def load_attendee_and_room(email: str, room: str) -> tuple[Person, Room | None]:
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


def reads_for(filter: AttendeeFilter, start: Any = None) -> list[Callable[[], Any]]:
    """The reads of one page, to run in parallel with others; `start` is the position that `build_page` returned."""
    limit = SEARCH_SIZE if filter.q else PAGE
    if start is not None:
        return [partial(attendees_page, start["country"], start["start"], limit)]
    reads: list[Callable[[], Any]] = [partial(attendees_page, each, None, limit) for each in filter.spellings]
    return reads + ([partial(find_attendee, filter.address)] if filter.address else [])


def build_page(filter: AttendeeFilter, start: Any, results: Sequence[Any]) -> AttendeePage:
    """The page that the results of `reads_for` make."""
    if filter.address and start is None and results[-1] is not None:
        # An address names one person, whatever country is chosen.
        return AttendeePage([results[-1]], country=filter.country)
    countries = filter.spellings if start is None else [start["country"]]
    pages: list[tuple[str, read.Page[Person]]] = list(zip(countries, results, strict=False))
    country, page = next((each for each in pages if each[1].items or each[1].next), pages[0])
    following: Any = {"country": country, "start": page.next} if page.next else None
    if not filter.q:
        return AttendeePage(page.items, following, country)
    words = unaccented(filter.q).split()
    searched_back_to = next((each.created_at for each in reversed(page.items) if each.created_at), None)
    matches = [each for each in page.items if _matches(each, words)]
    return AttendeePage(matches, following, country, len(page.items), searched_back_to)


def _matches(person: Person, words: Sequence[str]) -> bool:
    text = unaccented(f"{person.name or ''} {person.email}")
    return all(word in text for word in words)

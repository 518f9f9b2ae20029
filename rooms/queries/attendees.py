"""Queries for attendees."""

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
# Attendees that one search step reads: one answer holds them.
SEARCH_SIZE = 500
# The longest address that fits into our keys.
MAX_BYTES = 1000


@dataclass(frozen=True)
class AttendeeFilter:
    """The filter of the list: an address or words, and a country."""

    q: str = ""
    country: str = ""

    @property
    def scope(self) -> tuple[str, ...]:
        """The filter's part of the cursor's scope."""
        return self.q, self.country

    @property
    def spellings(self) -> list[str]:
        """Possible spellings of the country in the table; as typed first."""
        typed = self.country
        return list(dict.fromkeys([typed, typed[:1].upper() + typed[1:], typed.title()]))

    @property
    def address(self) -> str:
        """The complete address that was entered; empty if words were entered."""
        return self.q if "@" in self.q.strip("@") and not self.q.split()[1:] else ""


@dataclass(frozen=True)
class AttendeePage(read.Page[Person]):
    """Attendees; `country` is the spelling in the table. `searched` items were searched for words."""

    country: str = ""
    searched: int | None = None
    searched_back_to: datetime | None = None


@access_pattern("Who has registered for the event, newest first?", keys.PEOPLE_BY_AGE)
def newest_attendees(start_key: Any = None, limit: int = PAGE) -> read.Page[Person]:
    collection = keys.PEOPLE_BY_AGE.collection()
    return read.page(
        collection, Person, newest_first=True, start_key=start_key, limit=limit, attributes=Person.IN_EVENT
    )


@access_pattern("Who of this country has registered, newest first?", keys.PEOPLE_BY_COUNTRY)
def attendees_of_country(country: str, start_key: Any = None, limit: int = PAGE) -> read.Page[Person]:
    try:
        collection = keys.PEOPLE_BY_COUNTRY.collection(country=country)
    except BadKey:
        return read.Page([])
    return read.page(
        collection, Person, newest_first=True, start_key=start_key, limit=limit, attributes=Person.IN_EVENT
    )


def attendees_page(country: str, start_key: Any = None, limit: int = PAGE) -> read.Page[Person]:
    """Attendees of a country in this spelling; all attendees without a country."""
    return attendees_of_country(country, start_key, limit) if country else newest_attendees(start_key, limit)


@access_pattern("Which attendee has this address?", keys.PERSON)
def find_attendee(email: str) -> Person | None:
    """Find by the address as written, then in normalised form; index keys are not needed."""
    try:
        keys_to_read = [_key(each) for each in dict.fromkeys([email, emails.normalise(email)])]
    except NotFound:
        return None
    return next((each for each in read.get_many(keys_to_read) if isinstance(each, Person)), None)


@access_pattern("Which rooms has this attendee completed, and does this room exist?", keys.PERSON, keys.ROOM)
def load_attendee_and_room(email: str, room: str) -> tuple[Person, Room | None]:
    """The attendee and the room, if it exists, in one consistent read."""
    keys_to_read = [_key(email)]
    with suppress(BadKey):  # No room can have a name that fits into no key.
        keys_to_read.append(keys.ROOM.key(room=room))
    person, *rooms = read.get_many(keys_to_read)
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
    """Whether the address is short enough for every key."""
    return len(email.encode(errors="replace")) <= MAX_BYTES


def reads_for(filter: AttendeeFilter, start_key: Any = None) -> list[Callable[[], Any]]:
    """The reads of one page, to run in parallel with others; `start` is the position that `build_page` returned."""
    limit = SEARCH_SIZE if filter.q else PAGE
    if start_key is not None:
        return [partial(attendees_page, start_key["country"], start_key["start"], limit)]
    reads: list[Callable[[], Any]] = [partial(attendees_page, each, None, limit) for each in filter.spellings]
    return reads + ([partial(find_attendee, filter.address)] if filter.address else [])


def build_page(filter: AttendeeFilter, start_key: Any, results: Sequence[Any]) -> AttendeePage:
    """The page that the results of `reads_for` make."""
    if filter.address and start_key is None and results[-1] is not None:
        # An address identifies one person, so the country is ignored.
        return AttendeePage([results[-1]], country=filter.country)
    countries = filter.spellings if start_key is None else [start_key["country"]]
    pages: list[tuple[str, read.Page[Person]]] = list(zip(countries, results, strict=False))
    country, page = next((each for each in pages if each[1].items or each[1].next_start_key), pages[0])
    following: Any = {"country": country, "start": page.next_start_key} if page.next_start_key else None
    if not filter.q:
        return AttendeePage(page.items, following, country)
    words = unaccented(filter.q).split()
    searched_back_to = next((each.created_at for each in reversed(page.items) if each.created_at), None)
    matches = [each for each in page.items if _matches(each, words)]
    return AttendeePage(matches, following, country, len(page.items), searched_back_to)


def _matches(person: Person, words: Sequence[str]) -> bool:
    text = unaccented(f"{person.full_name} {person.email}")
    return all(word in text for word in words)

"""The countries of people, for events that do not name one."""

from __future__ import annotations

import time
from collections.abc import Iterable

from activity.events import MAX_NAME
from dashboard.platform.accounts.items import Person
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern

# Countries rarely change, and people do many things in a row.
_MAX_AGE_SECONDS = 600.0
_MAX_PEOPLE = 20_000
_countries: dict[str, tuple[float, str | None]] = {}


@access_pattern("From which countries are these people?", keys.PERSON)
def countries_of(users: Iterable[str]) -> dict[str, str | None]:
    """The country of each person, as in their profile; None if it is unknown."""
    users, oldest = set(users), time.monotonic() - _MAX_AGE_SECONDS
    missing = {user: key for user in users if _is_older(user, oldest) and (key := _profile_key(user)) is not None}
    if len(_countries) + len(missing) > _MAX_PEOPLE:
        _countries.clear()
    found = read.get_many(list(missing.values()), consistent=False, attributes=["country"]) if missing else []
    for user, person in zip(missing, found, strict=True):
        country = person.country if isinstance(person, Person) else None
        _countries[user] = time.monotonic(), _usable(country)
    return {user: _countries[user][1] for user in users if user in _countries}


def _is_older(user: str, oldest: float) -> bool:
    return user not in _countries or _countries[user][0] < oldest


def _usable(country: str | None) -> str | None:
    """The country, unless it cannot be part of a key: the event is then logged without one."""
    text = (country or "").strip()
    return text if text and len(text) <= MAX_NAME and "#" not in text and text.isprintable() else None


def _profile_key(user: str) -> Key | None:
    try:
        return keys.PERSON.key(email=user)
    except BadKey:
        return None

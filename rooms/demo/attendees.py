"""Attendees of the demo event: those who post in the forum, and many others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import islice

from dashboard.core.clock import now
from dashboard.core.names import folded
from dashboard.platform.accounts.demo import ACCOUNTS
from dashboard.platform.accounts.items import Person
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import days_ago
from dashboard.platform.event.demo_attendees import ATTENDEES, ATTENDEES_DOMAIN, email_and_name
from dashboard.table import keys, read, write
from dashboard.table.commands import Actor, Command
from rooms.queries.rooms import all_rooms
from rooms.services.attendees import mark

_FIRST = (
    "Adriana, Andrés, Beatriz, Camilo, Carolina, Daniela, Esteban, Fernanda, Gustavo, Inés, Joaquín, Laura, "
    "Manuela, Nicolás, Olga, Patricia, Ricardo, Sara, Tatiana, Vicente, Emily, James, Marie, Luca, Aiko, João"
)
_LAST = (
    "Acosta, Bermúdez, Cárdenas, Delgado, Escobar, Figueroa, Gaviria, Hurtado, Jaramillo, Londoño, Mejía, Naranjo, "
    "Ospina, Quintero, Restrepo, Sepúlveda, Toro, Uribe, Velásquez, Zapata, Taylor, Rossi, Dubois, Almeida"
)
_COUNTRIES = {"Colombia": 46, "México": 20, "Argentina": 14, "Chile": 10, "Perú": 7, "España": 5, "Ecuador": 4}
_COUNTRIES |= {"United States": 3, "Brasil": 3, "": 3}
_DOMAINS = ("sura.com.co", "bancoldex.com", ATTENDEES_DOMAIN)
_PEOPLE = 150
# Days ago: registration opened, and the last day on which someone who posts registered.
_OPENED, _BEFORE_THE_FORUM = 40.0, 11.0
# The latest: somebody registered today, whenever the demo is started.
_JUST_NOW = 1 / 24 / 60
# A room that was removed after some attendees had completed it.
_REMOVED_ROOM = "sala0"
_ROOMS = tuple(f"sala{number}" for number in range(1, 9))
_HELPED = 3


@dataclass(frozen=True)
class _Attendee:
    email: str
    name: str
    country: str
    role: str
    days: float
    # The share of completed rooms, 0 to 1.
    far: float
    was_there_before: bool = False


def seed(size: int = 1) -> int:
    """Register the missing attendees, and return their number."""
    attendees = list(islice(_attendees(), _PEOPLE * size))
    existing = read.get_many([keys.PERSON.key(email=each.email) for each in attendees])
    missing = [each for each, found in zip(attendees, existing, strict=True) if found is None]
    rooms = [room.id for room in all_rooms()]
    for start in range(0, len(missing), 8):
        read.gather_all(partial(_register, each, rooms or list(_ROOMS)) for each in missing[start : start + 8])
    if rooms:
        _help(missing, rooms)
    return len(missing)


def _attendees() -> Iterator[_Attendee]:
    chance = random.Random("attendees")
    firsts, lasts = _FIRST.split(", "), _LAST.split(", ")
    countries, weights = list(_COUNTRIES), list(_COUNTRIES.values())
    for first, name in ATTENDEES.items():
        (country,) = chance.choices(countries, weights)
        days = chance.uniform(_BEFORE_THE_FORUM, _OPENED)
        yield _Attendee(email_and_name(first)[0], name, country, "attendee", days, chance.random())
    number = 0
    while True:
        number += 1
        name = f"{chance.choice(firsts)} {chance.choice(lasts)}"
        address = f"{folded(name).replace(' ', '.')}.{number}@{chance.choice(_DOMAINS)}"
        (country,) = chance.choices(countries, weights)
        role = chance.choices(["attendee", "speaker", "press"], [30, 2, 1])[0]
        days = chance.uniform(0.05, _OPENED)
        if number == 1:
            days = _JUST_NOW
        yield _Attendee(address, name, country, role, days, chance.random() ** 1.5, number % 17 == 0)


def _register(attendee: _Attendee, rooms: list[str]) -> None:
    """Written like the event's app does: without a revision and without an audit entry."""
    person = Person.new(email=attendee.email)
    person.email, person.name, person.role = attendee.email, attendee.name, attendee.role
    person.country = attendee.country or None
    person.created_at = _at(attendee)
    done = rooms[: round(attendee.far * len(rooms))]
    person.progress = [_REMOVED_ROOM, *done] if attendee.was_there_before else done
    person.set_index_keys()
    attributes = person.get_attributes()
    written = {name: value for name, value in person.attribute_values.items() if name not in {"pk", "sk"}}
    actions = [attributes[name].set(value) for name, value in written.items() if value is not None]
    write.update(person.key, actions, Person.pk.does_not_exist())


def _at(attendee: _Attendee) -> datetime:
    return now() - timedelta(days=attendee.days)


def _help(added: list[_Attendee], rooms: list[str]) -> None:
    """Staff mark the last room as completed for a few attendees."""
    email = f"staff@{DOMAIN}"
    staff = Actor(email, ACCOUNTS[email][0])
    some = [each for each in added if each.far < 0.8 and each.days > 1][:_HELPED]
    for number, attendee in enumerate(some):
        with days_ago(attendee.days / 2, f"progress {number}"):
            command = Command(f"demo-progress-{number}", staff)
            mark(attendee.email, rooms[-1], completed=True, command=command)

"""Demo people: six accounts to sign in with, and colleagues that fill the lists."""

from __future__ import annotations

import random
from collections.abc import Iterator

from django.contrib.auth.hashers import make_password

from dashboard.core.names import folded
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.platform.demos.logins import DOMAIN, EMAILS, PASSWORD
from dashboard.platform.demos.moments import in_recent_weeks
from dashboard.table import keys, read
from dashboard.table.commands import Actor, Command
from dashboard.table.transactions import find_done

ADMIN = Actor(f"admin@{DOMAIN}", "Alma Ríos")
_LOGINS = (
    ("Alma Ríos", Role.ADMIN),
    ("Marco Peña", Role.MODERATOR),
    ("Sofía Duarte", Role.STAFF),
    ("Olivia Andrade", Role.OWNER),
    ("Óscar Nguyen", Role.OWNER),
    ("Rita Salas", Role.OWNER),
)
ACCOUNTS = dict(zip(EMAILS, _LOGINS, strict=True))
_COLLEAGUES = (
    "Ana Beltrán, Ben Carter, Camila Rojas, Diego Fuentes, Elena Vargas, Farid Haddad, Gabriela Núñez, Hannah Fischer, "
    "Iván Morales, Julia Kowalska, Karim Benali, Lucía Herrera, Mateo Castillo, Nadia Petrova, Oriol Puig, "
    "Paula Santillán, Quentin Moreau, Rosa Iglesias, Samuel Osei, Teresa Guzmán, Ulises Ortega, Valentina Suárez, "
    "Walter Schmidt, Ximena Salazar, Yusuf Demir, Zoe Anderson"
)
_ROLES = (Role.MODERATOR, Role.STAFF, Role.MODERATOR, Role.OWNER)
# A constant salt, so that the demo data are the same each time. The password is public.
_SALT = "demo-only-salt-of-trastienda"


def demo_people(size: int) -> dict[str, tuple[str, Role]]:
    """The people of a demo of this size: name and role by e-mail address."""
    accounts = dict(ACCOUNTS)
    for number, name in enumerate(_names(size)):
        first, last = folded(name).split()[:2]
        address = f"{first}@{DOMAIN}" if number < len(_COLLEAGUES.split(", ")) else f"{first}.{last}.{number}@{DOMAIN}"
        accounts[address] = (name, _ROLES[number % len(_ROLES)])
    return accounts


def _names(size: int) -> Iterator[str]:
    named = _COLLEAGUES.split(", ")
    yield from named
    chance = random.Random("colleagues")
    firsts, lasts = zip(*(name.split() for name in named), strict=True)
    for _ in range(len(named) * (size - 1)):
        yield f"{chance.choice(firsts)} {chance.choice(lasts)}"


def seed(size: int = 1) -> int:
    """Add the missing people; returns their number."""
    accounts = demo_people(size)
    existing = read.get_many([keys.PERSON.key(email=email) for email in accounts])
    missing = {email: who for (email, who), found in zip(accounts.items(), existing, strict=True) if found is None}
    hashed = make_password(PASSWORD, salt=_SALT) if missing else ""
    added = 0
    for number, (email, (name, role)) in enumerate(missing.items()):
        command = Command(f"demo-{email.partition('@')[0]}", ADMIN)
        if find_done(command) is not None:
            continue  # Someone removed this person after the last start.
        added += 1
        with in_recent_weeks(email):
            if email in ACCOUNTS or number % 6:
                person = people.create(email, name=name, role=role, password_hash=hashed, command=command)
                if email not in ACCOUNTS and number % 9 == 0:
                    people.disable(email, revision=person.revision, command=command.part("disable"))
            else:
                people.invite(email, name=name, role=role, command=command)
    return added


def seed_demo(size: int) -> str:
    return f"{seed(size)} people"

"""Demo people: five to sign in as, and colleagues so that lists look like lists."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password

from dashboard.accounts.permissions import Role
from dashboard.accounts.services import people
from dashboard.local.accounts import DOMAIN, EMAILS, PASSWORD
from dashboard.table import keys, read
from dashboard.table.operations import Actor, Operation
from dashboard.table.transactions import find_done

ADMIN = Actor(f"admin@{DOMAIN}", "Alma Ríos")
_WHO = (
    ("Alma Ríos", Role.ADMIN),
    ("Marco Peña", Role.MODERATOR),
    ("Sofía Duarte", Role.STAFF),
    ("Olivia Andrade", Role.OWNER),
    ("Óscar Nguyen", Role.OWNER),
)
ACCOUNTS = dict(zip(EMAILS, _WHO, strict=True))
_COLLEAGUES = (
    "Ana Beltrán, Ben Carter, Camila Rojas, Diego Fuentes, Elena Vargas, Farid Haddad, Gabriela Núñez, Hannah Fischer, "
    "Iván Morales, Julia Kowalska, Karim Benali, Lucía Herrera, Mateo Castillo, Nadia Petrova, Oriol Puig, "
    "Paula Santillán, Quentin Moreau, Rosa Iglesias, Samuel Osei, Teresa Guzmán, Ulises Ortega, Valentina Suárez, "
    "Walter Schmidt, Ximena Salazar, Yusuf Demir, Zoe Anderson"
)
_ROLES = (Role.MODERATOR, Role.STAFF, Role.MODERATOR, Role.OWNER)


def seed() -> int:
    """Add whoever is missing; says how many."""
    wanted = dict(ACCOUNTS)
    for number, name in enumerate(_COLLEAGUES.split(", ")):
        local = name.lower().split()[0].translate(str.maketrans("áéíóúñ", "aeioun"))
        wanted[f"{local}@{DOMAIN}"] = (name, _ROLES[number % len(_ROLES)])
    there = read.get_many([keys.PERSON.key(email=email) for email in wanted])
    missing = {email: who for (email, who), found in zip(wanted.items(), there, strict=True) if found is None}
    hashed = make_password(PASSWORD) if missing else ""
    added = 0
    for number, (email, (name, role)) in enumerate(missing.items()):
        operation = Operation(f"demo-{email.partition('@')[0]}", ADMIN)
        if find_done(operation) is not None:
            continue  # Someone has taken them out since: they stay out while that is remembered.
        added += 1
        if email in ACCOUNTS or number % 6:
            person = people.create(email, name=name, role=role, password_hash=hashed, operation=operation)
            if email not in ACCOUNTS and number % 9 == 0:
                people.disable(email, seen=person.seen, operation=operation.part("disable"))
        else:
            people.invite(email, name=name, role=role, operation=operation)
    return added

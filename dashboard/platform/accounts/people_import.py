"""Checks the lines of an import: whether each one will be invited, and why not."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.core.names import folded
from dashboard.platform.accounts import emails, queries
from dashboard.platform.accounts.items import DISABLED, INVITED, Person
from dashboard.platform.accounts.permissions import ROLE_LABELS, Role
from dashboard.table.read import gather_all
from dashboard.web.forms import LineField
from dashboard.web.sheets import SheetRow

PersonLine = dict[str, Any]

MAX_NAME = 100
# Texts of excluded lines are cut: one item stores fifty lines.
MAX_SHOWN = 160
INVITE = "invite"
# Verdicts of lines that are valid but need no invitation.
SKIPPED = {"same", "differs", "disabled", "invited"}
REASONS: dict[str, str | Promise] = {
    INVITE: _("Will be invited"),
    "same": _("Already has an account"),
    "differs": _("Already has an account with another role (%(detail)s). It will not change."),
    "disabled": _("Has a disabled account. It will not change."),
    "invited": _("Already invited"),
    "duplicate": _("Same address as in line %(detail)s"),
    "no_email": _("E-mail address missing"),
    "bad_email": _("Not an e-mail address"),
    "no_role": _("Role missing"),
    "unknown_role": _("Unknown role “%(detail)s”"),
    "long_name": _("Name longer than 100 characters"),
    "broken": _("Unmatched quotation marks"),
}
ROLE_WORDS = {
    Role.ADMIN: {"admin", "admins", "administrator", "administrador", "administradora", "administracion"},
    Role.MODERATOR: {"moderator", "moderators", "moderador", "moderadora", "moderacion"},
    Role.STAFF: {"staff", "personal", "equipo"},
    Role.OWNER: {"owner", "owners", "titular", "titulares", "dueno", "duena", "propietario", "propietaria"},
}
_ROLES = {word: role for role, words in ROLE_WORDS.items() for word in words}
_NAME = LineField(required=False)
KEYS_A_READ = 100
READS_AT_ONCE = 10


def check_lines(rows: Iterable[SheetRow], default: Role | None) -> list[PersonLine]:
    """Each line with its verdict; the excluded lines come first."""
    lines, first_lines = [], dict[str, int]()
    for row in rows:
        line = _check_row(row, default)
        if line["verdict"] == INVITE:
            first = first_lines.setdefault(line["email"], row.number)
            if first != row.number:
                line |= {"verdict": "duplicate", "detail": str(first)}
        lines.append(line)
    known = known_people([line["email"] for line in lines if line["verdict"] == INVITE])
    for line in lines:
        if line["verdict"] == INVITE and line["email"] in known:
            line |= _verdict_of_account(known[line["email"]], Role(line["role"]))
    return sorted(lines, key=lambda line: (line["verdict"] == INVITE, line["n"]))


def _check_row(row: SheetRow, default: Role | None) -> PersonLine:
    email = emails.normalise(row.cells.get("email", ""))
    name = _NAME.to_python(row.cells.get("name", ""))
    word = row.cells.get("role", "")
    role = _ROLES.get(folded(word)) if word else default
    line = {"n": row.number, "email": _cut(email), "name": _cut(name), "role": role or _cut(word)}
    if row.broken:
        return line | {"email": _cut(row.text), "verdict": "broken"}
    if not email:
        return line | {"verdict": "no_email"}
    try:
        emails.check(email)
    except ValidationError:
        return line | {"verdict": "bad_email"}
    if role is None:
        return line | ({"verdict": "unknown_role", "detail": word[:60]} if word else {"verdict": "no_role"})
    if len(name) > MAX_NAME:
        return line | {"verdict": "long_name"}
    return line | {"email": email, "verdict": INVITE}


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def known_people(addresses: list[str]) -> dict[str, Person]:
    """The people with these addresses who have an account or an invitation; reads in parallel."""
    groups = [addresses[at : at + KEYS_A_READ] for at in range(0, len(addresses), KEYS_A_READ)]
    found: dict[str, Person] = {}
    for at in range(0, len(groups), READS_AT_ONCE):
        for people in gather_all([partial(queries.people_with, group) for group in groups[at : at + READS_AT_ONCE]]):
            found |= people
    return {email: person for email, person in found.items() if person.state is not None}


def _verdict_of_account(person: Person, role: Role) -> PersonLine:
    if person.state == DISABLED:
        return {"verdict": "disabled"}
    if person.office_role != role:
        return {"verdict": "differs", "detail": str(person.office_role)}
    return {"verdict": "invited" if person.state == INVITED else "same"}


def verdict_text(line: PersonLine) -> str:
    detail = line.get("detail", "")
    if line["verdict"] == "differs":
        detail = str(ROLE_LABELS.get(detail, detail))
    return str(REASONS[line["verdict"]]) % {"detail": detail}


def role_label(line: PersonLine) -> str:
    return str(ROLE_LABELS.get(line["role"], line["role"]))

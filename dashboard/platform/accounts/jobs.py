"""Long work with people: invitations from a file, and taking them back."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import INVITED
from dashboard.platform.accounts.permissions import Permission, Role
from dashboard.platform.accounts.services import links, people
from dashboard.platform.jobs.kinds import work_on_lines
from dashboard.table.commands import Command
from dashboard.table.transactions import idempotent

IMPORT, WITHDRAW = "people.import", "people.withdraw"


@work_on_lines(
    IMPORT,
    permission=Permission.PEOPLE_MANAGE,
    target=lambda line: str(line["email"]),
    result="accounts/import_result.html",
    waits_at="people_import_preview",
)
def invite(line: dict[str, Any], command: Command) -> None:
    try:
        people.invite(line["email"], name=line["name"], role=Role(line["role"]), command=command)
    except Conflict as conflict:
        raise Refused(_("Someone else changed this person at the same moment.")) from conflict


@work_on_lines(WITHDRAW, permission=Permission.PEOPLE_MANAGE, target=lambda line: str(line["email"]))
def withdraw(line: dict[str, Any], command: Command) -> None:
    given = Command(line["import"], command.by).part(line["email"])
    try:
        _withdraw_unused(line["email"], given=given, command=command)
    except Conflict as conflict:
        raise Refused(_("Someone else changed this person at the same moment.")) from conflict


@idempotent
def _withdraw_unused(email: str, *, given: Command, command: Command) -> None:
    """Take back what this import gave, and nothing that came after it."""
    person = queries.find_person(email)
    if person is None or person.state is None:
        raise Refused(_("They are not invited any more."))
    if person.state != INVITED:
        raise Refused(_("Their account is open or disabled: it is left as it is."))
    if links.token_of(person, given) is None:
        raise Refused(_("They have a newer link: withdraw it on their own page."))
    people.withdraw(email, revision=person.revision, command=command)

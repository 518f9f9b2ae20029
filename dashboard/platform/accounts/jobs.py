"""Jobs of accounts: inviting people from a file, and withdrawing these invitations."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import INVITED
from dashboard.platform.accounts.permissions import Permission, Role
from dashboard.platform.accounts.services import links, people
from dashboard.platform.businesses.items import Member
from dashboard.platform.jobs.kinds import line_job_kind
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event_of_command
from dashboard.table.commands import Command
from dashboard.table.transactions import idempotent

IMPORT, WITHDRAW = "people.import", "people.withdraw"


@line_job_kind(
    IMPORT,
    permission=Permission.PEOPLE_MANAGE,
    target=lambda line: str(line["email"]),
    result_template="accounts/import_result.html",
    confirm_page="people_import_preview",
)
def invite(line: dict[str, Any], command: Command) -> None:
    try:
        people.invite(line["email"], name=line["name"], role=Role(line["role"]), command=command)
    except Conflict as conflict:
        raise Refused(_("Someone else changed this person at the same time.")) from conflict
    record_event_of_command(EventKind.LINK_CREATED, command, account=line["email"])


@line_job_kind(WITHDRAW, permission=Permission.PEOPLE_MANAGE, target=lambda line: str(line["email"]))
def withdraw(line: dict[str, Any], command: Command) -> None:
    invitation = Command(line["import"], command.by).part(line["email"])
    try:
        left = _withdraw_unused(line["email"], invitation=invitation, command=command)
    except Conflict as conflict:
        raise Refused(_("Someone else changed this person at the same time.")) from conflict
    record_event_of_command(EventKind.LINK_WITHDRAWN, command, account=line["email"])
    for member in left or ():
        details = {"business": member.business_id, "previous_business_role": member.business_role or ""}
        record_event_of_command(EventKind.MEMBER_REMOVED, command, account=line["email"], **details)


@idempotent
def _withdraw_unused(email: str, *, invitation: Command, command: Command) -> list[Member]:
    """Withdraw the invitation that this import created, but no later one. Returns the memberships that it removes."""
    person = queries.find_person(email)
    if person is None or person.state is None:
        raise Refused(_("This person is no longer invited."))
    if person.state != INVITED:
        raise Refused(_("This person already has an account. It was not changed."))
    if links.token_of(person, invitation) is None:
        raise Refused(_("This person has a newer link. Withdraw it on their page."))
    return people.withdraw(email, revision=person.revision, command=command)

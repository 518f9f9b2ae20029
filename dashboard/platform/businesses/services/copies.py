"""A member carries a copy of the business's name and status, so that a person's businesses are one query.

The copies follow after the commit: there may be more members than a transaction has room for. Until they have, a list
says the old name; the business's own pages never do. Each copy knows the revision it was made from and only moves
forward, so that two renames at once, or one that is repeated, end at the newest.
"""

from __future__ import annotations

import logging
from functools import partial

from dashboard.core.errors import Unavailable
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Member
from dashboard.table import write
from dashboard.table.read import gather_all

logger = logging.getLogger("trastienda.businesses")
AT_ONCE = 8


def follow(business: Business) -> None:
    """Bring the copies up to date. What has been saved is saved: a failure here fails nobody's form."""
    try:
        behind = [each for each in queries.members(business.id) if _is_behind(each, business)]
        for start in range(0, len(behind), AT_ONCE):
            gather_all([partial(_copy, member, business) for member in behind[start : start + AT_ONCE]])
    except Unavailable:
        logger.warning("the name of a business was not copied to its members", extra={"tenant": business.id})


def _is_behind(member: Member, business: Business) -> bool:
    return int(member.copied_revision or 0) < business.revision


def _copy(member: Member, business: Business) -> None:
    older = Member.copied_revision.does_not_exist() | (Member.copied_revision < business.revision)
    actions = [
        Member.business_name.set(business.title),
        Member.business_status.set(business.status),
        Member.copied_revision.set(business.revision),
    ]
    # A member who was removed meanwhile stays removed.
    write.touch(member.key, actions, Member.pk.exists() & older)


def follow_person(person: Person, before: str | None) -> None:
    """The same for what a person is called, in the businesses they belong to."""
    if person.name == before or person.office_role != Role.OWNER:
        return
    try:
        behind = [each for each in queries.businesses_of(person.email) if each.name != person.name]
        for start in range(0, len(behind), AT_ONCE):
            gather_all([partial(_name, member, person) for member in behind[start : start + AT_ONCE]])
    except Unavailable:
        logger.warning("the name of a person was not copied to their businesses")


def _name(member: Member, person: Person) -> None:
    action = Member.name.set(person.name) if person.name else Member.name.remove()
    write.touch(member.key, [action], Member.pk.exists())

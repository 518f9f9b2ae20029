"""Each member has a copy of the name and the status of the business, so that a person's businesses are one query.

The copies are updated after the commit, because a transaction cannot contain all members. Until then a list shows the
old name; the pages of the business do not use the copies. Each copy stores the revision that it was copied from and
is only replaced by a later one, so that parallel or repeated renames end with the newest name.
"""

from __future__ import annotations

import logging
from functools import partial

from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Member
from dashboard.platform.businesses.services import ownerless
from dashboard.table import write
from dashboard.table.read import gather_all

logger = logging.getLogger("trastienda.businesses")
AT_ONCE = 8


def update_for_business(business: Business) -> None:
    """Update the copies of a business. A failure is logged only: the change itself is saved."""
    try:
        outdated = [each for each in queries.members(business.id) if _is_outdated(each, business)]
        for start in range(0, len(outdated), AT_ONCE):
            gather_all([partial(_copy, member, business) for member in outdated[start : start + AT_ONCE]])
    except Unavailable:
        logger.warning("the name of a business was not copied to its members", extra={"tenant": business.id})


def _is_outdated(member: Member, business: Business) -> bool:
    return int(member.copied_revision or 0) < business.revision


def update_after_outside_change(business: Business) -> None:
    """Update the copies after an outside writer changed the name or the status, which need not change the revision."""
    outdated = [
        each
        for each in queries.members(business.id)
        if (each.business_name, each.business_status) != (business.title, business.status)
    ]
    for start in range(0, len(outdated), AT_ONCE):
        gather_all(
            [partial(_copy, each, business, at_same_revision=True) for each in outdated[start : start + AT_ONCE]]
        )


def _copy(member: Member, business: Business, *, at_same_revision: bool = False) -> None:
    """Copy unless the member has a copy of a later revision; with `at_same_revision` replace one of the same."""
    copied = Member.copied_revision
    is_older = copied <= business.revision if at_same_revision else copied < business.revision
    actions = [
        Member.business_name.set(business.title),
        Member.business_status.set(business.status) if business.status else Member.business_status.remove(),
        Member.copied_revision.set(business.revision),
    ]
    # The condition keeps a member who was removed meanwhile from coming back.
    write.update(member.key, actions, Member.pk.exists() & (copied.does_not_exist() | is_older))


def update_for_person(person: Person, before: str | None) -> None:
    """Update the copies of a person's name in their businesses."""
    if person.name == before or person.office_role != Role.OWNER:
        return
    try:
        outdated = [each for each in queries.businesses_of(person.email) if each.name != person.name]
        for start in range(0, len(outdated), AT_ONCE):
            gather_all([partial(_copy_name, member, person) for member in outdated[start : start + AT_ONCE]])
    except Unavailable:
        logger.warning("the name of a person was not copied to their businesses")


def _copy_name(member: Member, person: Person) -> None:
    action = Member.name.set(person.name) if person.name else Member.name.remove()
    write.update(member.key, [action], Member.pk.exists())


def update_access(person: Person) -> None:
    """Copy to the memberships whether the account can open businesses, after it was disabled, enabled or changed."""
    try:
        outdated = [each for each in queries.all_businesses_of(person.email) if _is_locked_wrongly(each, person)]
        for start in range(0, len(outdated), AT_ONCE):
            changed = outdated[start : start + AT_ONCE]
            gather_all([partial(_copy_access, member, person) for member in changed])
            ownerless.update_marks(changed)
    except Unavailable:
        logger.warning("the state of an account was not copied to its businesses")


def _is_locked_wrongly(member: Member, person: Person) -> bool:
    return (member.locked_at is not None) == person.may_open_businesses


def _copy_access(member: Member, person: Person) -> None:
    action = Member.locked_at.remove() if person.may_open_businesses else Member.locked_at.set(now())
    write.update(member.key, [action], Member.pk.exists())

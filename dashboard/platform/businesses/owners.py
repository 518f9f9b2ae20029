"""Owners who can open their business. An unused invitation and a disabled account do not count as owners."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.accounts.queries import people_with
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Member
from dashboard.table import keys
from dashboard.table.keypattern import BadKey

# The same rules as `Member.is_owner` and `Person.may_open_businesses`, as conditions of a transaction.
IS_OWNER = Member.pk.exists() & (Member.role.does_not_exist() | (Member.role == BusinessRole.OWNER))
MAY_OPEN_BUSINESSES = (
    Person.password_hash.exists()
    & Person.disabled_at.does_not_exist()
    & Person.back_office_role.is_in(Role.OWNER, Role.ADMIN)
)


ONLY_OWNER = _("This is the only owner of %(businesses)s who can sign in. Confirm the change on their page.")
ONLY_INVITED_OWNER = _("%(businesses)s would have no owner. Confirm the change on their page.")


class OnlyOwner(Refused):
    """Without this person nobody could open these businesses as an owner. An admin can confirm it."""

    def __init__(self, memberships: Sequence[Member], text: Promise = ONLY_OWNER) -> None:
        self.memberships = memberships
        super().__init__(
            text % {"businesses": ", ".join(each.business_name or each.business_id for each in memberships)}
        )


class ChangedMeanwhile(Conflict):
    """The name or status of the business, or another owner of it, has changed since it was read."""


def other_owners(business: str, email: str) -> list[Member]:
    """The owners apart from this person, with or without a usable account."""
    return [each for each in queries.members(business) if each.is_owner and each.email != email]


def usable_owners(owners: Iterable[Member]) -> list[Member]:
    """Those owners who can sign in and open the business."""
    by_email = {owner.email: owner for owner in owners if _can_have_account(owner.email)}
    people = people_with(list(by_email)) if by_email else {}
    return [by_email[email] for email, person in people.items() if person.may_open_businesses]


def _can_have_account(email: str) -> bool:
    """Outside writers may have stored a text that cannot be the key of an account."""
    try:
        keys.PERSON.key(email=email)
    except BadKey:
        return False
    return True

"""Owners who can open their business. An unused invitation and a disabled account do not count as owners."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.accounts.queries import people_with
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Member
from dashboard.table import keys
from dashboard.table.keypattern import BadKey
from dashboard.table.read import gather_all

AT_ONCE = 8

# The same rules as `Member.is_owner` and `Person.may_open_businesses`, as conditions of a transaction.
IS_OWNER = Member.pk.exists() & (Member.role.does_not_exist() | (Member.role == BusinessRole.OWNER))
MAY_OPEN_BUSINESSES = (
    Person.password_hash.exists()
    & Person.disabled_at.does_not_exist()
    & Person.back_office_role.is_in(Role.OWNER, Role.ADMIN)
)


class OnlyOwner(Refused):
    """Without this person nobody could open these businesses as an owner. An admin can confirm it."""

    def __init__(self, memberships: Sequence[Member]) -> None:
        self.memberships = memberships
        names = {"businesses": ", ".join(each.business_name or each.business_id for each in memberships)}
        text = _("This is the only owner of %(businesses)s who can sign in. Confirm the change on their page.")
        super().__init__(text % names)


def other_owners(business: str, email: str) -> list[Member]:
    """The owners apart from this person, with or without a usable account."""
    return [each for each in queries.members(business) if each.is_owner and each.email != email]


def usable_owners(owners: Iterable[Member]) -> list[Member]:
    """Those owners who can sign in and open the business."""
    by_email = {owner.email: owner for owner in owners if _can_have_account(owner.email)}
    people = people_with(list(by_email)) if by_email else {}
    return [by_email[email] for email, person in people.items() if person.may_open_businesses]


def ensure_not_only_owner(email: str, confirmed: Collection[str]) -> None:
    """Raise `OnlyOwner` if the person is the only usable owner of a business that is not among the confirmed ones.

    It is a warning, not a lock: an admin can open every business and add an owner.
    """
    missing = [each for each in businesses_with_only(email) if each.business_id not in confirmed]
    if missing:
        raise OnlyOwner(missing)


def businesses_with_only(email: str) -> list[Member]:
    """The memberships of the businesses whose only usable owner is this person, of the first 50 businesses."""
    owned = [each for each in queries.businesses_of(email) if each.is_owner]
    only: list[Member] = []
    for start in range(0, len(owned), AT_ONCE):
        batch = owned[start : start + AT_ONCE]
        found = gather_all([partial(_usable_others, each) for each in batch])
        only += [member for member, others in zip(batch, found, strict=True) if not others]
    return only


def _usable_others(member: Member) -> list[Member]:
    return usable_owners(other_owners(member.business_id, member.email))


def _can_have_account(email: str) -> bool:
    """Outside writers may have stored a text that cannot be the key of an account."""
    try:
        keys.PERSON.key(email=email)
    except BadKey:
        return False
    return True

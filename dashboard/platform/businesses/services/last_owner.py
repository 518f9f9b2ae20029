"""A business keeps an owner who can sign in, however many requests take owners away at the same time.

Whoever takes an owner away relies on another owner who remains, and writes that into the `RemainingOwner` item of that
person. A member is removed or demoted in one transaction that checks the other owner and writes this item. An account
may be an owner of any number of businesses, so it is disabled in steps:

1. read its own `RemainingOwner` item, then the members of its businesses and their accounts;
2. write the `RemainingOwner` items of the owners that it relies on, then check again that these can sign in;
3. disable it, on the condition that its own `RemainingOwner` item is the same as in step 1.

Two accounts that rely on each other write each other's items, so that at most one of them is disabled. The same holds
for longer circles: of two requests, the one that is relied on must have begun later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.update import Action

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.queries import people_with
from dashboard.platform.businesses import owners, queries
from dashboard.platform.businesses.items import Member, RemainingOwner
from dashboard.platform.businesses.owners import ChangedMeanwhile, OnlyOwner
from dashboard.table import keys, tenancy, write
from dashboard.table.read import gather, gather_all
from dashboard.table.transactions import Transaction

AT_ONCE = 8
# Longer than any request.
RETENTION = timedelta(days=1)


@contextmanager
def relying_on_another(transaction: Transaction, member: Member) -> Iterator[None]:
    """If this member is an owner, the transaction in the block succeeds only while another owner can sign in."""
    if not member.is_owner:
        yield
        return
    others = owners.other_owners(member.business_id, member.email)
    with tenancy.reading_accounts(each.email for each in others):
        usable = owners.usable_owners(others)
        if not usable:
            raise Refused(_("A business needs an owner who can sign in. Make someone else an owner first."))
        remaining = usable[0]
        transaction.check(remaining.key, owners.IS_OWNER, ChangedMeanwhile)
        transaction.check(keys.PERSON.key(email=remaining.email), owners.MAY_OPEN_BUSINESSES, ChangedMeanwhile)
        key, actions = keys.REMAINING_OWNER.key(email=remaining.email), _rely_actions([member.business_id])
        transaction.update(key, actions, None, Conflict)
        yield


def rely_on_others(transaction: Transaction, email: str, confirmed: Collection[str]) -> None:
    """The transaction, which takes away this account, succeeds only while its businesses have other owners.

    Raises `OnlyOwner` for businesses without another one, apart from those that an admin has confirmed.
    """
    before, memberships = gather(lambda: queries.find_remaining_owner(email), lambda: queries.all_businesses_of(email))
    # The index of memberships may lag behind. What others relied on is read consistently.
    relied_on = before.businesses or set() if before else set()
    businesses = sorted({each.business_id for each in memberships} | relied_on)
    remaining = _find_remaining(email, businesses, confirmed)
    for batch in _batches(list(remaining)):
        gather_all([partial(_note_remaining, each, remaining[each]) for each in batch])
    people = people_with(list(remaining)) if remaining else {}
    if not all(each in people and people[each].may_open_businesses for each in remaining):
        raise ChangedMeanwhile(None)
    is_same = (
        RemainingOwner.pk.does_not_exist() | (RemainingOwner.ttl <= int(now().timestamp()))
        if before is None
        else RemainingOwner.times == before.times
    )
    transaction.check(keys.REMAINING_OWNER.key(email=email), is_same, lambda _item: ChangedMeanwhile(None))


def ensure_others_own(memberships: Iterable[Member], confirmed: Collection[str]) -> None:
    """Raise `OnlyOwner` if an unused invitation is for the only owner of a business. Nobody relies on such an owner."""
    owned = [each for each in memberships if each.is_owner and each.business_id not in confirmed]
    found = gather_all([partial(owners.other_owners, each.business_id, each.email) for each in owned])
    missing = [each for each, others in zip(owned, found, strict=True) if not owners.usable_owners(others)]
    if missing:
        raise OnlyOwner(missing, owners.ONLY_INVITED_OWNER)


def _find_remaining(email: str, businesses: list[str], confirmed: Collection[str]) -> dict[str, list[str]]:
    """For each business that this person owns one other owner who can sign in: the businesses of each of them."""
    remaining: dict[str, list[str]] = {}
    missing: list[Member] = []
    for batch in _batches(businesses):
        members = [each for found in gather_all([partial(queries.members, each) for each in batch]) for each in found]
        own = [each for each in members if each.email == email and each.is_owner]
        owned = {each.business_id for each in own}
        others = [each for each in members if each.email != email and each.is_owner and each.business_id in owned]
        can_sign_in = {each.email for each in owners.usable_owners(others)}
        for member in own:
            usable = [
                each.email for each in others if each.business_id == member.business_id and each.email in can_sign_in
            ]
            if usable:
                chosen = next((each for each in usable if each in remaining), usable[0])
                remaining.setdefault(chosen, []).append(member.business_id)
            elif member.business_id not in confirmed:
                missing.append(member)
    if missing:
        raise OnlyOwner(missing)
    return remaining


def _note_remaining(email: str, businesses: list[str]) -> None:
    write.update(keys.REMAINING_OWNER.key(email=email), _rely_actions(businesses))


def _rely_actions(businesses: list[str]) -> list[Action]:
    expires_at = int((now() + RETENTION).timestamp())
    return [
        RemainingOwner.businesses.add(set(businesses)),
        RemainingOwner.times.add(1),
        RemainingOwner.ttl.set(expires_at),
    ]


def _batches(values: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]

"""Linking an owner of another system to a person."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.queries import find_person
from dashboard.platform.adoption import queries
from dashboard.platform.adoption.items import OutsideOwner
from dashboard.platform.adoption.kinds import MAX_BUSINESSES
from dashboard.platform.audit.services import record
from dashboard.platform.businesses.addresses import can_be_business
from dashboard.platform.businesses.queries import find_member
from dashboard.platform.businesses.services import members
from dashboard.table import write
from dashboard.table.commands import Command
from dashboard.table.keypattern import BadKey
from dashboard.table.transactions import Transaction, idempotent


def link(
    owner: str, email: str, *, revision: int, business: str = "", command: Command
) -> tuple[OutsideOwner, list[str]]:
    """Link the id to a person, and make the person an owner of the businesses that name the id.

    The id stays on the businesses. Each membership is a command of its own: the same form sent again adds those that
    are missing. Also returns the businesses that the person is a new member of.
    """
    linked = _link(owner, email, revision=revision, business=business, command=command)
    joined = [each for each in linked.not_owned_business_ids if _join(linked, each, command=command.part(each))]
    return queries.find_owner(owner) or linked, joined


@idempotent
def _link(owner: str, email: str, *, revision: int, business: str, command: Command) -> OutsideOwner:
    person = find_person(email)
    if person is None or person.state is None:
        raise members.NoAccount(_("No account with this address."), field="email")
    if person.disabled_at:
        raise Refused(_("Enable this person first."), field="email")
    if business and not can_be_business(business):
        raise NotFound
    current = queries.find_owner(owner)
    before = current.email if current else None
    is_new = current is None
    if current is None:
        current = _new_owner(owner, business)
    if business and business not in current.business_ids and len(current.business_ids) < MAX_BUSINESSES:
        current.businesses = [*current.business_ids, business]
    if before != person.email:
        current.owned_businesses = None
    current.email, current.name = person.email, person.name
    transaction = Transaction(command)
    if is_new:
        transaction.create(current)
    else:
        transaction.save(current, revision=revision)
    record(
        transaction,
        "owner.link",
        target=owner,
        kind="owner",
        title=owner,
        before={"person": before} if before else None,
        after={"person": person.email},
    )
    return transaction.commit(current, {"before": before})


def _new_owner(owner: str, business: str) -> OutsideOwner:
    """An id that the follower has not recorded yet: the page of a business links it."""
    if not business:
        raise NotFound
    try:
        created = OutsideOwner.new(owner=owner)
    except BadKey as error:
        raise NotFound from error
    created.first_seen_at, created.businesses = now(), [business]
    return created


def _join(owner: OutsideOwner, business: str, *, command: Command) -> bool:
    """Make the linked person an owner; whether they are a new member. A business that does not exist is left out."""
    is_new = find_member(business, str(owner.email)) is None
    if is_new:
        try:
            members.add(business, str(owner.email), command=command)
        except (Refused, NotFound):
            return False
    owned = OutsideOwner.owned_businesses
    is_linked = OutsideOwner.email == owner.email
    missing = owned.does_not_exist() | ~owned.contains(business)
    # A list that does not exist cannot be appended to.
    actions = [owned.set((owned | []).append([business]))]
    write.update(owner.key, actions, is_linked & missing)
    return is_new


@idempotent
def unlink(owner: str, *, revision: int, command: Command) -> OutsideOwner:
    """Remove the link. Memberships stay: they are removed on the page of the business."""
    current = queries.find_owner(owner)
    if current is None:
        raise NotFound
    before = current.email
    current.email = current.name = current.owned_businesses = None
    transaction = Transaction(command)
    transaction.save(current, revision=revision)
    record(transaction, "owner.unlink", target=owner, kind="owner", title=owner, before={"person": before})
    return transaction.commit(current, {"before": before})

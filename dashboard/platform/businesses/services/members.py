"""Who belongs to a business: admins add and remove them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.queries import find_person
from dashboard.platform.audit.services import record
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Member
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction, idempotent

# A rename between reading the name and copying it is rare; two are nobody's bad luck.
TRIES = 3


class NoAccount(Refused):
    """Nobody with this address can sign in here: they have to be invited first."""


class _Renamed(Conflict):
    """The business has got another name or status since it was read."""


@idempotent
def add(business: str, email: str, *, command: Command) -> Member:
    """Give someone a place in a business."""
    person = find_person(email)
    if person is None or person.state is None:
        raise NoAccount(_("Nobody with this address has an account."), field="email")
    if len(queries.members(business)) >= queries.MAX_MEMBERS:
        most = {"most": queries.MAX_MEMBERS}
        raise Refused(_("A business can have %(most)s people. Remove someone first.") % most, field="email")
    for _turn in range(TRIES - 1):
        try:
            return _add(queries.load_business(business), person, command)
        except _Renamed:
            continue
    return _add(queries.load_business(business), person, command)


def _add(business: Business, person: Person, command: Command) -> Member:
    member = Member.at(tenant=business.id, email=person.email)
    member.business_id, member.email, member.name = business.id, person.email, person.name
    member.business_name, member.business_status, member.copied_revision = (
        business.title,
        business.status,
        business.revision,
    )
    transaction = Transaction(command)
    transaction.create(member, otherwise=_there_already)
    same = (Business.name == business.name) & (Business.status == business.status)
    transaction.check(business.key, same, lambda item: _Renamed(item) if item else NotFound())
    _note(transaction, "member.add", member, after={"business": business.title})
    return transaction.commit(member)


def _there_already(item: Item | None) -> Refused:
    return Refused(_("This person belongs to the business already."), field="email")


@idempotent
def remove(business: str, email: str, *, revision: int, command: Command) -> None:
    """Take someone's place away: from their next click on, the business is not there for them."""
    current, member = queries.load_business(business), queries.find_member(business, email)
    if member is None:
        raise Conflict(None, _("This person does not belong to the business any more."))
    transaction = Transaction(command)
    transaction.delete(member, revision=revision)
    _note(transaction, "member.remove", member, before={"business": current.title})
    transaction.commit(None)


def _note(transaction: Transaction, action: str, member: Member, **states: Any) -> None:
    """In both trails: people look for it at the person and at the business."""
    about: dict[str, Any] = {"target": member.email, "kind": "member", "title": member.title, **states}
    record(transaction, action, **about)
    record(transaction, action, business=member.business_id, **about)

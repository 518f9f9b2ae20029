"""Erases what is stored about a person who asks for it. Nothing brings it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from content.items import Consent, PageComment
from content.items.consents import CONSENT
from content.items.leads import LEAD
from content.queries import consents as consent_queries
from content.queries import leads as lead_queries
from content.queries.comments import comments_of_author
from content.services.leads import load_state
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.audit.services import record
from dashboard.platform.mail.queries import mails_about
from dashboard.table import keys, write
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.keypattern import Key
from dashboard.table.read import gather_all
from dashboard.table.transactions import Transaction, idempotent

# Items that are removed at once, and rounds of one request. Beyond that the person presses the button again.
AT_ONCE, MAX_ROUNDS = 10, 60
# The audit entries have no id of the person.
ERASED = "erased"
# What the website service and this product store about the author of a comment.
_AUTHOR = (PageComment.author_id, PageComment.author_name, PageComment.author_email, PageComment.author_image)


@idempotent
def erase_lead(business: str, lead: str, *, with_comments: bool, command: Command) -> None:
    """Remove the rows of every spelling, the notes, the earlier contacts, the next step and the mails about it.

    The names of the author are removed from the comments if that is asked for. What can be repeated is removed first;
    the last step is one transaction, with the audit entry.
    """
    load_state(business, lead)
    counts = {
        "rows": _remove_all(partial(_row_keys, business, lead)),
        "notes": _remove_all(partial(lead_queries.note_keys, business, lead)),
        "contacts": _remove_all(partial(lead_queries.contact_keys, business, lead)),
        "mails": _remove_all(lambda: [mail.key for mail in mails_about(business, lead)]),
    }
    if with_comments:
        counts["comments"] = _in_rounds(partial(_comments_of, business, lead), _forget_author)
    transaction = Transaction(command)
    state = lead_queries.find_state(business, lead)
    if state is not None:
        transaction.delete(state, revision=state.revision)
    transaction.remove(keys.LEAD_REMINDER.key(tenant=business, lead=lead))
    _record(transaction, business, LEAD, _("A lead"), counts)
    return transaction.commit(None, counts)


def _row_keys(business: str, lead: str) -> list[Key]:
    """Of the index, and of the spellings that our item knows: the index may be behind."""
    state = lead_queries.find_state(business, lead)
    known = [str(each) for each in (state.addresses or [])] if state else []
    rows = [*lead_queries.rows_of(business, lead), *lead_queries.rows_at(business, known)]
    return list(dict.fromkeys(row.key for row in rows if lead_queries.find_row(row.key)))


def _comments_of(business: str, lead: str) -> list[PageComment]:
    return comments_of_author(business, lead).items


def _forget_author(comment: PageComment) -> None:
    # The list of the author's comments goes with the author.
    listed = (PageComment.gsi1pk, PageComment.gsi1sk)
    write.update(comment.key, [each.remove() for each in (*_AUTHOR, *listed)], comment.unchanged("PK"))


@idempotent
def erase_visitor(business: str, visitor: str, *, command: Command) -> None:
    """Remove the IP address and the browser from all consents of a visitor. Choice, time and policy are the proof."""
    if not consent_queries.consents_of(business, visitor).items:
        raise NotFound
    count = _in_rounds(partial(consent_queries.identifiable_consents_of, business, visitor), _forget_device)
    transaction = Transaction(command)
    counts = {"consents": count}
    _record(transaction, business, CONSENT, _("A visitor"), counts)
    return transaction.commit(None, counts)


def _forget_device(consent: Consent) -> None:
    write.update(consent.key, [Consent.ip.remove(), Consent.user_agent.remove()], consent.unchanged("PK"))


def _remove_all(find: Callable[[], Sequence[Key]]) -> int:
    return _in_rounds(find, write.remove)


def _in_rounds(find: Callable[[], Iterable[Any]], act: Callable[[Any], object]) -> int:
    """Act on what is found until nothing is left; returns how many there were."""
    seen: set[Key] = set()
    for _round in range(MAX_ROUNDS):
        found = [each for each in find() if _key_of(each) not in seen]
        if not found:
            return len(seen)
        for at in range(0, len(found), AT_ONCE):
            gather_all([partial(act, each) for each in found[at : at + AT_ONCE]])
        seen.update(map(_key_of, found))
    raise Refused(_("There is more than can be erased at once. Press the button again."))


def _key_of(found: Key | Item) -> Key:
    return found.key if isinstance(found, Item) else found


def _record(transaction: Transaction, business: str, kind: str, title: str, counts: dict[str, int]) -> None:
    """Without anything that identifies the person."""
    record(
        transaction,
        f"{kind}.erase",
        target=f"{kind}:{ERASED}",
        kind=kind,
        title=title,
        after={name: count for name, count in counts.items() if count},
        business=business,
    )

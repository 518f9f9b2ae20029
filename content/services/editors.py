"""Keeps what a person types in the editor of a page, and that they have it open. Neither is audited; both expire."""

from __future__ import annotations

from datetime import timedelta

from django.http import QueryDict
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from content.items import PagePresence, UnsavedPage
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.core.ids import new_id
from dashboard.platform.configs.changes import pack
from dashboard.platform.configs.services.drafts import EXPIRES_AFTER
from dashboard.table import keys, write
from dashboard.table.commands import Actor
from dashboard.table.keypattern import BadKey, Key

# Longer than the interval between two reports of an open editor.
STAYS = timedelta(seconds=50)
# Compressed; DynamoDB's limit for an item is 400 KB.
MAX_BYTES = 350 * 1024
# Fields that only the request needs. The button that was pressed is kept: it is pressed again on the kept form.
_NOT_KEPT = frozenset({"csrfmiddlewaretoken", "operation", "kept_id"})


def keep(business: str, node: str, form: QueryDict, *, editor: str, by: Actor) -> bool:
    """Keep the form of an open editor. False if it is too large or another editor's changes are kept."""
    packed = pack([[name, texts] for name, texts in form.lists() if name not in _NOT_KEPT])
    if len(packed) > MAX_BYTES:
        return False
    moment = now()
    actions = [
        UnsavedPage.packed.set(packed),
        UnsavedPage.editor.set(editor),
        UnsavedPage.kept_at.set(moment),
        UnsavedPage.kept_id.set(new_id()),
        UnsavedPage.ttl.set(int((moment + EXPIRES_AFTER).timestamp())),
    ]
    is_own_or_expired = (UnsavedPage.editor == editor) | (UnsavedPage.ttl <= int(moment.timestamp()))
    is_open = UnsavedPage.closed_editor.does_not_exist() | (UnsavedPage.closed_editor != editor)
    condition = UnsavedPage.pk.does_not_exist() | (is_own_or_expired & is_open)
    return write.update(_unsaved_key(business, node, by), actions, condition) is not None


def close(business: str, node: str, *, editor: str, by: Actor) -> None:
    """Delete what an editor kept, after it saved. What another editor kept stays."""
    actions = [UnsavedPage.closed_editor.set(editor), *_deletion()]
    condition = UnsavedPage.pk.does_not_exist() | (UnsavedPage.editor == editor)
    write.update(_unsaved_key(business, node, by), actions, condition)


def discard(business: str, node: str, *, kept_id: str, by: Actor) -> bool:
    """Delete what the person was offered. False if another editor has kept something since then, which stays."""
    return write.update(_unsaved_key(business, node, by), _deletion(), _is_kept(kept_id)) is not None


def take_over(business: str, node: str, *, kept_id: str, editor: str, by: Actor) -> bool:
    """Let another editor continue what is kept: the save of the first one no longer deletes it.

    False if the first one has kept something since then.
    """
    actions = [UnsavedPage.editor.set(editor)]
    return write.update(_unsaved_key(business, node, by), actions, _is_kept(kept_id)) is not None


def _is_kept(kept_id: str) -> Condition:
    is_same = UnsavedPage.kept_id == kept_id if kept_id else UnsavedPage.kept_id.does_not_exist()
    condition: Condition = UnsavedPage.pk.exists() & is_same
    return condition


def _deletion() -> list[Action]:
    """DynamoDB removes the rest of the item."""
    return [UnsavedPage.packed.remove(), UnsavedPage.ttl.set(int(now().timestamp()))]


def note_presence(business: str, node: str, *, by: Actor) -> None:
    try:
        key = keys.PAGE_PRESENCE.key(tenant=business, node=node, email=by.email)
    except BadKey:
        raise NotFound from None
    until = int((now() + STAYS).timestamp())
    write.update(key, [PagePresence.name.set(by.name or by.email), PagePresence.ttl.set(until)])


def _unsaved_key(business: str, node: str, by: Actor) -> Key:
    return keys.UNSAVED_PAGE.key(tenant=business, node=node, email=by.email)

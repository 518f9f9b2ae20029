"""Writes: one transaction contains the condition, the change, its audit entry and the record of the command."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar, cast

from botocore.exceptions import BotoCoreError, ClientError
from django.utils.translation import gettext_lazy
from pynamodb.exceptions import CancellationReason, VerboseClientError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused, Unavailable
from dashboard.table import keys, oplog, read
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Command, Done
from dashboard.table.connection import table
from dashboard.table.items import Item, Outcome, Raw, is_expired, to_item
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.retries import BROKEN, RETRYABLE, Backoff, code_of, table_errors

P = ParamSpec("P")
R = TypeVar("R")
ItemT = TypeVar("ItemT", bound=Item)
SubjectT = TypeVar("SubjectT", bound=Item | None)

# DynamoDB Local accepts at most 10 steps.
MAX_STEPS = 10
_CONDITION_FAILED = "ConditionalCheckFailed"
_INVALID = "ValidationError"
_RETURN_CURRENT_ITEM = "ALL_OLD"
TOO_LARGE = gettext_lazy("This would exceed 400 KB, the limit of one item. Nothing was changed.")

# Makes the error for a condition that failed, from the current state of the item.
ErrorFactory = Callable[[Item | None], DomainError]


@dataclass(frozen=True)
class _Step:
    verb: str
    key: Key
    body: dict[str, Any]
    on_failure: ErrorFactory

    @property
    def table_name(self) -> str:
        return str(self.body["TableName"])


class Transaction:
    """The writes of one command. All of them happen exactly once, or none does."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self._steps: list[_Step] = []
        self._items: list[Item] = []

    @property
    def free_steps(self) -> int:
        """How many steps can still be added; the record of the command needs one too."""
        return MAX_STEPS - 1 - len(self._steps)

    def create(self, item: Item, on_failure: ErrorFactory = Conflict, *, revision: int = 1) -> None:
        """Put a new item at a free key. An item that moves from another key continues with its `revision`."""
        item.created_at = item.created_at or now()
        if item.editable:
            self._stamp(item, revision=revision)
        item.set_index_keys()
        body = item.get_save_kwargs_from_instance(
            condition=_key_is_free(), return_values_on_condition_failure=_RETURN_CURRENT_ITEM
        )
        for name in item.written_as_null:
            body["Item"].setdefault(item.get_attributes()[name].attr_name, to_attribute(None))
        for name, value in item.extra_attributes.items():
            body["Item"].setdefault(name, value)
        if item.moved_from is not None:
            body["Item"] = item.in_original_form(body["Item"], item.moved_from)
        self._add("Put", item.key, body, on_failure, item.table_of(item.key))
        self._items.append(item)

    def save(
        self,
        item: Item,
        *,
        revision: int,
        on_failure: ErrorFactory = Conflict,
        condition: Condition | None = None,
        stored: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Write the changes of an item if it is still at `revision`. `condition` is a further condition.

        `stored` has values to write as they are, by their names on the table; None removes one.
        """
        if item.partial:
            raise RuntimeError("This item was read in part. Read all of it before changing it.")
        self._stamp(item, revision=revision + 1)
        item.set_index_keys()
        # The revision is always set: without any change there would be no update that the condition could refuse.
        actions = _actions(item, item.changes() | {"stored_revision": item.revision})
        actions += [_stored_action(name, value) for name, value in stored.items()]
        body = item.get_update_kwargs_from_instance(
            actions=actions,
            condition=_and(at_revision(revision), condition),
            return_values_on_condition_failure=_RETURN_CURRENT_ITEM,
        )
        self._add("Update", item.key, body, on_failure, item.table_of(item.key))
        self._items.append(item)

    def save_unversioned(
        self,
        item: Item,
        condition: Condition,
        on_failure: ErrorFactory,
        *,
        always: Sequence[str] = (),
        more: Sequence[Action] = (),
    ) -> None:
        """Write the changes of an item without counting a revision, if the condition holds.

        The attributes `always` are written even with an equal value: an outside writer's text becomes a number.
        `more` changes attributes that the class does not know.
        """
        item.set_index_keys()
        actions = [*_actions(item, {name: getattr(item, name) for name in always} | item.changes()), *more]
        if not actions:
            self.check(item.key, condition, on_failure)
            return
        body = item.get_update_kwargs_from_instance(
            actions=actions, condition=condition, return_values_on_condition_failure=_RETURN_CURRENT_ITEM
        )
        self._add("Update", item.key, body, on_failure, item.table_of(item.key))
        self._items.append(item)

    def delete(
        self, item: Item, *, revision: int, on_failure: ErrorFactory = Conflict, condition: Condition | None = None
    ) -> None:
        """Remove an item if it is still at `revision`."""
        body = item.get_delete_kwargs_from_instance(
            condition=_and(at_revision(revision), condition), return_values_on_condition_failure=_RETURN_CURRENT_ITEM
        )
        self._add("Delete", item.key, body, on_failure, item.table_of(item.key))

    def restore(self, raw: Raw, on_failure: ErrorFactory = Conflict) -> Item:
        """Write a deleted item again with all its attributes. The revision increases, so that old forms conflict."""
        item = to_item(raw)
        if not isinstance(item, Item):
            raise RuntimeError(f"{item.key} is of an unknown kind and cannot be written.")
        self._stamp(item, revision=item.revision + 1)
        item.set_index_keys()
        body = item.get_save_kwargs_from_instance(
            condition=_key_is_free(), return_values_on_condition_failure=_RETURN_CURRENT_ITEM
        )
        body["Item"] = raw | item.in_original_form(body["Item"], item)
        self._add("Put", item.key, body, on_failure, item.table_of(item.key))
        self._items.append(item)
        return item

    def update(
        self, key: Key, actions: Sequence[Action], condition: Condition | None, on_failure: ErrorFactory
    ) -> None:
        """Change an item that has no revision, such as a counter."""
        body = table().get_operation_kwargs(
            key.pk,
            key.sk,
            actions=actions,
            condition=condition,
            return_values_on_condition_failure=_RETURN_CURRENT_ITEM,
        )
        self._add("Update", key, body, on_failure)

    def remove(self, key: Key, condition: Condition | None = None, on_failure: ErrorFactory = Conflict) -> None:
        """Remove an item that has no revision. Without a condition, a missing item is no error."""
        body = table().get_operation_kwargs(
            key.pk, key.sk, condition=condition, return_values_on_condition_failure=_RETURN_CURRENT_ITEM
        )
        self._add("Delete", key, body, on_failure)

    def check(self, key: Key, condition: Condition, on_failure: ErrorFactory) -> None:
        """Require a condition on an item that is not changed."""
        body = table().get_operation_kwargs(
            key.pk, key.sk, condition=condition, return_values_on_condition_failure=_RETURN_CURRENT_ITEM
        )
        self._add("ConditionCheck", key, body, on_failure)

    def commit(self, subject: SubjectT, result: dict[str, Any] | None = None) -> SubjectT:
        """Send the transaction. For a command that was executed before, return its subject in its current state."""
        done = Done.record(self.command, subject, result)
        if self._send([_done_step(done), *self._steps]):
            for item in self._items:
                item.mark_saved()
            if subject is not None:
                subject.outcome = Outcome(result or {})
            return subject
        return cast(SubjectT, find_subject(self.command))

    def _stamp(self, item: Item, revision: int) -> None:
        item.revision = revision
        item.updated_at = now()
        item.updated_by, item.updated_by_name = self.command.by.email, self.command.by.name or None

    def _add(self, verb: str, key: Key, body: dict[str, Any], on_failure: ErrorFactory, table_name: str = "") -> None:
        if table_name:
            body["TableName"] = table_name
        step = _Step(verb, key, body, on_failure)
        if any(each.key == key and each.table_name == step.table_name for each in self._steps):
            raise RuntimeError(f"{key} is twice in one transaction: merge the two steps.")
        self._steps.append(step)

    def _send(self, steps: list[_Step]) -> bool:
        """True if the writes were made now, False if the command was executed before."""
        if len(steps) > MAX_STEPS:
            raise RuntimeError(f"{len(steps)} steps in one transaction, {MAX_STEPS} at the most.")
        backoff = Backoff(tries=12)
        lost_replies = 0
        token = secrets.token_hex(16)
        while True:
            request = {"TransactItems": [{step.verb: step.body} for step in steps], "ClientRequestToken": token}
            try:
                table().connection.dispatch("TransactWriteItems", request)
                return True
            except (ClientError, BotoCoreError) as error:
                code = code_of(error)
                if code == "TransactionCanceledException":
                    if _handle_cancellation(steps, error):
                        return False
                    token = secrets.token_hex(16)  # The next attempt is a new transaction.
                elif code is None or code in BROKEN:
                    # There was no reply. The record shows whether the write happened; the same token
                    # prevents a second write.
                    lost_replies += 1
                    if find_done(self.command) is not None:
                        return False
                    if lost_replies > 1:
                        raise Unavailable from error
                elif code == "ValidationException" and "size has exceeded" in str(error):
                    raise Refused(TOO_LARGE) from error  # DynamoDB checks the size of a new item first.
                elif code not in RETRYABLE:
                    with table_errors():
                        raise
                if not backoff.wait():
                    raise Unavailable from error


def _actions(item: Item, changes: dict[str, Any]) -> list[Action]:
    """What sets these attributes, and the changed entries of shared maps."""
    attributes = item.get_attributes()
    actions: list[Action] = []
    for name, value in changes.items():
        is_empty = value is None or value == set()
        if is_empty and name in item.written_as_null:
            actions.append(Path([str(attributes[name].attr_name)]).set(to_attribute(None)))
        else:
            actions.append(attributes[name].remove() if is_empty else attributes[name].set(value))
    for path, value in item.nested_changes().items():
        nested = Path(list(path))
        actions.append(nested.remove() if value is None else nested.set(to_attribute(value)))
    return actions


def _stored_action(name: str, value: Any) -> Action:
    path = Path([name])
    return cast(Action, path.remove() if value is None else path.set(value))


def _done_step(done: Done) -> _Step:
    return _Step("Put", done.key, done.get_save_kwargs_from_instance(condition=_key_is_free()), Conflict)


def _key_is_free() -> Condition:
    """No item is at the key, or only an expired one that DynamoDB has not deleted yet."""
    return cast(Condition, Item.pk.does_not_exist() | (Item.ttl <= int(now().timestamp())))


def at_revision(revision: int) -> Condition:
    """The item exists and is at this revision; 0 means that nobody has edited it yet."""
    if revision:
        return cast(Condition, Item.stored_revision == revision)
    number = Item.stored_revision
    # A missing or non-numeric revision counts as 0.
    unedited = number.does_not_exist() | ~number.is_type() | (number <= 0)  # type: ignore[no-untyped-call]
    return cast(Condition, Item.pk.exists() & unedited)


def _and(one: Condition, other: Condition | None) -> Condition:
    return one if other is None else cast(Condition, one & other)


def _handle_cancellation(steps: list[_Step], error: ClientError | BotoCoreError) -> bool:
    """Return True if the record exists, False to try again. Raise the error of the failed step."""
    assert isinstance(error, VerboseClientError)
    reasons: list[CancellationReason | None] = list(error.cancellation_reasons)
    record_reason = reasons[0] if reasons else None
    if record_reason is not None and (record_reason.code == _CONDITION_FAILED or record_reason.code in RETRYABLE):
        return record_reason.code == _CONDITION_FAILED
    for step, reason in zip(steps, reasons, strict=True):
        if reason is not None and reason.code == _CONDITION_FAILED:
            raise step.on_failure(_current_item(step, reason)) from error
        if reason is not None and reason.code == _INVALID and "size" in (reason.message or ""):
            raise Refused(TOO_LARGE) from error
    if not any(reason is not None and reason.code in RETRYABLE for reason in reasons):
        raise error
    return False


def _current_item(step: _Step, reason: CancellationReason) -> Item | None:
    if reason.raw_item:
        raw: Raw | None = reason.raw_item
    else:
        raw = read.raw_item(step.key, table_name=step.table_name)
    found = to_item(raw) if raw and not is_expired(raw) else None
    return found if isinstance(found, Item) else None


class OtherRequest(Refused):
    """The id of a command was sent again with another request."""

    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__(gettext_lazy("This was sent before with other values. Nothing was changed."))


def find_done(command: Command) -> Done | None:
    """The record of a command, or None if it was not executed."""
    done = read.get(Done, keys.DONE.key(operation=command.id))
    if done is not None and command.request and done.request != command.request:
        raise OtherRequest
    return done


def find_result(command: Command, *, subject_pk: str | None = None) -> dict[str, Any]:
    """What a command stored for its Undo; empty if it was not executed, or changed another subject.

    A form may send anything as the id of the command.
    """
    try:
        done = find_done(command)
    except BadKey:
        return {}
    if done is None or not isinstance(done.result, dict) or subject_pk not in {None, done.subject_pk}:
        return {}
    return done.result


def find_subject(command: Command) -> Item | None:
    """The subject of an executed command in its current state; None if the command was not executed."""
    return _subject_of(find_done(command))


def _subject_of(done: Done | None) -> Item | None:
    if done is None or done.subject_pk is None:
        return None
    found = read.get_many([Key(done.subject_pk, done.subject_sk)])[0]
    if not isinstance(found, Item):
        raise NotFound
    found.outcome = _repeated_outcome(found, done)
    return found


def _repeated_outcome(subject: Item, done: Done) -> Outcome:
    return Outcome(done.result or {}, has_changed_since=subject.revision != int(done.subject_revision or 0))


def report_unchanged(subject: ItemT, result: dict[str, Any], command: Command) -> ItemT:
    """Return an item that needs no write. A write without a change would only make other people's forms conflict.

    If this command itself made the change before, the outcome is that of the first time.
    """
    done = find_done(command)
    subject.outcome = Outcome(result, is_no_change=True) if done is None else _repeated_outcome(subject, done)
    return subject


def idempotent(service: Callable[P, R]) -> Callable[P, R]:
    """Decorator for services: a repeated command returns the result of the first time.

    After a lost reply, the second attempt finds the changes of the first and would refuse them: the revision differs,
    or a rule is violated. An error is therefore raised only if the command has no record.
    """
    name = f"{service.__module__}.{service.__name__}"

    @functools.wraps(service)
    def run_once(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            with oplog.attributed_to(name):
                return service(*args, **kwargs)
        except Unavailable:
            raise
        except DomainError:
            done = find_done(cast(Command, kwargs["command"]))
            if done is None:
                raise
            return cast(R, _subject_of(done))

    return run_once

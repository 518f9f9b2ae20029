"""Saving a config: someone's changes on top of what stands, with a version to go back to, in one transaction."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.audit.services import record
from dashboard.clock import now
from dashboard.configs import queries
from dashboard.configs.changes import Changes, Overlap, between, counts, inverse, merge, packed
from dashboard.configs.items import HIGHEST, Body, Config, ConfigBody, ConfigDraft, ConfigVersion
from dashboard.configs.kinds import MAX_BYTES, Kind, digest
from dashboard.errors import Conflict, Refused
from dashboard.table.attributes import as_plain
from dashboard.table.operations import Operation
from dashboard.table.read import gather
from dashboard.table.retries import Backoff
from dashboard.table.transactions import Transaction, once, unchanged
from dashboard.table.weights import weight

# So many of the changed entries are named in a list of versions, and in the audit trail.
SAMPLE = 12
# What is beside a body in its item: keys, who and when.
BESIDE = 40 * 1024
# Where a version came from that nobody saved here.
AS_IT_COMES, FOUND, ELSEWHERE = "initial", "found", "elsewhere"


class Overlapping(Conflict):
    """Somebody else has changed the same entries, in another way."""

    text = _("Someone has changed the same entries while you had them open.")

    def __init__(self, item: Config | None, overlaps: list[Overlap]) -> None:
        self.overlaps = overlaps
        super().__init__(item)


class _Moved(Conflict):
    """Someone saved between our reading and our writing: we look again."""


@dataclass(frozen=True)
class Why:
    """What a version is for: a note, and the version that it brings back or takes back."""

    note: str = ""
    restored: int | None = None
    reverted: int | None = None

    @property
    def action(self) -> str:
        return "restore" if self.restored is not None else "revert" if self.reverted is not None else "save"


@once
def save(
    kind: Kind,
    changes: Changes,
    *,
    why: Why,
    seen: int | None,
    mine: Collection[str] = (),
    draft: ConfigDraft | None = None,
    operation: Operation,
) -> Config:
    """Make the changes. Whatever others saved meanwhile stays; `mine` names the entries of theirs to replace.

    A decision counts only for what the person saw: `seen` is the revision of the config that it was made on, or none
    where nobody has looked at it.
    """
    return _save(kind, changes, why, seen, mine, draft, operation)


@once
def restore(kind: Kind, number: int, *, seen: int, operation: Operation) -> Config:
    """Everything as it was at a version, in a new one: what stands now stays in the history."""
    (past,) = queries.at_versions(kind, number)
    config = queries.current(kind)
    if (config.seen if config else 0) != seen:
        raise Conflict(config)
    changes = between(kind.entries_of(config), kind.entries(past.body))
    return _save(kind, changes, Why(restored=number), seen, (), None, operation)


@once
def revert(kind: Kind, number: int, *, operation: Operation) -> Config:
    """Take back what one version changed, and nothing that came after it."""
    after, before = queries.at_versions(kind, number, number - 1)
    changes = inverse(between(kind.entries(before.body), kind.entries(after.body)))
    return _save(kind, changes, Why(reverted=number), None, (), None, operation)


def _save(
    kind: Kind,
    changes: Changes,
    why: Why,
    seen: int | None,
    mine: Collection[str],
    draft: ConfigDraft | None,
    operation: Operation,
) -> Config:
    backoff = Backoff(tries=12)
    while True:
        try:
            return _try(kind, changes, why, seen, mine, draft, operation)
        except _Moved:
            if not backoff.wait():
                raise


def _try(
    kind: Kind,
    changes: Changes,
    why: Why,
    seen: int | None,
    mine: Collection[str],
    draft: ConfigDraft | None,
    operation: Operation,
) -> Config:
    answers: list[Any] = gather(lambda: queries.current(kind), lambda: queries.newest_number(kind))
    config: Config | None = answers[0]
    body = kind.body_of(config)
    entries = kind.entries(body)
    before = config.seen if config else 0
    merged = merge(entries, changes, kind.settle, mine if before == seen else ())
    if merged.overlaps:
        raise Overlapping(config, merged.overlaps)
    if not merged.changes:
        if config is None:
            raise Refused(_("There is nothing to save: it is so already."))
        return unchanged(config, {}, operation)
    after = kind.apply(body, merged.changes)
    _has_room(kind, config, after)
    number = max(config.number if config else 0, answers[1])
    if number + 2 >= HIGHEST:
        raise Refused(_("There is no number left for another version."))
    # Who saved between this person's reading and now: both are in, and they are told.
    between_us = (
        {"with": config.updated_by_name or config.updated_by or ""} if config and seen not in (None, before) else {}
    )
    transaction = Transaction(operation)
    number = _keep_what_stands(transaction, kind, config, body, number) + 1
    _add_version(transaction, kind, number, after, merged.changes, why)
    config = _write(transaction, kind, config, body, after, number)
    if draft is not None:
        transaction.delete(draft, seen=draft.seen)
    said = f"v{number}"
    record(
        transaction,
        f"{kind.name}.{why.action}",
        target=kind.name,
        kind="config",
        title=said,
        before=_told(kind, body, {}, number - 1),
        after=_told(kind, after, merged.changes, number) | ({"note": why.note} if why.note else {}),
    )
    return transaction.commit(config, {"version": number, **counts(merged.changes), **between_us})


def _write(transaction: Transaction, kind: Kind, config: Config | None, body: Body, after: Body, number: int) -> Config:
    if config is None:
        config = Config.at(name=kind.name)
        kind.put(config, after)
        config.version, config.digest = number, digest(after)
        transaction.create(config, otherwise=_Moved)
        return config
    also = _still(kind, config)
    kind.put(config, after)
    config.version, config.digest = number, digest(after)
    transaction.save(config, seen=config.seen, also=also, otherwise=_Moved)
    return config


def _still(kind: Kind, config: Config) -> Condition:
    """The body is as it was read, to the last digit: other services write without counting revisions."""
    names = [kind.on_the_wire(name) for name in kind.fields]
    each: list[Any] = [
        Path([name]) == config.stood[name] if name in config.stood else Path([name]).does_not_exist() for name in names
    ]
    return cast(Condition, reduce(and_, each))


def _keep_what_stands(transaction: Transaction, kind: Kind, config: Config | None, body: Body, number: int) -> int:
    """What stands there and is in no version yet becomes one: nothing is lost by saving over it."""
    if config is not None and config.digest == digest(body):
        return number
    if config is None and not body:
        return number
    origin = AS_IT_COMES if config is None else ELSEWHERE if config.number else FOUND
    version = _version(kind, number + 1, body)
    version.origin = origin
    if config is not None and not config.number:
        version.by, version.by_name = config.updated_by, config.updated_by_name
    transaction.create(version, otherwise=_Moved)
    transaction.create(_body(kind, number + 1, body), otherwise=_Moved)
    return number + 1


def _add_version(transaction: Transaction, kind: Kind, number: int, body: Body, changes: Changes, why: Why) -> None:
    version = _version(kind, number, body)
    version.by, version.by_name = transaction.operation.by.email, transaction.operation.by.name or None
    version.note = why.note or None
    version.restored, version.reverted = why.restored, why.reverted
    version.counts = counts(changes)
    version.sample = [kind.told(name, changes[name]).label for name in list(changes)[:SAMPLE]]
    transaction.create(version, otherwise=_Moved)
    transaction.create(_body(kind, number, body), otherwise=_Moved)


def _version(kind: Kind, number: int, body: Body) -> ConfigVersion:
    version = ConfigVersion.at(name=kind.name, version=number)
    version.version, version.created_at = number, now()
    version.totals = kind.totals(kind.entries(body))
    return version


def _body(kind: Kind, number: int, body: Body) -> ConfigBody:
    item = ConfigBody.at(name=kind.name, version=number)
    item.packed = packed(body)
    return item


def _has_room(kind: Kind, config: Config | None, body: Body) -> None:
    size = weight(body)
    ours = {kind.on_the_wire(name) for name in kind.fields}
    beside = {name: as_plain(value) for name, value in config.stood.items() if name not in ours} if config else {}
    # What other services keep in the same item takes room, too.
    if size > MAX_BYTES - max(0, weight(beside) - BESIDE):
        raise Refused(too_large(sum(kind.totals(kind.entries(body)).values()), size))


def too_large(count: int, size: int) -> str:
    """Why a config cannot be saved, with the count."""
    sentence = ngettext(
        "That would be %(count)s entry in %(size)s KB, and %(most)s KB is the most. Nothing is lost: take some out.",
        "That would be %(count)s entries in %(size)s KB, and %(most)s KB is the most. Nothing is lost: take some out.",
        count,
    )
    return sentence % {"count": f"{count:,}", "size": -(-size // 1024), "most": MAX_BYTES // 1024}


def _told(kind: Kind, body: Body, changes: Changes, number: int) -> dict[str, Any]:
    """What the trail says of it: the version, how many there are, and the first of what changed."""
    told: dict[str, Any] = {"version": f"v{number}", **kind.totals(kind.entries(body))}
    named: dict[str, list[str]] = {}
    for name in list(changes)[:SAMPLE]:
        entry = kind.told(name, changes[name])
        named.setdefault(entry.verb, []).append(entry.label)
    more = len(changes) - SAMPLE
    return told | {verb: ", ".join(labels) for verb, labels in named.items()} | ({"more": more} if more > 0 else {})

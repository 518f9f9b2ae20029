"""Saving a config: someone's changes on top of what stands, with a version to go back to, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.platform.audit.services import record
from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import Changes, Overlap, between, counts, inverse, merge
from dashboard.platform.configs.items import HIGHEST, Body, Config, ConfigDraft
from dashboard.platform.configs.kinds import MAX_BYTES, Kind, NeedsConfirmation, digest
from dashboard.platform.configs.services.versions import SAMPLE, Why, add_version, keep_what_stands
from dashboard.table.attributes import as_plain
from dashboard.table.commands import Command
from dashboard.table.item_size import in_kb, weight
from dashboard.table.read import gather
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, unchanged

# What is beside a body in its item: keys, who and when.
BESIDE = 40 * 1024


class Overlapping(Conflict):
    """Somebody else has changed the same entries, in another way."""

    text = _("Someone has changed the same entries while you had them open.")

    def __init__(self, item: Config | None, overlaps: list[Overlap]) -> None:
        self.overlaps = overlaps
        super().__init__(item)


class Held(Refused):
    """Changes that would do so much that somebody has to confirm them first."""

    def __init__(self, holds: Sequence[NeedsConfirmation]) -> None:
        self.holds = holds
        super().__init__(_("This is held until you confirm it."))


@dataclass(frozen=True)
class _Intent:
    """What somebody wants to change in a config, and what of it they saw when they decided."""

    kind: Kind
    changes: Changes
    why: Why
    command: Command
    revision: int | None = None
    mine: Collection[str] = ()
    draft: ConfigDraft | None = None
    # Before any try: each one stamps it.
    draft_revision: int = 0
    # What is held and was confirmed, by its token; none where nobody is asked.
    confirmed: Collection[str] | None = ()


@idempotent
def save(
    kind: Kind,
    changes: Changes,
    *,
    why: Why,
    revision: int | None,
    mine: Collection[str] = (),
    draft: ConfigDraft | None = None,
    confirmed: Collection[str] | None = (),
    command: Command,
) -> Config:
    """Make the changes. Whatever others saved meanwhile stays; `mine` names the entries of theirs to replace.

    A decision counts only for what the person saw: `revision` is that of the config that it was made on, or none
    where nobody has looked at it. `confirmed` are the tokens of what is held and meant.
    """
    return _save(_Intent(kind, changes, why, command, revision, mine, draft, draft.revision if draft else 0, confirmed))


@idempotent
def restore(kind: Kind, number: int, *, revision: int, confirmed: Collection[str] = (), command: Command) -> Config:
    """Everything as it was at a version, in a new one: what stands now stays in the history."""
    (past,) = queries.at_versions(kind, number)
    config = queries.current(kind)
    if (config.revision if config else 0) != revision:
        raise Conflict(config)
    changes = between(kind.entries_of(config), kind.entries(past.body))
    return _save(_Intent(kind, changes, Why(restored=number), command, revision, confirmed=confirmed))


@idempotent
def revert(kind: Kind, number: int, *, confirmed: Collection[str] = (), command: Command) -> Config:
    """Take back what one version changed, and nothing that came after it."""
    after, before = queries.at_versions(kind, number, number - 1)
    changes = inverse(between(kind.entries(before.body), kind.entries(after.body)))
    return _save(_Intent(kind, changes, Why(reverted=number), command, confirmed=confirmed))


def _save(intent: _Intent) -> Config:
    return retry_on(StaleRevision, lambda: _try(intent), tries=24)


def _try(intent: _Intent) -> Config:
    kind = intent.kind
    answers = gather(lambda: queries.current(kind), lambda: queries.newest_number(kind))
    config: Config | None = answers[0]
    body, before = kind.body_of(config), config.revision if config else 0
    merged = merge(kind.entries(body), intent.changes, kind.settle, intent.mine if before == intent.revision else ())
    if merged.overlaps:
        raise Overlapping(config, merged.overlaps)
    if not merged.changes:
        if config is None:
            raise Refused(_("There is nothing to save: it is so already."))
        return unchanged(config, {}, intent.command)
    after = kind.apply(body, merged.changes)
    _has_room(kind, config, after)
    held = _held(intent, body, after, merged.changes)
    newest = max(config.number if config else 0, answers[1])
    if newest + 2 >= HIGHEST:
        raise Refused(_("There is no number left for another version."))
    result = counts(merged.changes) | _met(config, intent.revision)
    transaction = Transaction(intent.command)
    number = keep_what_stands(transaction, kind, config, newest) + 1
    add_version(transaction, kind, number, after, merged.changes, intent.why)
    config = _write(transaction, kind, config, after, number)
    if intent.draft is not None:
        # Emptied and not deleted: its revision goes on, so that no old form takes back a step of the next one.
        intent.draft.packed = intent.draft.before = None
        transaction.save(intent.draft, revision=intent.draft_revision)
    record(
        transaction,
        f"{kind.name}.{intent.why.action}",
        target=kind.name,
        kind="config",
        title=f"v{number}",
        before=_told(kind, body, {}, number - 1),
        after=_told(kind, after, merged.changes, number) | _noted(intent, held),
    )
    return transaction.commit(config, {"version": number, **result})


def _held(intent: _Intent, before: Body, after: Body, changes: Changes) -> Sequence[NeedsConfirmation]:
    """What of the changes does so much that it had to be confirmed; refused where something was not."""
    if intent.kind.guard is None or intent.confirmed is None:
        return ()
    holds = intent.kind.guard(before, after, changes)
    if any(each.token not in intent.confirmed for each in holds):
        raise Held(holds)
    return holds


def _noted(intent: _Intent, held: Sequence[NeedsConfirmation]) -> dict[str, str]:
    """What a person said beside the change: why, and that its effect is meant."""
    told = {"note": intent.why.note, "confirmed": ", ".join(each.noted for each in held)}
    return {name: text for name, text in told.items() if text}


def _met(config: Config | None, revision: int | None) -> dict[str, str]:
    """Who saved between this person's reading and now: both are in, and they are told."""
    if config is None or revision in (None, config.revision):
        return {}
    return {"with": config.updated_by_name or config.updated_by or ""}


def _write(transaction: Transaction, kind: Kind, config: Config | None, after: Body, number: int) -> Config:
    if config is None:
        config = Config.at(name=kind.name)
        _fill(config, kind, after, number)
        transaction.create(config, otherwise=StaleRevision)
    else:
        # Other services write without counting revisions.
        also = config.unchanged(*map(kind.on_the_wire, kind.fields))
        _fill(config, kind, after, number)
        transaction.save(config, revision=config.revision, also=also, otherwise=StaleRevision)
    return config


def _fill(config: Config, kind: Kind, body: Body, number: int) -> None:
    kind.put(config, body)
    config.version, config.digest = number, digest(body)


def _has_room(kind: Kind, config: Config | None, body: Body) -> None:
    size = weight(body)
    ours = {kind.on_the_wire(name) for name in kind.fields}
    beside = {name: as_plain(value) for name, value in config.raw.items() if name not in ours} if config else {}
    # What other services keep in the same item takes room, too.
    if size <= MAX_BYTES - max(0, weight(beside) - BESIDE):
        return
    count = sum(kind.totals(kind.entries(body)).values())
    sentence = ngettext(
        "That would be %(count)s entry in %(size)s KB, and %(most)s KB is the most. Nothing is lost: take some out.",
        "That would be %(count)s entries in %(size)s KB, and %(most)s KB is the most. Nothing is lost: take some out.",
        count,
    )
    raise Refused(sentence % {"count": f"{count:,}", "size": in_kb(size), "most": in_kb(MAX_BYTES)})


def _told(kind: Kind, body: Body, changes: Changes, number: int) -> dict[str, Any]:
    """What the trail says of it: the version, how many there are, and the first of what changed."""
    told: dict[str, Any] = {"version": f"v{number}", **kind.totals(kind.entries(body))}
    named: dict[str, list[str]] = {}
    for name in list(changes)[:SAMPLE]:
        entry = kind.entry_labels(name, changes[name])
        named.setdefault(entry.verb, []).append(entry.label)
    more = len(changes) - SAMPLE
    return told | {verb: ", ".join(labels) for verb, labels in named.items()} | ({"more": more} if more > 0 else {})

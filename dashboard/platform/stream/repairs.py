"""Computes the writes that repair an item after an outside writer changed it. No I/O.

Every kind of item gets its index keys, its `ttl` and a lost `revision`. What else a kind gets is a rule (rules.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dashboard.platform.stream.changes import AttributeValue, Change, Values, Write, revision_of
from dashboard.platform.stream.rules import LAYOUT, REVISION, RULES, RepairContext
from dashboard.table import keys, schema
from dashboard.table.index_keys import NotComputable, class_of, index_keys_of
from dashboard.table.items import Raw, is_expired
from dashboard.table.keypattern import Key
from dashboard.table.schema import INDEX_LAYOUT
from dashboard.table.transactions import MAX_STEPS


def compute_repairs(old: Raw | None, new: Raw | None, context: RepairContext) -> list[Write]:
    """The writes that complete the item as our classes would have written it; none if it is complete."""
    return repairs_of_change(Change(old, new), context)


def repairs_of_change(change: Change, context: RepairContext) -> list[Write]:
    writes: dict[Key, Write] = {}
    for rule in RULES.get(change.kind or "", []):
        if rule.name in context.loaded:
            for write in rule.repair(change, context.loaded[rule.name]):
                known = writes.get(write.key)
                writes[write.key] = known.merged_with(write) if known else write
    own = _own_write(change, writes.pop(change.key, None), context)
    needed = [_with_index_keys(write, context) for write in writes.values() if _differs(write)]
    if needed:
        needed += [write for write in writes.values() if write.is_condition]
    if own or needed:
        # Writes to other items were computed from this one: it must still be as it was.
        needed.insert(0, own or Write(change.key, {}, _known_attributes(change)))
    if len(needed) > MAX_STEPS:
        raise NotComputable(f"{change.key}: {len(needed)} writes, {MAX_STEPS} at the most.")
    return needed


def _own_write(change: Change, by_rules: Write | None, context: RepairContext) -> Write | None:
    """The write to the changed item: what the rules set, then index keys, ttl and revision."""
    new = change.new
    if new is None or (by_rules is not None and by_rules.deletes):
        return by_rules
    if is_expired(new):
        return None
    values: dict[str, AttributeValue | None] = dict(by_rules.values) if by_rules else {}
    expected: dict[str, AttributeValue | None] = dict(by_rules.expected) if by_rules else {}
    values |= _index_changes(change, values, context.indexes)
    revision = _revision_after(change, context)
    if revision is not None:
        values[REVISION] = {"N": str(revision)}
    values = {name: value for name, value in values.items() if new.get(name) != value}
    if not values:
        return None
    return Write(change.key, values, expected | _known_attributes(change) | {name: new.get(name) for name in values})


def _known_attributes(change: Change) -> dict[str, AttributeValue | None]:
    """The attributes that the class of the item knows, as they are in the new image; for a deleted item, no key."""
    if change.new is None:
        return {schema.PK: None}
    cls = class_of(change.new)
    names = [str(each.attr_name) for each in cls.get_attributes().values()] if cls else list(change.new)
    return {name: change.new.get(name) for name in names}


def _with_index_keys(write: Write, context: RepairContext) -> Write:
    """A new item gets its index keys; a rule that changes another item sets them itself (`Write.of_changed`)."""
    if not write.creates:
        return write
    key = {schema.PK: {"S": write.key.pk}, schema.SK: {"S": write.key.sk}}
    computed = index_keys_of(key | {name: value for name, value in write.values.items() if value}, context.indexes)
    return replace(write, values={**write.values, **computed.changes()}) if computed else write


def _index_changes(change: Change, values: Values, indexes: Iterable[schema.Index]) -> Values:
    assert change.new is not None
    if layout_of(change.new) > INDEX_LAYOUT or _is_lease_of_older_version(change):
        return {}
    final = {name: value for name, value in {**change.new, **values}.items() if value is not None}
    computed = index_keys_of(final, indexes)
    if computed is None:
        return {}
    changes = computed.changes()
    if INDEX_LAYOUT > 1 and layout_of(change.new) < INDEX_LAYOUT:
        changes[LAYOUT] = {"N": str(INDEX_LAYOUT)}
    return changes


def layout_of(raw: Raw) -> int:
    """The version of the index layout that the item was written with. A newer version of this code may have its own."""
    try:
        return int(raw[LAYOUT]["N"])
    except (KeyError, ValueError):
        return 1


def _is_lease_of_older_version(change: Change) -> bool:
    """Before `leaseUntil` existed, `run_due` moved a leased task in the index and changed nothing else."""
    due = {"S": keys.DUE.collection().pk}
    return bool(
        change.old and change.new and change.changed == {"GSIStatusSK"} and change.new.get("GSIStatusPK") == due
    )


def _revision_after(change: Change, context: RepairContext) -> int | None:
    """The revision to restore after a Put without it, above every revision that a form can contain."""
    old = None if change.old is None or is_expired(change.old) else change.old
    before = max(revision_of(old), context.revision)
    return before + 1 if revision_of(change.new) < before else None


def _differs(write: Write) -> bool:
    """Whether the write changes anything."""
    if write.creates or write.deletes or write.added:
        return True
    unknown = object()
    return any(write.expected.get(name, unknown) != value for name, value in write.values.items())

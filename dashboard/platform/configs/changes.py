"""The difference between two states of a config, and the merge of two people's changes.

A config is a set of entries: a name and a plain value each. A change holds an entry's previous and new value. So a
merge can detect that someone else has changed the same entry meanwhile.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

# A JSON value. None means that there is no entry.
Value = Any
Entries = Mapping[str, Value]


@dataclass(frozen=True)
class EntryChange:
    """The previous and the new value of an entry; None where there is no entry."""

    was: Value
    now: Value

    @property
    def verb(self) -> str:
        return "add" if self.was is None else "remove" if self.now is None else "change"


Changes = dict[str, EntryChange]
# Merges a change with the value that someone else saved; returns None if that is not possible.
MergeValues = Callable[[str, EntryChange, Value], Value | None]


@dataclass(frozen=True)
class EntryConflict:
    """An entry that two people changed to different values."""

    name: str
    change: EntryChange
    theirs: Value


@dataclass(frozen=True)
class Merged:
    """The changes to apply to the current entries, and the conflicts that a person has to decide."""

    changes: Changes
    conflicts: list[EntryConflict]


def diff(before: Entries, after: Entries) -> Changes:
    """The changes that lead from one state to the other, in the order of the entries."""
    names = dict.fromkeys([*after, *before])
    return {
        name: EntryChange(before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)
    }


def inverse(changes: Changes) -> Changes:
    """The changes that undo these."""
    return {name: EntryChange(change.now, change.was) for name, change in changes.items()}


def combine(changes: Changes, more: Changes) -> Changes:
    """Both, one after the other. An entry that ends with the value it began with is left out."""
    result = dict(changes)
    for name, change in more.items():
        was = result[name].was if name in result else change.was
        result[name] = EntryChange(was, change.now)
        if was == change.now:
            del result[name]
    return result


def merge(
    entries: Entries, changes: Changes, merge_values: MergeValues | None = None, overwrite: Collection[str] = ()
) -> Merged:
    """Apply changes to the current entries.

    Changes that are already made are left out. A conflict about an entry in `overwrite` is decided for the change.
    """
    to_apply: Changes = {}
    conflicts = []
    for name, change in changes.items():
        current = entries.get(name)
        if current == change.now:
            continue
        if current == change.was or name in overwrite:
            to_apply[name] = EntryChange(current, change.now)
            continue
        both = merge_values(name, change, current) if merge_values else None
        if both is None:
            conflicts.append(EntryConflict(name, change, current))
        elif both != current:
            to_apply[name] = EntryChange(current, both)
    return Merged(to_apply, conflicts)


def apply_changes(entries: Entries, changes: Changes) -> dict[str, Value]:
    after = dict(entries)
    for name, change in changes.items():
        if change.now is None:
            after.pop(name, None)
        else:
            after[name] = change.now
    return after


def count_verbs(changes: Changes) -> dict[str, int]:
    """How many entries are added, changed and removed."""
    verbs = [change.verb for change in changes.values()]
    return {verb: verbs.count(verb) for verb in ("add", "change", "remove") if verb in verbs}


def pack(value: Any) -> bytes:
    """Compress a plain value. Equal values give equal bytes. A word list shrinks to a sixth of its size."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=to_jsonable)
    return gzip.compress(text.encode(), mtime=0)


def to_jsonable(value: Any) -> Any:
    """Convert what outside writers store and JSON does not have: sets, in a stable order, and bytes."""
    return sorted(value, key=repr) if isinstance(value, set) else repr(value)


def unpack(content: bytes | None) -> Any:
    """The value; None where there is none or it cannot be read."""
    try:
        return json.loads(gzip.decompress(content)) if content else None
    except (OSError, EOFError, ValueError, RecursionError, zlib.error):
        return None


def pack_changes(changes: Changes) -> bytes:
    return pack([[name, change.was, change.now] for name, change in changes.items()])


def unpack_changes(content: bytes | None) -> Changes:
    value = unpack(content)
    rows = [each for each in value if isinstance(each, list) and len(each) == 3] if isinstance(value, list) else []
    return {name: EntryChange(was, now) for name, was, now in rows if isinstance(name, str)}

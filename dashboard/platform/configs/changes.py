"""What differs between two states of a config, entry by entry, and how two people's changes come together.

A config is looked at as entries: a name and a plain value each. A change says what an entry was and what it
becomes, so that it can be told whether someone else has touched the same entry meanwhile.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

# Plain values, as JSON has them: none is no entry.
Value = Any
Entries = Mapping[str, Value]


@dataclass(frozen=True)
class Change:
    """What an entry was, and what it becomes; none where it is not there."""

    was: Value
    now: Value

    @property
    def verb(self) -> str:
        """Whether it adds, removes or changes."""
        return "add" if self.was is None else "remove" if self.now is None else "change"


Changes = dict[str, Change]
# Whether two changes of one entry can both be had: the value that holds both, or none.
Settle = Callable[[str, Change, Value], Value | None]


@dataclass(frozen=True)
class Overlap:
    """An entry that two people have changed, each in their own way."""

    name: str
    change: Change
    theirs: Value


@dataclass(frozen=True)
class Merged:
    """What is to be done to the entries as they stand, and what somebody has to decide."""

    changes: Changes
    overlaps: list[Overlap]


def between(before: Entries, after: Entries) -> Changes:
    """What leads from one state to the other, in the order of the entries."""
    names = dict.fromkeys([*after, *before])
    return {name: Change(before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)}


def inverse(changes: Changes) -> Changes:
    """What takes the changes back."""
    return {name: Change(change.now, change.was) for name, change in changes.items()}


def followed_by(changes: Changes, more: Changes) -> Changes:
    """Both, one after the other; what ends where it began is no change."""
    result = dict(changes)
    for name, change in more.items():
        was = result[name].was if name in result else change.was
        result[name] = Change(was, change.now)
        if was == change.now:
            del result[name]
    return result


def merge(entries: Entries, changes: Changes, settle: Settle | None = None, mine: Collection[str] = ()) -> Merged:
    """The changes on top of what stands now. What is so already is left out; `mine` wins where both differ."""
    made: Changes = {}
    overlaps = []
    for name, change in changes.items():
        stands = entries.get(name)
        if stands == change.now:
            continue
        if stands == change.was or name in mine:
            made[name] = Change(stands, change.now)
            continue
        both = settle(name, change, stands) if settle else None
        if both is None:
            overlaps.append(Overlap(name, change, stands))
        elif both != stands:
            made[name] = Change(stands, both)
    return Merged(made, overlaps)


def applied(entries: Entries, changes: Changes) -> dict[str, Value]:
    """The entries as the changes leave them."""
    after = dict(entries)
    for name, change in changes.items():
        if change.now is None:
            after.pop(name, None)
        else:
            after[name] = change.now
    return after


def counts(changes: Changes) -> dict[str, int]:
    """How many entries are added, changed and removed."""
    verbs = [change.verb for change in changes.values()]
    return {verb: verbs.count(verb) for verb in ("add", "change", "remove") if verb in verbs}


def packed(value: Any) -> bytes:
    """A plain value, small: thousands of words are a sixth of their size so. The same value is the same bytes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=in_json)
    return gzip.compress(text.encode(), mtime=0)


def in_json(value: Any) -> Any:
    """What another service may have put there and JSON does not have: a set, in the same order always, and bytes."""
    return sorted(value, key=repr) if isinstance(value, set) else repr(value)


def unpacked(content: bytes | None) -> Any:
    """The value; none where there is none, or nobody can read it."""
    try:
        return json.loads(gzip.decompress(content)) if content else None
    except (OSError, EOFError, ValueError, RecursionError, zlib.error):
        return None


def pack_changes(changes: Changes) -> bytes:
    return packed([[name, change.was, change.now] for name, change in changes.items()])


def unpack_changes(content: bytes | None) -> Changes:
    found = unpacked(content)
    rows = [each for each in found if isinstance(each, list) and len(each) == 3] if isinstance(found, list) else []
    return {name: Change(was, now) for name, was, now in rows if isinstance(name, str)}

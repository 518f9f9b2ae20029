"""The rules of the apps: what a kind of item needs beyond index keys, `ttl` and `revision`.

A kind that needs more registers a rule in the module `repairs` of its app:

    @repairs_of("booking", load=load_booking_state)
    def repair_booking(change: Change, state: BookingState) -> Iterable[Write]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dashboard.platform.stream.changes import Change, Write
from dashboard.table import keys, schema
from dashboard.table.items import Raw, is_expired, key_of

REVISION = "revision"
LAYOUT = "indexLayout"

# What a rule needs to know about other items; called before the rule, and only for a change that is not ours.
Load = Callable[[Change], Any]
Repair = Callable[[Change, Any], Iterable[Write]]
FollowUp = Callable[[Change], None]
FollowUpT = TypeVar("FollowUpT", bound=FollowUp)
RepairT = TypeVar("RepairT", bound=Repair)


@dataclass(frozen=True)
class Rule:
    """What one kind of item needs beyond its index keys."""

    name: str
    repair: Repair
    load: Load
    on_delete: bool
    # Called after the repair, for writes that do not fit into its transaction.
    follow_up: FollowUp | None = None


RULES: dict[str, list[Rule]] = {}
# Attributes that follow from the others. A change of these alone needs no rule.
DERIVED = frozenset(
    {REVISION, LAYOUT, schema.TTL} | {name for index in schema.INDEXES if index.sk for name in (index.pk, index.sk)}
)


def repairs_of(kind: str, load: Load = lambda change: None, *, on_delete: bool = False) -> Callable[[RepairT], RepairT]:
    """Register a rule for changes of this kind of item that outside writers make.

    The rule returns the attributes to write, without index keys for the changed item itself: they are computed from
    the result. With `on_delete` the rule is also called for a deleted item, whose `new` is None.
    """

    def register(repair: RepairT) -> RepairT:
        name = f"{repair.__module__}.{repair.__qualname__}"
        RULES.setdefault(kind, []).append(Rule(name, repair, load, on_delete))
        return repair

    return register


def follows_repair_of(kind: str) -> Callable[[FollowUpT], FollowUpT]:
    """Register a function that is called after the repair of a change that an outside writer made to this kind.

    For writes to more items than a transaction can have. The same change may be passed more than once.
    """

    def register(follow_up: FollowUpT) -> FollowUpT:
        name = f"{follow_up.__module__}.{follow_up.__qualname__}"
        RULES.setdefault(kind, []).append(Rule(name, _no_repair, lambda change: None, False, follow_up))
        return follow_up

    return register


def _no_repair(change: Change, _: None) -> Iterable[Write]:
    return ()


@dataclass(frozen=True)
class RepairContext:
    """What was read for a change beforehand."""

    # By the name of a rule, the result of its `load`. A rule that is absent here is not called.
    loaded: Mapping[str, Any] = field(default_factory=dict)
    # The highest revision that the item is known to have had, if it is above that of the old image.
    revision: int = 0
    indexes: tuple[schema.Index, ...] = schema.INDEXES


def rules_for(change: Change) -> list[Rule]:
    """The rules that apply to a change of the stream: none if one of our transactions made it."""
    rules = RULES.get(change.kind or "", [])
    if change.new is None:
        return [rule for rule in rules if rule.on_delete]
    return [] if change.is_ours or change.changed <= DERIVED or is_expired(change.new) else list(rules)


def rules_for_stored(raw: Raw) -> list[Rule]:
    """The rules that apply to an item as it is stored, without a record of the stream."""
    return [] if is_expired(raw) else list(RULES.get(keys.kind_of(key_of(raw)) or "", []))


def load_context(change: Change, rules: Iterable[Rule], **known: Any) -> RepairContext:
    """Call the `load` of these rules, which may read the table."""
    return RepairContext({rule.name: rule.load(change) for rule in rules}, **known)


def follow_up(change: Change, rules: Iterable[Rule]) -> None:
    """Call what follows the repair of a change."""
    for rule in rules:
        if rule.follow_up is not None:
            rule.follow_up(change)

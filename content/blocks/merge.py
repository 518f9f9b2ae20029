"""Merges the changes of two people to one page: changes to different blocks are both kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from content.blocks.alignment import align
from content.blocks.fingerprints import fingerprint, is_same
from content.blocks.nodes import Document

MINE, THEIRS = "mine", "theirs"


@dataclass(frozen=True)
class MergeEntry:
    """Blocks of my version: those that a block of the base became, or new ones (`origin` is None)."""

    origin: int | None
    nodes: list[Any]


@dataclass(frozen=True)
class BlockConflict:
    """A block that both changed. An empty list means that it was removed."""

    origin: int
    base: Any
    mine: list[Any]
    theirs: list[Any]

    @property
    def mark(self) -> str:
        """Identifies their version, so that a choice applies only to what the person saw."""
        return fingerprint(self.theirs)


@dataclass(frozen=True)
class MergedDocument:
    document: Document
    conflicts: list[BlockConflict]
    # Whether their changes are in the document too.
    has_theirs: bool


# A block in the merged order: of the base, new in mine or new in theirs, with a number.
_Place = tuple[str, int]


def merge(
    base: Document, mine: Sequence[MergeEntry], theirs: Document, choices: Mapping[int, str] | None = None
) -> MergedDocument:
    """`choices` decides conflicts: `mine:<mark>` or `theirs:<mark>` by the number of the block in the base."""
    places = align(base, theirs)
    kept = {entry.origin: entry.nodes for entry in mine if entry.origin is not None}
    nodes: dict[_Place, list[Any]] = {}
    conflicts = []
    for index, node in enumerate(base):
        own, other = kept.get(index, []), [theirs[places[index]]] if index in places else []
        conflict = BlockConflict(index, node, own, other)
        if not _is_conflict(conflict):
            nodes["base", index] = other if _is_unchanged(own, node) else own
            continue
        choice, _colon, mark = (choices or {}).get(index, "").partition(":")
        if mark != conflict.mark or choice not in (MINE, THEIRS):
            conflicts.append(conflict)
        nodes["base", index] = other if choice == THEIRS else own
    own_order = _own_order(mine, nodes)
    their_order = _their_order(theirs, places, nodes)
    own_base = [place[1] for place in own_order if place[0] == "base"]
    is_reordered = own_base != sorted(own_base)
    order = _weave(own_order, their_order) if is_reordered else _weave(their_order, own_order)
    return MergedDocument([node for place in order for node in nodes[place]], conflicts, not is_same(base, theirs))


def _is_unchanged(nodes: list[Any], base: Any) -> bool:
    return len(nodes) == 1 and is_same(nodes[0], base)


def _is_conflict(each: BlockConflict) -> bool:
    """Whether both changed the block, differently."""
    return not (
        _is_unchanged(each.mine, each.base) or _is_unchanged(each.theirs, each.base) or is_same(each.mine, each.theirs)
    )


def _own_order(mine: Sequence[MergeEntry], nodes: dict[_Place, list[Any]]) -> list[_Place]:
    order: list[_Place] = []
    for number, entry in enumerate(mine):
        place: _Place = ("base", entry.origin) if entry.origin is not None else ("mine", number)
        if entry.origin is None:
            nodes[place] = entry.nodes
        order.append(place)
    return order


def _their_order(theirs: Document, places: dict[int, int], nodes: dict[_Place, list[Any]]) -> list[_Place]:
    origins = {index: origin for origin, index in places.items()}
    order: list[_Place] = []
    for index, node in enumerate(theirs):
        place: _Place = ("base", origins[index]) if index in origins else ("theirs", index)
        if index not in origins:
            nodes[place] = [node]
        order.append(place)
    return order


def _weave(order: list[_Place], others: list[_Place]) -> list[_Place]:
    """The first order with the places that only the other one has, each after its predecessor there."""
    woven = list(order)
    previous: _Place | None = None
    for place in others:
        if place not in woven:
            woven.insert(woven.index(previous) + 1 if previous is not None else 0, place)
        previous = place
    return woven

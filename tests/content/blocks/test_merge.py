"""Merging the changes of two people."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from content.blocks.merge import MergeEntry, merge
from content.blocks.nodes import heading, paragraph
from tests.content.blocks.documents import documents, exact

BASE = [heading(1, "Title"), paragraph("One two three"), paragraph("Four five six"), paragraph("Seven eight nine")]


def entries(nodes: list[Any], *origins: int | None) -> list[MergeEntry]:
    numbers = origins or range(len(nodes))
    return [MergeEntry(origin, [node]) for origin, node in zip(numbers, nodes, strict=True)]


def changed(index: int, node: Any) -> list[Any]:
    return [*BASE[:index], node, *BASE[index + 1 :]]


def test_changes_to_different_blocks_are_both_kept() -> None:
    mine, theirs = paragraph("One two three, mine"), paragraph("Seven eight nine, theirs")

    merged = merge(BASE, entries(changed(1, mine)), changed(3, theirs))

    assert merged.document == [BASE[0], mine, BASE[2], theirs]
    assert merged.conflicts == []
    assert merged.has_theirs


def test_changes_to_the_same_block_conflict_until_the_person_chooses() -> None:
    mine, theirs = paragraph("One two three, mine"), paragraph("One two three, theirs")

    (conflict,) = merge(BASE, entries(changed(1, mine)), changed(1, theirs)).conflicts

    assert (conflict.origin, conflict.mine, conflict.theirs) == (1, [mine], [theirs])
    for choice, kept in (("mine", mine), ("theirs", theirs)):
        decided = merge(BASE, entries(changed(1, mine)), changed(1, theirs), {1: f"{choice}:{conflict.mark}"})
        assert (decided.document, decided.conflicts) == (changed(1, kept), [])


def test_a_choice_does_not_apply_to_a_version_that_the_person_did_not_see() -> None:
    mine, seen, newest = (paragraph(f"One two three {who}") for who in ("mine", "seen", "newest"))
    (conflict,) = merge(BASE, entries(changed(1, mine)), changed(1, seen)).conflicts

    again = merge(BASE, entries(changed(1, mine)), changed(1, newest), {1: f"mine:{conflict.mark}"})

    assert [each.theirs for each in again.conflicts] == [[newest]]


def test_the_same_change_by_both_is_no_conflict() -> None:
    same = paragraph("One two three, better")

    assert merge(BASE, entries(changed(1, same)), changed(1, same)).conflicts == []


def test_a_removal_conflicts_only_with_a_change_of_the_same_block() -> None:
    without = entries([BASE[0], BASE[2], BASE[3]], 0, 2, 3)

    assert merge(BASE, without, BASE).document == [BASE[0], BASE[2], BASE[3]]
    assert [each.mine for each in merge(BASE, without, changed(1, paragraph("One two three!"))).conflicts] == [[]]


def test_a_move_and_an_addition_are_both_kept() -> None:
    moved = entries([BASE[0], BASE[3], BASE[1], BASE[2]], 0, 3, 1, 2)
    added = paragraph("Added by them")

    merged = merge(BASE, moved, [*BASE[:2], added, *BASE[2:]])

    assert merged.document == [BASE[0], BASE[3], BASE[1], added, BASE[2]]


def test_both_add_and_they_move() -> None:
    mine = entries([*BASE[:2], paragraph("Mine"), *BASE[2:]], 0, 1, None, 2, 3)
    theirs = [BASE[3], BASE[0], BASE[1], BASE[2], paragraph("Theirs")]

    merged = merge(BASE, mine, theirs)

    assert merged.document == [BASE[3], BASE[0], BASE[1], paragraph("Mine"), BASE[2], paragraph("Theirs")]


@settings(max_examples=200, deadline=None)
@given(documents(), documents())
def test_a_version_merged_with_an_unchanged_one_is_that_version(base: list[Any], other: list[Any]) -> None:
    unchanged = merge(base, entries(base), other)
    alone = merge(base, [MergeEntry(None, [node]) for node in other], base)

    assert unchanged.conflicts == alone.conflicts == []
    assert exact(unchanged.document) == exact(other)
    assert exact(alone.document) == exact(other)

"""Which block of one version of a page is which block of another: by content, not by position."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from content.blocks.fingerprints import fingerprint
from content.blocks.nodes import Document, attrs_of, type_of
from content.blocks.words import words_of

# How alike two blocks at different places are if they are the same block.
_ALIKE = 0.5
# A page with many changed blocks is compared only place by place.
_MAX_COMPARISONS = 2_500
_MAX_WORDS = 400


@dataclass(frozen=True)
class Gap:
    """Blocks of both versions between two pairs of equal blocks."""

    old: tuple[int, ...]
    new: tuple[int, ...]


def align(old: Document, new: Document) -> dict[int, int]:
    """The position in `new` of each block of `old` that is still there, unchanged or changed."""
    old_marks, new_marks = [fingerprint(node) for node in old], [fingerprint(node) for node in new]
    pairs: dict[int, int] = {}
    gaps: list[Gap] = []
    for kind, start, end, new_start, new_end in SequenceMatcher(
        None, old_marks, new_marks, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            pairs |= dict(zip(range(start, end), range(new_start, new_end), strict=True))
        else:
            gaps.append(Gap(tuple(range(start, end)), tuple(range(new_start, new_end))))
    _pair_moved(old_marks, new_marks, gaps, pairs)
    for gap in gaps:
        _pair_in_gap(old, new, gap, pairs, is_similar)
    _pair_alike(old, new, pairs)
    for gap in gaps:
        _pair_in_gap(old, new, gap, pairs, has_same_type)
    return pairs


def _pair_moved(old_marks: list[str], new_marks: list[str], gaps: list[Gap], pairs: dict[int, int]) -> None:
    """Pair equal blocks at other places."""
    places = defaultdict(list)
    for gap in gaps:
        for index in gap.new:
            places[new_marks[index]].append(index)
    for gap in gaps:
        for index in gap.old:
            if places[old_marks[index]]:
                pairs[index] = places[old_marks[index]].pop(0)


def _pair_in_gap(
    old: Document, new: Document, gap: Gap, pairs: dict[int, int], is_pair: Callable[[object, object], bool]
) -> None:
    """Pair changed blocks at the same place, in their order."""
    taken = set(pairs.values())
    left, right = [each for each in gap.old if each not in pairs], [each for each in gap.new if each not in taken]
    if len(left) != len(right) and (is_pair is has_same_type or min(len(left), len(right)) > 1):
        return
    for index in left:
        found = next((each for each in right if is_pair(old[index], new[each])), None)
        if found is not None:
            pairs[index] = found
            right.remove(found)


def _pair_alike(old: Document, new: Document, pairs: dict[int, int]) -> None:
    """Pair the remaining blocks with the most similar ones."""
    taken = set(pairs.values())
    left = [index for index in range(len(old)) if index not in pairs]
    right = [index for index in range(len(new)) if index not in taken]
    if len(left) * len(right) > _MAX_COMPARISONS:
        return
    for index in left:
        alike = [(score, -each) for each, score in _scores(old[index], [(each, new[each]) for each in right])]
        if alike:
            best = -max(alike)[1]
            pairs[index] = best
            right.remove(best)


def _scores(node: object, others: list[tuple[int, object]]) -> Iterator[tuple[int, float]]:
    for index, other in others:
        if has_same_type(node, other) and (score := similarity(node, other)) >= _ALIKE:
            yield index, score


def has_same_type(old: object, new: object) -> bool:
    return type_of(old) == type_of(new)


def is_similar(old: object, new: object) -> bool:
    return has_same_type(old, new) and similarity(old, new) >= _ALIKE


def similarity(old: object, new: object) -> float:
    """From 0 to 1. Blocks with the same id are the same."""
    if attrs_of(old).get("id") and attrs_of(old).get("id") == attrs_of(new).get("id"):
        return 1.0
    left, right = words_of(old)[:_MAX_WORDS], words_of(new)[:_MAX_WORDS]
    if not left and not right:
        return 1.0
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _ALIKE else 0.0

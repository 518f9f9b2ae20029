"""Changes of a config: compared, combined, inverted and merged."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dashboard.platform.configs.changes import (
    EntryChange,
    EntryConflict,
    apply_changes,
    combine,
    count_verbs,
    diff,
    inverse,
    merge,
    pack,
    pack_changes,
    unpack_changes,
)

values = st.sampled_from(["high", "low", {"a": 1}, [1, 2]])
states = st.dictionaries(st.sampled_from("abcdef"), values)


@given(states, states)
def test_changes_can_be_applied_and_inverted(before: dict[str, object], after: dict[str, object]) -> None:
    changes = diff(before, after)
    assert apply_changes(before, changes) == after
    assert apply_changes(after, inverse(changes)) == before


@given(states, states, states)
def test_two_changes_combine_into_one(
    first: dict[str, object], second: dict[str, object], third: dict[str, object]
) -> None:
    both = combine(diff(first, second), diff(second, third))
    assert both == diff(first, third)


@given(states, states, states)
def test_a_merge_keeps_both_changes_or_reports_a_conflict(
    base: dict[str, object], mine: dict[str, object], theirs: dict[str, object]
) -> None:
    """Each entry has one of the two values; different changes of one entry are a conflict."""
    merged = merge(theirs, diff(base, mine))
    after = apply_changes(theirs, merged.changes)
    conflicts = {each.name for each in merged.conflicts}
    for name in {*base, *mine, *theirs}:
        was, ours, other = base.get(name), mine.get(name), theirs.get(name)
        if ours in (was, other):
            assert after.get(name) == other
            assert name not in conflicts
        elif other == was:
            assert after.get(name) == ours
            assert name not in conflicts
        else:
            assert name in conflicts
            assert after.get(name) == other


def test_overwrite_replaces_the_other_change() -> None:
    changes = {"a": EntryChange("low", "high"), "b": EntryChange("low", None)}
    merged = merge({"a": "medium", "b": "medium"}, changes, overwrite={"a"})
    assert merged.changes == {"a": EntryChange("medium", "high")}
    assert merged.conflicts == [EntryConflict("b", EntryChange("low", None), "medium")]


def test_a_value_with_a_merge_function_is_merged() -> None:
    merged = merge(
        {"order": [1, 3]}, {"order": EntryChange([1], [1, 2])}, merge_values=lambda _n, change, theirs: [*theirs, 2]
    )
    assert merged.changes == {"order": EntryChange([1, 3], [1, 3, 2])}
    assert merged.conflicts == []


def test_changes_are_counted_and_packed() -> None:
    changes = {
        "a": EntryChange(None, "x"),
        "b": EntryChange("x", None),
        "c": EntryChange("x", "y"),
        "d": EntryChange(None, "ñ"),
    }
    assert count_verbs(changes) == {"add": 2, "change": 1, "remove": 1}
    assert unpack_changes(pack_changes(changes)) == changes
    assert unpack_changes(None) == {}
    assert pack({"b": 1, "a": 2}) == pack({"a": 2, "b": 1})

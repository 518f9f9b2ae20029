"""Our own writes are complete: the follower writes nothing after them."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from django.core.management import call_command

from dashboard.platform.stream.records import change_of, is_own
from tests.stream.helpers import all_records, catch_up, needed
from tests.table.notes import add_note, load_raw, on_dynoxide, save_note
from tests.tables import SharedTable

# A counter of a post is added to, and its index keys are set in the next write (forum/services/counters.py).
FOLLOW_IN_NEXT_WRITE = {"GSI3SK", "GSI4SK"}


@on_dynoxide
@pytest.mark.slow
def test_no_write_of_the_demo_needs_a_repair(table: str, stream_table: SharedTable) -> None:
    """The demo calls the services of every app; each image that they leave in the stream is checked."""
    call_command("seed_demo", stdout=io.StringIO())
    call_command("run_due", stdout=io.StringIO(), stderr=io.StringIO(), verbosity=0)
    seen: Counter[str] = Counter()
    repaired: dict[str, object] = {}
    for record in all_records():
        change = change_of(record)
        seen[change.kind or "?"] += 1
        writes = [] if is_own(record) else needed(change)
        if any(not FOLLOW_IN_NEXT_WRITE.issuperset(write.values) for write in writes):
            repaired.setdefault(change.kind or "?", (change.key, writes[0].values))
    assert repaired == {}
    assert len(seen) > 30, "the demo has most kinds of item"
    assert seen["?"] == 1, "the item of an unknown kind in the demo of the table's health"


@on_dynoxide
def test_the_follower_writes_nothing_after_our_own_writes(table: str, stream_table: SharedTable) -> None:
    saved = save_note(add_note("a", shelf="sky"))
    before = load_raw(saved.key)
    follower = catch_up()
    assert (follower.repairs, list(follower.failures)) == (0, [])
    assert load_raw(saved.key) == before

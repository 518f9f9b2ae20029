"""The benchmark of the follower at a small size: outside writers, people and kill -9 at once."""

from __future__ import annotations

import pytest

from tests import bench_stream
from tests.table.notes import on_dynoxide
from tests.tables import SharedTable


@on_dynoxide
@pytest.mark.slow
def test_nothing_is_lost_overwritten_or_misplaced(
    table: str, stream_table: SharedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_stream, "PEOPLE", 4)
    result = bench_stream.measure(writes=400, kills=2)
    assert (result.overwritten, result.lost, result.misplaced) == (0, 0, 0), result
    assert result.repairs_per_write <= 1
    assert result.edits > 10 and result.bans > 0

"""The benchmark of the archive at a small size: lost replies and kill -9 while events are logged."""

from __future__ import annotations

import pytest

from activity.archive.storage import Storage
from tests.bench_activity import archive as bench
from tests.conftest import real_engines


@real_engines
@pytest.mark.slow
def test_each_event_is_archived_once(table: str, archive: Storage, log_streams: None) -> None:
    result = bench.measure(count=600, kills=1)
    assert result.is_good, result

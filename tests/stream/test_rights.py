"""The follower has the rights that it uses, and cannot scan."""

from __future__ import annotations

import pytest

from dashboard.platform.stream import batches
from dashboard.platform.stream.follower import Follower
from dashboard.platform.transfer import cloudformation
from dashboard.table import connection
from tests.stream.helpers import post
from tests.table.notes import on_dynoxide, put
from tests.tables import SharedTable


@on_dynoxide
def test_the_follower_needs_no_more_than_its_policy(
    table: str, stream_table: SharedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A late follower makes one more kind of call.
    monkeypatch.setattr(batches, "LATE_SECONDS", -1.0)
    called: set[str] = set()
    put(post())
    for client in (connection.client(), connection.streams_client()):
        client.meta.events.register("before-call", lambda model, **_: called.add(model.name))
    follower = Follower()
    follower.catch_up()
    follower.release()
    allowed = {*cloudformation.FOLLOWER_ON_STREAM, *cloudformation.FOLLOWER_ON_TABLE}
    assert {
        "DescribeStream",
        "GetShardIterator",
        "GetRecords",
        "DescribeTable",
        "UpdateItem",
        "Query",
        "GetItem",
        "BatchGetItem",
    } == called
    assert called <= allowed
    assert "Scan" not in allowed

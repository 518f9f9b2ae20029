"""The Lambda function archives a batch; repetitions and overlapping batches add nothing."""

from __future__ import annotations

from typing import Any

import pytest

from activity.archive import files, manifest, sealing
from activity.archive.lambda_handler import handler
from activity.archive.storage import Storage
from activity.events import Event
from activity.items import new_item
from dashboard.core.errors import Unavailable
from dashboard.platform.stream import queries
from tests.activity.archive.helpers import DAY, events, ids
from tests.table.notes import on_dynoxide

TABLE = "trastienda-activity-2025-08"
ARN = f"arn:aws:dynamodb:us-east-1:123456789012:table/{TABLE}/stream/2025-08-01T00:00:00.000"


def batch(found: list[Event], first: int = 100) -> dict[str, Any]:
    """An event as Lambda delivers it."""
    records = []
    for number, each in enumerate(found, start=first):
        raw = new_item(each).raw
        body = {
            "Keys": {"PK": raw["PK"], "SK": raw["SK"]},
            "NewImage": raw,
            "SequenceNumber": str(number),
            "ApproximateCreationDateTime": each.at.timestamp(),
        }
        records.append({"eventName": "INSERT", "eventSourceARN": ARN, "dynamodb": body})
    return {"Records": records}


@on_dynoxide
def test_a_batch_is_archived_once_however_often_it_is_repeated(archive: Storage) -> None:
    found = events(6)
    for _ in range(2):
        assert handler(batch(found)) == {"batchItemFailures": []}
    assert [int(each.rows) for each in manifest.incoming()] == [6], "the same file"
    assert queries.totals(TABLE).records == 6
    assert queries.totals().records == 0, "the counts of the main table are others"
    handler(batch(found[3:], first=103))
    sealing.seal_day(archive, DAY)
    handler(batch(found))
    sealing.seal_day(archive, DAY)
    assert ids(archive) == [each.id for each in found]


@on_dynoxide
def test_a_batch_is_repeated_if_the_archive_does_not_answer(archive: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_answer(*_: Any) -> None:
        raise Unavailable

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_table", no_answer)
        assert handler(batch(events(2))) == {"batchItemFailures": [{"itemIdentifier": "100"}]}
    assert manifest.incoming() == []
    assert handler(batch(events(2))) == {"batchItemFailures": []}
    assert len(manifest.incoming()) == 1


@on_dynoxide
def test_an_item_that_is_no_event_is_reported_and_stops_nothing(archive: Storage) -> None:
    found = batch(events(1))
    strange = {"PK": {"S": "USER#ana@example.com"}, "SK": {"S": "PROFILE"}}
    body = {"Keys": strange, "NewImage": strange, "SequenceNumber": "101"}
    found["Records"].append({"eventName": "INSERT", "eventSourceARN": ARN, "dynamodb": body})
    assert handler(found) == {"batchItemFailures": []}
    state = queries.follower_state([], queries.totals(TABLE))
    assert ([each["sk"] for each in state.failures], state.failed) == (["PROFILE"], 1)

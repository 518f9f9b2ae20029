"""The entry point of a Lambda function that archives activity (docs/activity-archive.md).

Handler: `activity.archive.lambda_handler.handler`. Lambda may repeat a batch, also a part of it, and run the repetition
beside the first attempt. The same batch replaces its file; an event that is in two files is once in its sealed day.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import django
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    django.setup()

from activity.archive import files
from activity.archive.changes import NotAnEvent, rows_of_record
from activity.archive.schema import Row
from activity.archive.storage import default_storage
from dashboard.core.errors import Unavailable
from dashboard.platform.stream.batches import RepairTally
from dashboard.platform.stream.function_totals import record_batch
from dashboard.platform.stream.records import Record, from_lambda, sequence_number
from dashboard.table import write
from dashboard.table.items import key_of

logger = logging.getLogger("trastienda.activity")


def handler(event: dict[str, Any], context: object = None) -> dict[str, Any]:
    """Archive a batch. Names the first record that could not be archived, if any."""
    records = [from_lambda(record) for record in event.get("Records", [])]
    for table, group in groupby(records, key=_table_of):
        batch = list(group)
        try:
            _archive(table, batch)
        except Unavailable as error:
            logger.warning("the table or the archive does not answer", exc_info=error)
            return {"batchItemFailures": [{"itemIdentifier": sequence_number(batch[0])}]}
    return {"batchItemFailures": []}


def _archive(table: str, records: Sequence[Record]) -> None:
    tally, rows = RepairTally(), list[Row]()
    for record in records:
        try:
            rows += rows_of_record(record)
        except NotAnEvent as error:
            tally.fail("activity", key_of(record["dynamodb"]["Keys"]), error)
    if rows:
        name = f"{table}/function/{sequence_number(records[0])}-{sequence_number(records[-1])}"
        arrived = files.incoming_table(rows)
        files.write_table(default_storage(), files.incoming_path(name), arrived)
        write.put(files.incoming_entry(name, arrived))
    record_batch(records, tally, table)
    logger.info("a batch was archived", extra={"records": len(records), "rows": len(rows)})


def _table_of(record: Record) -> str:
    """From `arn:aws:dynamodb:<region>:<account>:table/<name>/stream/<label>`."""
    return str(record.get("eventSourceARN", "")).partition(":table/")[2].partition("/")[0]

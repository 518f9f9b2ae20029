"""The entry point of a Lambda function that follows the stream (docs/stream.md).

Handler: `dashboard.platform.stream.lambda_handler.handler`. The event source mapping reports partial failures
(`ReportBatchItemFailures`): Lambda repeats the batch from the first record that could not be processed.
"""

from __future__ import annotations

import logging
import os
from typing import Any

import django
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    django.setup()

from dashboard.core.errors import Unavailable
from dashboard.platform.stream import batches
from dashboard.platform.stream.batches import RepairTally
from dashboard.platform.stream.function_totals import record_batch
from dashboard.platform.stream.records import Record, by_item, change_of, from_lambda, is_own, sequence_number

logger = logging.getLogger("trastienda.stream")


def handler(event: dict[str, Any], context: object = None) -> dict[str, Any]:
    """Repair the items of a batch. Names the first record that could not be processed, if any."""
    records = [record for record in map(from_lambda, event.get("Records", [])) if not is_own(record)]
    tally = RepairTally()
    processed = _process(records, tally)
    try:
        record_batch(records[:processed], tally)
    except Unavailable as error:
        # What is repeated finds nothing to repair, and is counted then.
        logger.warning("the table does not answer", exc_info=error)
        processed = 0
    logger.info("a batch was processed", extra={"records": len(records), "repairs": tally.repairs})
    return {"batchItemFailures": [{"itemIdentifier": sequence_number(each)} for each in records[processed:][:1]]}


def _process(records: list[Record], tally: RepairTally) -> int:
    """Repair the items; returns how many of the records were processed."""
    for item in by_item(records):
        try:
            batches.process_item(item, tally)
        except Unavailable as error:
            # Repairs after this record that were made already find nothing to do when they are repeated.
            logger.warning("the table does not answer", exc_info=error)
            return next(index for index, each in enumerate(records) if change_of(each).key == item.change.key)
    try:
        batches.observe(records, tally)
    except Unavailable as error:
        logger.warning("the table does not answer", exc_info=error)
        return 0
    return len(records)

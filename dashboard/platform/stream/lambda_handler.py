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
from dashboard.platform.stream import batches, shards
from dashboard.platform.stream.batches import RepairTally
from dashboard.platform.stream.records import by_item, change_of, from_lambda, is_own, sequence_number

logger = logging.getLogger("trastienda.stream")


def handler(event: dict[str, Any], context: object = None) -> dict[str, Any]:
    """Repair the items of a batch. Names the first record that could not be processed, if any."""
    records = [record for record in map(from_lambda, event.get("Records", [])) if not is_own(record)]
    tally, failed_at = RepairTally(), None
    for item in by_item(records):
        try:
            batches.process_item(item, tally)
        except Unavailable as error:
            # Repairs after this record that were made already find nothing to do when they are repeated.
            logger.warning("the table does not answer", exc_info=error)
            failed_at = next(sequence_number(each) for each in records if change_of(each).key == item.change.key)
            break
    if tally.failed:
        shards.record_failures(tally)
    logger.info("a batch was processed", extra={"records": len(records), "repairs": tally.repairs})
    return {"batchItemFailures": [{"itemIdentifier": failed_at}] if failed_at else []}

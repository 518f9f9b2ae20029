"""Reads of stored results."""

from __future__ import annotations

from typing import Any

from activity.warehouse.items import ResultsTask, StoredResult
from activity.warehouse.reports import Report
from dashboard.table import keys, read
from dashboard.table.keypattern import Key
from dashboard.table.registry import access_pattern


def result_key(report: Report[Any]) -> Key:
    first, last = report.days.first.isoformat(), report.days.last.isoformat()
    name = report.name if first == last else f"{report.name}-{last}"
    return keys.ACTIVITY_RESULT.key(date=first, name=name, digest=report.digest)


@access_pattern("Is the answer to this question about past activity stored?", keys.ACTIVITY_RESULT)
def stored_result(report: Report[Any]) -> StoredResult | None:
    return read.get(StoredResult, result_key(report), consistent=False)


@access_pattern("For which days are the usual results of activity calculated?", keys.ACTIVITY_RESULTS_TASK)
def results_task() -> ResultsTask | None:
    return read.get(ResultsTask, keys.ACTIVITY_RESULTS_TASK.key())

"""The query of the health check, with a limit on the whole time that it takes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from dashboard.core.errors import Unavailable
from dashboard.table import circuit_breaker
from dashboard.table.queries import table_answers

TIMEOUT = 1.0
# Not the threads of `read.gather`, which may all wait for the table.
_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="health-query")


def ensure_table_answers() -> None:
    """Raise Unavailable if the table does not answer one query within a second.

    The query is sent also while the circuit breaker is open, and its answer closes it. The client's timeouts do
    not cover DNS lookups or new credentials, so the query runs in its own thread, and we stop waiting after a second.
    """
    answer = _threads.submit(copy_context().run, _query)
    try:
        answer.result(TIMEOUT)
    except TimeoutError as error:
        answer.cancel()
        raise Unavailable from error


def _query() -> None:
    with circuit_breaker.health_check():
        table_answers()

"""A circuit breaker: while the table does not respond, calls fail at once instead of waiting for their timeouts.

It opens after several attempts in a row without an answer, whichever threads made them. While it is open, one call at
a time is sent as a trial; the first answer closes it. Throttling and every other error of DynamoDB is an answer. A call
that is refused was certainly not sent. There is one breaker per client, and a process has one client.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import BotoCoreError

logger = logging.getLogger("trastienda.table")

# More than the attempts of one call: after a lost reply of a write there is still a try to read its record.
MAX_SILENT_ATTEMPTS = 5
TRIAL_INTERVAL = 1.0
# A trial ends after the timeouts of one attempt. Without a result by then, another one may start.
TRIAL_LIMIT = 4.0

_is_health_check: ContextVar[bool] = ContextVar("is_health_check", default=False)


class TableSilent(BotoCoreError):
    """The call was not sent, because the table has not answered the calls before it."""

    fmt = "The table does not answer: the call was not sent."


class CircuitBreaker:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.max_silent_attempts = MAX_SILENT_ATTEMPTS
        self._clock = clock
        self._lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        with self._lock:
            self._silent_attempts = 0
            # The next time at which a trial may start; None while the breaker is closed.
            self._next_trial: float | None = None

    @property
    def is_open(self) -> bool:
        return self._next_trial is not None

    def admit(self) -> bool:
        """Whether a call may be sent now. While the breaker is open, the call becomes a trial."""
        if self._next_trial is None:
            return True
        with self._lock:
            if self._next_trial is not None:
                if self._clock() < self._next_trial:
                    return False
                self._next_trial = self._clock() + TRIAL_LIMIT
            return True

    def record_answer(self) -> None:
        if not self._silent_attempts and self._next_trial is None:
            return
        with self._lock:
            was_open = self._next_trial is not None
            self._silent_attempts, self._next_trial = 0, None
        if was_open:
            logger.warning("the table answers again")

    def record_silence(self) -> bool:
        """Count an attempt without an answer. True if the breaker opens with it."""
        with self._lock:
            self._silent_attempts += 1
            if self._silent_attempts < self.max_silent_attempts:
                return False
            next_trial = self._clock() + TRIAL_INTERVAL
            if self._next_trial is not None:
                # Calls that were sent before it opened must not postpone the next trial.
                self._next_trial = min(self._next_trial, next_trial)
                return False
            self._next_trial = next_trial
        logger.error("the table does not answer: calls fail at once until it does")
        return True


@contextmanager
def health_check() -> Iterator[None]:
    """Send the calls in the block also while the breaker is open, once each.

    An answer closes the breaker. Silence does not count: a health check waits less than other calls do.
    """
    token = _is_health_check.set(True)
    try:
        yield
    finally:
        _is_health_check.reset(token)


def install(client: Any) -> None:
    breaker, endpoint, events = CircuitBreaker(), client._endpoint, client.meta.events
    send = endpoint._send

    def send_and_record(request: AWSPreparedRequest) -> AWSResponse:
        try:
            response: AWSResponse = send(request)
        except Exception:
            if not _is_health_check.get() and breaker.record_silence():
                # Idle connections may be broken too: the trials use new ones.
                endpoint.http_session.close()
            raise
        breaker.record_answer()
        return response

    def refuse(**_: object) -> None:
        if not _is_health_check.get() and not breaker.admit():
            raise TableSilent

    def stop_retries(**_: object) -> bool | None:
        """False instead of a delay: the call fails with the error of its last attempt."""
        return False if breaker.is_open or _is_health_check.get() else None

    client.circuit_breaker = breaker
    endpoint._send = send_and_record
    # Last, because a call that another check refuses would be a trial without a result.
    events.register_last("before-call.dynamodb", refuse)
    events.register_first("needs-retry.dynamodb", stop_retries)

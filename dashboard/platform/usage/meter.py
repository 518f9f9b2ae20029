"""Counts what each request uses, and adds the totals of this process to the table once a minute.

Each addition has a number. The item notes the last number of each process, so that an addition is made once, even if
its reply is lost. What a process counts in its last minute is lost if it is killed.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import DomainError, TooMany
from dashboard.core.ids import new_id
from dashboard.platform.usage import items
from dashboard.platform.usage.items import ALL, API_REQUESTS, KEPT, PEOPLE, REQUESTS, UNKNOWN_KEY, Counters
from dashboard.table import oplog, write
from dashboard.table.attributes import to_attribute
from dashboard.table.keypattern import BadKey, Key
from dashboard.web.api import for_api

logger = logging.getLogger("trastienda.usage")
EVERY = 60.0
# An update expression has at most 4 KB, and moto's parser goes one level deeper with each counter.
MAX_COUNTERS = 50


@dataclass(frozen=True)
class _Place:
    """Whose usage it is: of a business or the platform, and of which API key."""

    business: str
    api_key: str
    day: date


@dataclass(frozen=True)
class _Addition:
    """One write. It keeps its number until it is known to be made."""

    key: Key
    number: int
    counters: tuple[tuple[str, float], ...]
    ttl: int


class Meter:
    """The totals of this process."""

    def __init__(self) -> None:
        self.process = new_id()
        self._lock, self._flushing = threading.Lock(), threading.Lock()
        self._totals: dict[_Place, dict[str, Counters]] = {}
        self._pending: list[_Addition] = []
        self._number = 0
        self._is_started = False

    def add(self, business: str, api_key: str, counters: Iterable[tuple[str, Counters]]) -> None:
        place = _Place(business, api_key, now().date())
        with self._lock:
            totals = self._totals.setdefault(place, {})
            for pattern, counted in counters:
                name = pattern if pattern in totals or len(totals) < items.MAX_PATTERNS else items.OTHER_PATTERNS
                totals[name] = totals.get(name, Counters()) + counted
            starts = not self._is_started and settings.USAGE_IS_ADDED
            self._is_started = self._is_started or starts
        if starts:
            threading.Thread(target=self._run, name="usage", daemon=True).start()
            atexit.register(self.flush)

    def flush(self) -> int:
        """Add what was counted; returns the number of writes. What the table does not confirm is kept."""
        with self._flushing:
            with self._lock:
                totals, self._totals = self._totals, {}
            self._pending += self._additions(totals)
            waiting, self._pending = self._pending, []
            for number, addition in enumerate(waiting):
                try:
                    self._write(addition)
                except Exception:
                    logger.warning("usage was not added", exc_info=True)
                    self._pending = waiting[number:]
                    return number
            return len(waiting)

    def _run(self) -> None:
        while True:
            time.sleep(EVERY)
            self.flush()

    def _additions(self, totals: dict[_Place, dict[str, Counters]]) -> list[_Addition]:
        by_key: dict[Key, dict[str, Counters]] = {}
        for place, patterns in totals.items():
            try:
                wanted = _keys_of(place, patterns)
            except BadKey:
                continue
            for key, counted in wanted:
                known = by_key.setdefault(key, {})
                for pattern, counters in counted.items():
                    known[pattern] = known.get(pattern, Counters()) + counters
        ttl = int((now() + KEPT).timestamp())
        return [each for key, counted in by_key.items() for each in self._split(key, counted, ttl)]

    def _split(self, key: Key, counted: dict[str, Counters], ttl: int) -> Iterable[_Addition]:
        flat = [(items.attribute_of(name, each), value) for name, c in counted.items() for each, value in c.added()]
        for start in range(0, len(flat), MAX_COUNTERS):
            self._number += 1
            yield _Addition(key, self._number, tuple(flat[start : start + MAX_COUNTERS]), ttl)

    def _write(self, addition: _Addition) -> None:
        last = Path([items.process_attribute(self.process)])
        actions: list[Any] = [Path([name]).add(to_attribute(round(value, 3))) for name, value in addition.counters]
        actions += [last.set(addition.number), Path(["ttl"]).set(addition.ttl)]
        # None: the addition was made before, and only its reply was lost.
        write.update(addition.key, actions, last.does_not_exist() | (last < addition.number))


def _keys_of(place: _Place, patterns: dict[str, Counters]) -> list[tuple[Key, dict[str, Counters]]]:
    """The items that count this usage: the day of the key, the sum of the platform, and the month of the business."""
    found = [
        (items.usage_key(place.business, place.day, place.api_key), patterns),
        (items.usage_key("", place.day, ALL), patterns),
    ]
    if place.business:
        requests = patterns.get(REQUESTS, Counters())
        month = {REQUESTS: requests} | ({API_REQUESTS: requests} if place.api_key != PEOPLE else {})
        found.append((items.month_key(place.business, place.day), month))
    return found


METER = Meter()


class UsageMiddleware:
    """Counts each request that used the table."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        response = self.get_response(request)
        log: oplog.Log | None = getattr(request, "oplog", None)
        if log is not None and log.calls:
            count_request(request, response, list(log.calls), (time.perf_counter() - started) * 1000)
        return response

    def process_exception(self, request: Any, error: Exception) -> None:
        """Note why the API refuses a request. The handlers of errors see only the status."""
        if isinstance(error, DomainError) and for_api(request):
            note_refusal(request, error)


def note_refusal(request: Any, error: DomainError) -> None:
    """Count a request as refused, for its key. Views call it that answer to the error of a key themselves."""
    request.refusal = "throttled" if isinstance(error, TooMany) else str(getattr(error, "code", ""))


def count_for_platform(request: Any) -> None:
    """Count a request that may name a business that does not exist. With the status 404 it is not necessary."""
    request.is_of_platform = True


_REFUSALS = {"throttled": "throttled", "origin_not_allowed": "foreign", "revoked_key": "rejected"}
_REFUSALS |= {"unknown_key": "rejected", "secret_key_in_browser": "foreign"}


def count_request(request: Any, response: HttpResponseBase, calls: list[oplog.Call], ms: float) -> None:
    bound = next((each for each in calls if each.business), None)
    if bound is not None and not _names_nothing(request, response):
        business, api_key = bound.business or "", bound.api_key or PEOPLE
    else:
        business, api_key = "", UNKNOWN_KEY if for_api(request) or hasattr(request, "refusal") else PEOPLE
    patterns: dict[str, Counters] = {}
    for call in calls:
        name = call.pattern or call.operation
        patterns[name] = patterns.get(name, Counters()) + _counters_of(call)
    units = sum(patterns.values(), Counters())
    refusal = _REFUSALS.get(getattr(request, "refusal", ""), "")
    whole = Counters(
        calls=1,
        errors=int(response.status_code >= 500),
        reads=units.reads,
        writes=units.writes,
        ms=ms,
        bytes=0 if response.streaming else len(getattr(response, "content", b"")),
        **({refusal: 1} if refusal else {}),
    )
    METER.add(business, api_key, [(REQUESTS, whole), *patterns.items()])


def _names_nothing(request: Any, response: HttpResponseBase) -> bool:
    """Whether anyone has guessed an address: a business or a key that does not exist gets no items of its own."""
    if getattr(request, "person", None) is not None or hasattr(request, "api_key"):
        return False
    return response.status_code == 404 or hasattr(request, "is_of_platform")


def _counters_of(call: oplog.Call) -> Counters:
    is_write = call.operation in oplog.WRITES
    return Counters(
        calls=1,
        errors=int(call.error is not None and call.error != "ConditionalCheckFailedException"),
        reads=0 if is_write else call.units,
        writes=call.units if is_write else 0,
        ms=call.ms,
    )

"""Records security events: one JSON line for each, and an item in the table that is written in the background.

    record_event(request, EventKind.SIGN_IN_FAILED, account=email)

Recording never raises. If the table does not answer, the event is only in the JSON lines.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Hashable, Sequence
from concurrent.futures import Future, wait
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.requests import address, agent, device, network
from dashboard.platform.security_log import queries
from dashboard.platform.security_log.hashes import account_hash
from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import STORED_ONCE_A_MINUTE, EventKind
from dashboard.table import oplog, write
from dashboard.table.commands import Command
from dashboard.table.read import in_background
from dashboard.table.timestamps import to_wire

logger = logging.getLogger("trastienda.security")

RETENTION = timedelta(days=90)
# The end of a request waits at most this long for its events. Later ones are still written.
MAX_WAIT = 1.0
MAX_TEXT = 100
# What a browser's name can contain: a header could contain an e-mail address.
_NOT_A_NAME = re.compile(r"[^\w.·() -]")

# Beyond this, repeated events are only in the JSON lines until the minute ends: strangers can cause any number of them.
MAX_REPEATED_A_MINUTE = 600


class MinuteLimit:
    """Each name once a minute, and at most MAX_REPEATED_A_MINUTE names in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minute = 0
        self._names: set[Hashable] = set()

    def allows(self, name: Hashable) -> bool:
        minute = int(now().timestamp()) // 60
        with self._lock:
            if minute != self._minute:
                self._minute = minute
                self._names.clear()
            if name in self._names or len(self._names) >= MAX_REPEATED_A_MINUTE:
                return False
            self._names.add(name)
            return True

    def clear(self) -> None:
        with self._lock:
            self._names.clear()


_minute_limit = MinuteLimit()
# The request that the current thread works for. Jobs, which are not passed a request, name it in their events.
current_request: ContextVar[Any] = ContextVar("current_request", default=None)


def record_event(request: Any, kind: EventKind, *, account: str = "", **details: str) -> None:
    """Record an event of an account, by default that of the person who sends the request."""
    try:
        event = _event_of_request(request, kind, account, details)
        _log(event)
        is_repeated = kind in STORED_ONCE_A_MINUTE and not _minute_limit.allows(_repeat_key(event))
        if not is_repeated:
            _store_in_background(request, event, lambda: write.put(event))
    except Exception:
        logger.exception("a security event was not recorded", extra={"event": str(kind)})


def record_sign_in(request: Any, person: Person, *, is_complete: bool = True) -> None:
    """Record a correct password, or a complete sign-in. For an admin, report a network or browser that is new."""
    if not is_complete:
        return record_event(request, EventKind.CODE_REQUESTED, account=person.email)
    try:
        event = _event_of_request(request, EventKind.SIGNED_IN, person.email, {})
        _log(event)
        _store_in_background(request, event, lambda: _store_sign_in(request, event, person))
    except Exception:
        logger.exception("a security event was not recorded", extra={"event": str(EventKind.SIGNED_IN)})


def record_event_of_command(kind: EventKind, command: Command, *, account: str, **details: str) -> None:
    """Record what a job or the command line did. Without a request there is no address, browser and request id."""
    request = current_request.get()
    if request is not None:
        return record_event(request, kind, account=account, **details)
    try:
        event = new_event(kind, account, address="", browser="")
        event.actor, event.details = account_hash(command.by.email), _details(details)
        _log(event)
        write.put(event)
    except Exception:
        logger.exception("a security event was not recorded", extra={"event": str(kind)})


def record_export(request: Any, file: str, **details: str) -> None:
    """Record that a person downloads a file with data. A HEAD request downloads nothing."""
    if request.method != "HEAD":
        record_event(request, EventKind.EXPORTED, file=file, **details)


def wait_for_events(request: Any) -> None:
    """Wait for the events of a request, but not long: they must not delay its answer."""
    futures: list[Future[None]] = getattr(request, "security_events", [])
    if futures:
        wait(futures, timeout=MAX_WAIT)


def _store_sign_in(request: Any, event: SecurityEvent, person: Person) -> None:
    earlier = queries.events_of(person.email) if person.office_role == Role.ADMIN else []
    write.put(event)
    new = _new_parts(event, earlier)
    if new:
        report = _event_of_request(request, EventKind.NEW_DEVICE, person.email, {"new": new})
        _log(report)
        write.put(report)


def _new_parts(event: SecurityEvent, earlier: Sequence[SecurityEvent]) -> str:
    """What is new in a sign-in: `network`, `browser`, both or nothing. Without earlier sign-ins nothing is."""
    known = [each for each in earlier if each.kind == EventKind.SIGNED_IN]
    if not known:
        return ""
    new = []
    if _wide_network(event) not in {_wide_network(each) for each in known}:
        new.append("network")
    if event.browser not in {each.browser for each in known}:
        new.append("browser")
    return " ".join(new)


def _wide_network(event: SecurityEvent) -> str:
    """Providers give their customers changing addresses within it."""
    return network(event.address or "", ipv6_prefix=48, ipv4_prefix=24)


def _event_of_request(request: Any, kind: EventKind, account: str, details: dict[str, str]) -> SecurityEvent:
    person = getattr(request, "person", None)
    own = person.email if person else ""
    event = new_event(kind, account or own, address=address(request), browser=device(agent(request)))
    event.actor = account_hash(own) if own and account and account != own else None
    event.request_id = getattr(request, "id", None)
    event.details = _details(details)
    return event


def _details(details: dict[str, str]) -> dict[str, str] | None:
    return {name: str(value)[:MAX_TEXT] for name, value in details.items() if value} or None


def new_event(kind: EventKind, account: str, *, address: str, browser: str) -> SecurityEvent:
    """An event that happens now, not yet written."""
    moment = now()
    event = SecurityEvent.new(date=moment.date().isoformat(), at=moment, id=new_id())
    event.kind, event.at_time = kind.value, moment
    event.account = account_hash(account) if account else None
    # Without empty texts, which one engine refuses.
    event.address = address[:64] or None
    event.browser = _NOT_A_NAME.sub("", browser)[:MAX_TEXT] or None
    event.ttl = int((moment + RETENTION).timestamp())
    return event


def _log(event: SecurityEvent) -> None:
    """Write the JSON line. The formatter adds the id of the request."""
    logger.info(
        "security event",
        extra={
            "event": event.kind,
            "time": to_wire(event.at_time),
            "account": event.account,
            "actor": event.actor,
            "address": event.address,
            "browser": event.browser,
            "details": event.details,
        },
    )


def _store_in_background(request: Any, event: SecurityEvent, store: Any) -> None:
    """Call `store` in the background, and log if it fails."""

    def run() -> None:
        try:
            with oplog.attributed_to(f"{__name__}.record_event"):
                store()
        except Exception:
            logger.warning("a security event was not stored", extra={"event": event.kind}, exc_info=True)

    futures = request.__dict__.setdefault("security_events", [])
    futures.append(in_background(run))


def _repeat_key(event: SecurityEvent) -> tuple[str | None, ...]:
    """Events that are the same in these are stored once a minute."""
    return event.kind, event.account, event.address, *sorted((event.details or {}).values())

"""Security events as rows of a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import (
    DETAIL_LABELS,
    DETAIL_VALUE_LABELS,
    DETAILS_WITH_SEVERAL_VALUES,
    KIND_LABELS,
    EventKind,
    KindLabel,
)

# The beginning of a hash, which is enough to tell accounts apart.
SHORT = 8
LEVEL_ICONS = {"good": "circle-check", "plain": "info", "warn": "triangle-alert", "bad": "circle-x"}


@dataclass(frozen=True)
class EventRow:
    what: str
    icon: str
    when: datetime | None
    account: str
    address: str
    browser: str
    request_id: str
    details: list[tuple[str, str]]
    is_by_other: bool


def event_rows(events: Iterable[SecurityEvent]) -> list[EventRow]:
    return [_event_row(event) for event in events]


def _event_row(event: SecurityEvent) -> EventRow:
    label = KIND_LABELS[EventKind(event.kind)] if event.kind in set(EventKind) else KindLabel(event.kind or "?")
    return EventRow(
        what=str(label.text),
        icon=LEVEL_ICONS[label.level],
        when=event.at_time,
        account=(event.account or "")[:SHORT],
        address=event.address or "",
        browser=event.browser or "",
        request_id=event.request_id or "",
        details=[_detail(name, str(value)) for name, value in (event.details or {}).items()],
        is_by_other=event.actor is not None,
    )


def _detail(name: str, value: str) -> tuple[str, str]:
    labels = DETAIL_VALUE_LABELS.get(name, {})
    values = value.split() if name in DETAILS_WITH_SEVERAL_VALUES else [value]
    return str(DETAIL_LABELS.get(name, name)), ", ".join(str(labels.get(each, each)) for each in values)

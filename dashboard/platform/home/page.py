"""Builds the home page of a request: every line that the person may see, from one round trip."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import translation

from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request, has_permission
from dashboard.platform.home.registry import (
    HomeLine,
    HomePlace,
    HomeSource,
    NavigationCount,
    NavigationCounter,
    Reads,
    Results,
    SetupStep,
    Urgency,
    counters,
    setup_steps,
    sources_of,
)
from dashboard.table.read import gather_all

# The checklist is for new businesses: older ones do not pay for its reads.
NEW_BUSINESS = timedelta(days=60)


@dataclass(frozen=True)
class CheckedStep:
    """A step of the checklist, and whether it is completed."""

    label: str
    hint: str
    url: str
    is_done: bool


@dataclass(frozen=True)
class HomePage:
    """The lines of a home page, the most urgent first."""

    lines: list[HomeLine]
    # What was checked.
    checked: list[str]
    # Empty for a business that is not new, and when every step is completed.
    steps: list[CheckedStep] = field(default_factory=list)
    counts: Mapping[str, NavigationCount] = field(default_factory=dict)
    # The results of the further reads of the view, by name.
    results: Results = field(default_factory=dict)

    @property
    def to_do(self) -> list[HomeLine]:
        return [line for line in self.lines if line.urgency is not Urgency.INFO]

    @property
    def info(self) -> list[HomeLine]:
        return [line for line in self.lines if line.urgency is Urgency.INFO]

    @property
    def steps_done(self) -> int:
        return sum(step.is_done for step in self.steps)

    @property
    def title_count(self) -> str:
        return total_text(self.counts)

    @property
    def fingerprint(self) -> str:
        """Identifies what the page shows. A refresh that would show the same needs no answer."""
        # A relative time changes every minute.
        minute = int(now().timestamp()) // 60
        content = (translation.get_language(), minute, self.lines, self.steps, self.checked, self.title_count)
        return hashlib.sha256(repr(content).encode()).hexdigest()[:32]


def load_home(request: Request, place: HomePlace, more_reads: Reads | None = None) -> HomePage:
    """The home page of the person of this request. `more_reads` run in the same round trip."""
    sources = [each for each in sources_of(place) if has_permission(request, each.permission)]
    steps = _steps_for(request) if place is HomePlace.BUSINESS else []
    sidebar_counters = _counters_for(request) if place is HomePlace.PLATFORM else []
    parts: list[HomeSource | SetupStep | NavigationCounter] = [*sources, *steps, *sidebar_counters]
    results = _run([*(part.reads(request) for part in parts), more_reads or {}])
    lines = [line for source in sources for line in source.build_lines(request, results)]
    checklist = _unless_complete([_check(request, step, results) for step in steps])
    lines = _without_steps(lines, checklist)
    return HomePage(
        sorted(lines, key=lambda line: line.urgency),
        [str(source.checked) for source in sources],
        checklist,
        _count(sidebar_counters, results),
        results,
    )


def load_counts(request: Request) -> dict[str, NavigationCount]:
    """The counts of the sidebar, by route."""
    sidebar_counters = _counters_for(request)
    return _count(sidebar_counters, _run(each.reads(request) for each in sidebar_counters))


def has_counts(request: Request) -> bool:
    """Whether the sidebar of this person shows counts."""
    return bool(_counters_for(request))


def total_text(counts: Mapping[str, NavigationCount]) -> str:
    """The number in the tab's title; empty if nothing waits."""
    total, has_more = sum(each.number for each in counts.values()), any(each.has_more for each in counts.values())
    return f"{total}+" if has_more else str(total or "")


def _run(parts: Iterable[Reads]) -> dict[str, Any]:
    """Run all reads in parallel, each once."""
    reads: dict[str, Callable[[], Any]] = {}
    for part in parts:
        reads |= part
    return dict(zip(reads, gather_all(reads.values()), strict=True)) if reads else {}


def _steps_for(request: Request) -> list[SetupStep]:
    created = request.business.created_at
    if request.business.is_closed or created is None or created < now() - NEW_BUSINESS:
        return []
    return [each for each in setup_steps() if has_permission(request, each.permission)]


def _check(request: Request, step: SetupStep, results: Results) -> CheckedStep:
    url = reverse(step.route, args=[request.business.id])
    return CheckedStep(str(step.label), str(step.hint), url, step.is_done(request, results))


def _unless_complete(steps: list[CheckedStep]) -> list[CheckedStep]:
    return [] if all(step.is_done for step in steps) else steps


def _without_steps(lines: Iterable[HomeLine], steps: Iterable[CheckedStep]) -> list[HomeLine]:
    """The lines without those that repeat an open step of the checklist."""
    urls = {step.url for step in steps if not step.is_done}
    return [line for line in lines if line.urgency is not Urgency.LATER or line.url not in urls]


def _counters_for(request: Request) -> list[NavigationCounter]:
    return [each for each in counters() if request.person is not None and request.person.may(each.permission)]


def _count(sidebar_counters: Iterable[NavigationCounter], results: Results) -> dict[str, NavigationCount]:
    counts = {each.route: each.count(results) for each in sidebar_counters}
    return {route: each for route, each in counts.items() if each.number}

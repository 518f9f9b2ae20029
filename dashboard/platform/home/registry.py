"""The registry of home pages. Every app registers its lines, its setup steps and its counts in its module `home`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import BasePermission

# Reads by name. All reads of a page run in one round trip; two sources that name the same read share its result.
Reads = Mapping[str, Callable[[], Any]]
Results = Mapping[str, Any]


class HomePlace(StrEnum):
    PLATFORM = "platform"
    BUSINESS = "business"


class Urgency(IntEnum):
    """The order of the lines."""

    # Something is broken, or an attack is going on.
    BROKEN = 0
    # People wait for this person.
    WAITING = 1
    TODAY = 2
    LATER = 3
    # The current state, such as the open rooms. Nobody has to do anything.
    INFO = 4


@dataclass(frozen=True)
class HomeLink:
    label: str
    url: str


@dataclass(frozen=True)
class HomeLine:
    """A sentence, linked to the page where the work is done."""

    urgency: Urgency
    icon: str
    text: str
    url: str
    # More about it, in secondary text.
    detail: str = ""
    # Shown after the text, as "3 h ago", with an optional label before it.
    since: datetime | None = None
    since_label: str = ""
    # Single items, each with its own page.
    links: tuple[HomeLink, ...] = ()


@dataclass(frozen=True)
class HomeSource:
    """Lines that are built from the same reads.

    A read is bounded: it costs the same for a thousand items and for a hundred thousand.
    """

    name: str
    permission: BasePermission
    # What was checked, such as "posts and comments to review". The page names it when there is nothing to do.
    checked: Promise
    reads: Callable[[Request], Reads]
    build_lines: Callable[[Request, Results], Iterable[HomeLine]]


@dataclass(frozen=True)
class SetupStep:
    """A step of the checklist of a new business. It is completed when its data exists."""

    order: int
    label: Promise
    hint: Promise
    route: str
    permission: BasePermission
    reads: Callable[[Request], Reads]
    is_done: Callable[[Request, Results], bool]
    # Whether the business needs the step at all, such as one with stores.
    applies: Callable[[Request, Results], bool] = lambda request, results: True


@dataclass(frozen=True)
class NavigationCount:
    """The number that the sidebar shows at an entry, and the tab's title."""

    number: int
    # Whether there are more than were counted.
    has_more: bool
    # A sentence for screen readers and for the tooltip.
    label: str

    def __str__(self) -> str:
        return f"{self.number}+" if self.has_more else str(self.number)


@dataclass(frozen=True)
class NavigationCounter:
    """Counts the work behind a navigation entry."""

    route: str
    permission: BasePermission
    reads: Callable[[Request], Reads]
    count: Callable[[Results], NavigationCount]


_sources: dict[HomePlace, list[HomeSource]] = {place: [] for place in HomePlace}
_steps: list[SetupStep] = []
_counters: list[NavigationCounter] = []


def register_home(place: HomePlace, *sources: HomeSource) -> None:
    names = [each.name for each in _sources[place]]
    for source in sources:
        if source.name in names:
            raise ImproperlyConfigured(f"Two sources of the home page are named {source.name}.")
        _sources[place].append(source)


def register_setup_steps(*steps: SetupStep) -> None:
    _steps.extend(steps)
    _steps.sort(key=lambda step: step.order)


def register_counter(counter: NavigationCounter) -> None:
    _counters.append(counter)


def sources_of(place: HomePlace) -> list[HomeSource]:
    return _sources[place]


def setup_steps() -> list[SetupStep]:
    return _steps


def counters() -> list[NavigationCounter]:
    return _counters

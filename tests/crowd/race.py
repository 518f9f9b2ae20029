"""Lets the whole crowd work at the same time, with lost replies between the product and the engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from unittest.mock import patch

from bookings.online import limits, links
from tests.api.shop import make_shop
from tests.bookings.bookable_business import check_bookings
from tests.crowd.desk import DeskPerson
from tests.crowd.programs import ApiProgram
from tests.crowd.reports import STAFF, CrowdReport, check_applied_once
from tests.faults import act_then_break, bad_network, lose_reply

MANY = 1_000_000


@dataclass(frozen=True)
class CrowdResult:
    programs: CrowdReport
    widgets: CrowdReport
    people: CrowdReport
    # Replies of the engine that got lost.
    faults: int
    seconds: float

    @property
    def whole(self) -> CrowdReport:
        return self.programs + self.widgets + self.people


def race(*, programs: int, widgets: int, people: int, writes: int, site: str = "") -> CrowdResult:
    """Let everybody work, and check the ledger and that each reported success was applied exactly once.

    `site` is the address of our server, for the widgets.
    """
    make_shop(*STAFF)
    clients = [ApiProgram(number) for number in range(programs)]
    desk = [DeskPerson(number) for number in range(people)]
    since = time.monotonic()
    with ExitStack() as stack:
        stack.enter_context(_without_limits_of_visitors())
        pool = stack.enter_context(ThreadPoolExecutor(programs + people + 1))
        visit = stack.enter_context(_visits(site, widgets, writes)) if widgets else list
        network = stack.enter_context(bad_network())
        network.add_random_fault(0.03, lose_reply)
        network.add_random_fault(0.03, act_then_break)
        visiting = pool.submit(visit)
        works: list[Callable[[int], CrowdReport]] = [each.work for each in clients]
        works += [each.work for each in desk]
        reports = list(pool.map(lambda work: work(writes), works))
        visited = visiting.result()
        network.stop_faults()
    seconds = time.monotonic() - since
    check_bookings()
    result = CrowdResult(
        sum(reports[:programs], CrowdReport()),
        sum(visited, CrowdReport()),
        sum(reports[programs:], CrowdReport()),
        network.faults,
        seconds,
    )
    check_applied_once(result.whole)
    return result


@contextmanager
def _visits(site: str, widgets: int, writes: int) -> Iterator[Callable[[], list[CrowdReport]]]:
    """A website with the widget, and what its visitors do."""
    from tests.browser.website import serve_website  # Chromium is not needed without widgets.
    from tests.crowd.widgets import run_widgets

    with serve_website(site, limit=MANY) as website:
        yield lambda: asyncio.run(run_widgets(website.origin, website.stored, widgets, writes))


@contextmanager
def _without_limits_of_visitors() -> Iterator[None]:
    """All visitors share one network here, and type at once."""
    with ExitStack() as stack:
        for name in ("MAX_PAGES", "MAX_BOOKINGS", "MAX_BOOKINGS_OF_ALL"):
            stack.enter_context(patch.object(limits, name, MANY))
        stack.enter_context(patch.object(links, "SOONEST", timedelta(0)))
        yield

"""Visitors who book, move and cancel in the widget of a website, in Chromium."""

from __future__ import annotations

import asyncio
import random
import re
from typing import Any

from playwright.async_api import Browser, BrowserContext, Frame, Route, async_playwright, expect

from bookings.online.links import read_token
from dashboard.platform.apikeys.items import ApiKey
from tests import chromium
from tests.bookings.bookable_business import BUSINESS, MONDAY
from tests.crowd.reports import STAFF, CrowdReport

# The share of answers to forms of visitors that get lost.
LOST_ANSWERS = 0.2
# How long the page refuses to send a form again (static/widget/page.js), in milliseconds.
RESEND = 3_100
TIMEOUT = 30_000
# Answers that show the page again.
REFUSALS = {409, 422}
LOST = 0


async def run_widgets(website: str, key: ApiKey, visitors: int, writes: int) -> list[CrowdReport]:
    """Let visitors book at the same time, each in a browser of their own."""
    expect.set_options(timeout=TIMEOUT)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.path(), args=chromium.FLAGS)
        try:
            every = [WidgetVisitor(number, key) for number in range(visitors)]
            return await asyncio.gather(*(each.work(browser, website, writes) for each in every))
        finally:
            await browser.close()


class WidgetVisitor:
    def __init__(self, number: int, key: ApiKey) -> None:
        self.number, self.actor = number, key.actor.email
        self.chance = random.Random(2000 + number)
        self.report = CrowdReport()
        # The status of each answer to a form; LOST for a lost one.
        self.answers: asyncio.Queue[int] = asyncio.Queue()
        self.panel: Frame
        # The first page of the widget.
        self.home = ""

    async def work(self, browser: Browser, website: str, writes: int) -> CrowdReport:
        context = await browser.new_context(locale="en-GB", timezone_id="UTC", reduced_motion="reduce")
        context.set_default_timeout(TIMEOUT)
        await self.open_panel(context, website)
        for _ in range(writes):
            if await self.book() and self.chance.random() < 0.6:
                await (self.move() if self.chance.random() < 0.6 else self.cancel())
        await context.close()
        return self.report

    async def open_panel(self, context: BrowserContext, website: str) -> None:
        await context.route(re.compile("/book/"), self.lose_answers)
        page = await context.new_page()
        page.on("response", lambda each: self.answers.put_nowait(each.status) if _is_form(each.request) else None)
        await page.goto(website)
        await page.frame_locator("iframe").first.get_by_role("button", name="Book").click()
        await expect(page.locator("iframe")).to_have_count(2)
        panel = await (await page.locator("iframe").last.element_handle()).content_frame()
        assert panel is not None
        self.panel = panel
        await expect(panel.get_by_role("heading", level=1)).to_be_visible()
        self.home = panel.url

    async def lose_answers(self, route: Route) -> None:
        """The server gets the form, but its answer does not arrive. The page stays as it was."""
        # Each visitor loses one at least.
        loses = self.chance.random() < LOST_ANSWERS if self.report.repeated else True
        if _is_form(route.request) and loses:
            await route.fetch(max_redirects=0)
            await route.abort("aborted")
            self.report.repeated += 1
            self.answers.put_nowait(LOST)
        else:
            await route.continue_()

    async def book(self) -> bool:
        """Book a free time of the day; if it is taken meanwhile, one that is offered instead."""
        panel = self.panel
        await panel.goto(self.home)
        await panel.get_by_role("link", name="Masaje").click()
        await panel.get_by_role("link", name=self.chance.choice(("Anyone", *map(str.title, STAFF)))).click()
        await expect(panel.get_by_role("heading", name="When?")).to_be_visible()
        await panel.goto(f"{panel.url}&day={MONDAY.date()}")
        times = panel.locator(f'.visitor-times a[href*="start={MONDAY.date()}"]')
        if not await times.count():
            self.report.refused += 1
            return False
        await times.nth(self.chance.randrange(await times.count())).click()
        await panel.get_by_label("Name").fill(f"Visitor {self.number}")
        # Another customer each time: nobody is in two places at once.
        await panel.get_by_label("E-mail").fill(f"visitor-{self.number}-{len(self.report.done)}@example.com")
        book = button = panel.get_by_role("button", name="Book", exact=True).last
        while (status := await self.press(button)) != 303:
            assert status in {*REFUSALS, 503}, status
            others = panel.get_by_role("alert").get_by_role("button")
            # The form of a page that does not work at the moment is the same command when it is sent again.
            button = book if status == 503 else others.first
            if status != 503 and not await others.count():
                self.report.refused += 1
                return False
        await expect(panel.get_by_text("You are booked.")).to_be_visible()
        self.note("booking.create")
        return True

    async def move(self) -> None:
        panel, before = self.panel, self.report.done[-1]
        await panel.get_by_role("link", name="Choose another time").click()
        await expect(panel.get_by_role("heading", name="Choose another time")).to_be_visible()
        await panel.goto(f"{panel.url}&day={MONDAY.date()}")
        times = panel.locator(f'.visitor-times button[value^="{MONDAY.date()}"]')
        if not await times.count():
            return
        status = await self.press(times.nth(self.chance.randrange(await times.count())))
        if status == 303:
            await expect(panel.get_by_text("Your booking was moved.")).to_be_visible()
            self.note("booking.reschedule")
        else:
            self.refuse("booking.reschedule", before[1], status)

    async def cancel(self) -> None:
        before = self.report.done[-1]
        status = await self.press(self.panel.get_by_role("button", name="Cancel booking"))
        if status == 303:
            await expect(self.panel.get_by_text("Your booking was cancelled.")).to_be_visible()
            self.note("booking.cancel")
        else:
            self.refuse("booking.cancel", before[1], status)

    async def press(self, button: Any) -> int:
        """Press a button until its answer is shown, and return the status."""
        await self.panel.evaluate("() => document.documentElement.dataset.isOld = '1'")
        while True:
            await button.click()
            status = await asyncio.wait_for(self.answers.get(), TIMEOUT / 1000)
            if status != LOST:
                await self.panel.wait_for_selector("html:not([data-is-old])")
                return status
            # The page allows to send the same form again after a moment.
            await self.panel.page.wait_for_timeout(RESEND)

    def refuse(self, action: str, booking: str, status: int) -> None:
        """A page that does not work at the moment may have done it: the visitor opens it again."""
        assert status in {*REFUSALS, 503}, status
        self.report.refused += 1
        if status == 503:
            self.report.unclear.append((action, booking, self.actor))

    def note(self, action: str) -> None:
        token = re.search(r"/bookings/([^/]+)/", self.panel.url)
        assert token is not None, self.panel.url
        self.report.done.append((action, read_token(BUSINESS, token[1]).booking, self.actor))


def _is_form(request: Any) -> bool:
    return bool(request.method == "POST" and "/book/" in request.url)

"""Typing in a page of 200 blocks beside typing in one of 5, in Chromium with a CPU four times slower.

`make bench ARGS=editor`; the variables BLOCKS (200), KEYS (40) and TIMES (7) set others. Both pages are open; the keys
go to one and to the other in turns. The cost of a key is the time that the browser's main thread works, without the
time that other programs took. The preview is open, and unsaved work is kept as always.
"""

from __future__ import annotations

import logging
import os
import time
from statistics import median

from playwright.sync_api import CDPSession, Page

from tests import chromium, demo

from django.conf import settings  # isort: skip
from django.urls import reverse  # isort: skip

from content.blocks.nodes import Node, heading, paragraph, text_node
from content.items import Content
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import sessions
from tests.conftest import add_business, add_person
from tests.content.site import BUSINESS, a_page
from tests.live_server import serve

FEW, MANY = 5, int(os.environ.get("BLOCKS", "200"))
KEYS, TIMES = int(os.environ.get("KEYS", "40")), int(os.environ.get("TIMES", "7"))
SLOWER, PAUSE = 4, 0.08
MOST_GROWTH = 1.5
# The preview and the keeping of unsaved work follow within this time.
FOLLOW = 4.0
WORDS = "Four people weave slow rugs in the valley, from wool that they dye with plants. "


def blocks(count: int) -> list[Node]:
    texts = (paragraph(WORDS * 3, text_node("Visit us", {"type": "bold"})), heading(2, WORDS))
    return [texts[index % 5 == 0] for index in range(count)]


class Writer:
    """A page in the editor, with the caret in the middle of it."""

    def __init__(self, browser: Page, page: Content, count: int) -> None:
        self.browser = browser
        self.devtools: CDPSession = browser.context.new_cdp_session(browser)
        self.devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        browser.goto(reverse("page_edit", args=[BUSINESS, page.node]))
        block = f"#k{count // 2 + 1}"
        browser.locator(f"{block} [data-rich-text]").click()
        browser.locator(f"{block} [contenteditable]").wait_for()
        self.devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        time.sleep(FOLLOW)

    def work_ms(self) -> float:
        found = self.devtools.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(each["value"] for each in found if each["name"] == "TaskDuration"))

    def write(self) -> tuple[float, float]:
        """The work for each key while typing, and with what follows after it, in ms."""
        self.browser.bring_to_front()
        before = self.work_ms()
        for index in range(KEYS):
            since = time.perf_counter()
            self.browser.keyboard.press("Space" if index % 6 == 5 else "a")
            time.sleep(max(0.0, PAUSE - (time.perf_counter() - since)))
        typed = self.work_ms()
        time.sleep(FOLLOW)
        return (typed - before) / KEYS, (self.work_ms() - before) / KEYS


def main() -> None:
    logging.disable(logging.INFO)
    with demo.engine() as engine, serve() as site, chromium.browser() as browser:
        print(f"Engine: {engine}")
        owner = add_person("owner@example.com", Role.OWNER, "Olivia Andrade")
        add_business(BUSINESS, "Andina", owner.email)
        cookie = sessions.open_session(owner, address="127.0.0.1", agent="Chrome/1 Linux")
        context = browser.new_context(base_url=site, viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": site}])
        found: dict[int, list[tuple[float, float]]] = {FEW: [], MANY: []}
        pages = {count: a_page(title=f"{count} blocks", slug=f"/b{count}", blocks=blocks(count)) for count in found}
        writers = {count: Writer(context.new_page(), page, count) for count, page in pages.items()}
        for writer in writers.values():
            writer.write()
        for _time in range(TIMES):
            for count, writer in writers.items():
                found[count].append(writer.write())
    typing = {count: median(each[0] for each in times) for count, times in found.items()}
    whole = {count: median(each[1] for each in times) for count, times in found.items()}
    for count, times in found.items():
        print(f"{count:>4} blocks: {typing[count]:6.1f} ms for a key; {whole[count]:6.1f} ms with preview and keeping")
        print("             single turns: " + " ".join(f"{each[0]:.1f}" for each in times))
    # Turns that follow each other share the load of the machine.
    turns = list(zip(found[FEW], found[MANY], strict=True))
    growth = median(many[0] / few[0] for few, many in turns)
    growth_whole = median(many[1] / few[1] for few, many in turns)
    print(f"Typing costs {growth:.2f} times as much; with preview and keeping {growth_whole:.2f} times")
    assert growth <= MOST_GROWTH, f"{growth:.2f} is more than {MOST_GROWTH}"


if __name__ == "__main__":
    main()

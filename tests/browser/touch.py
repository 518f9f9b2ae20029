"""Touch gestures for tests in the browser."""

from __future__ import annotations

from playwright.sync_api import Page

STEPS = 5


def drag_by_touch(page: Page, x: float, y: float, *, to_x: float) -> None:
    """Move a finger horizontally, from a point of the window to another."""
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, STEPS + 1):
        point = {"x": x + (to_x - x) * step / STEPS, "y": y}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

"""Finds and starts Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
FLAGS += ["--disable-sync", "--no-first-run", "--force-color-profile=srgb"]


def path() -> str | None:
    """The path of an installed Chromium or Chrome; the variable `CHROMIUM` sets another path.

    The headless shell is preferred: it has the same engine, but no windows, tabs and menus, which take more time than
    our pages.
    """
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path(), args=FLAGS)
        try:
            yield chromium
        finally:
            chromium.close()

"""Reads the lines of a home page."""

from __future__ import annotations

from typing import Any

from tests.ui.html import parse


def lines(response: Any) -> dict[str, str]:
    """The addresses of the lines by their text, in the order of the page."""
    assert response.status_code == 200
    found = {}
    for listed in parse(response).by_class("home-lines"):
        for each in listed.all("li"):
            link = each.all("a")[0]
            found[link.text] = link.attrs["href"]
    return found


def steps(response: Any) -> dict[str, bool]:
    """The steps of the checklist, and whether each is completed."""
    found = {}
    for listed in parse(response).by_class("home-steps"):
        for each in listed.all("li"):
            done = "data-done" in each.attrs
            found[each.text.removesuffix("(completed)").strip() if done else each.all("a")[0].text] = done
    return found

"""The links and forms of every page lead only to what the person may open, by the permission of the view there."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve

from dashboard.platform.accounts.permissions import API, PUBLIC, Role
from tests.ui.html import Element
from tests.ui.walk import Route
from tests.ui.world import BUSINESS_ROLES, World

# The links of these pages belong to the site of the business.
SITE_PAGES = {"page_preview_frame", "shared_page"}
ROLES = tuple(str(role) for role in (*Role, *BUSINESS_ROLES))


def destinations(page: Element) -> set[str]:
    """The paths of all links and forms of a page."""
    links = [each.attrs.get("href", "") for each in page.all("a")]
    forms = [each.attrs.get("action", "") for each in page.all("form")]
    buttons = [each.attrs.get("formaction", "") for each in page.all("button")]
    urls = [urlsplit(url) for url in (*links, *forms, *buttons)]
    return {url.path for url in urls if url.path.startswith("/") and not url.netloc}


def may_open(world: World, who: str, path: str) -> bool:
    """Whether the permission of the view at this path lets the person in."""
    try:
        found = resolve(path)
    except Resolver404:
        return False
    route = Route(found.url_name or "", found.route, found.func, tuple(found.kwargs))
    if route.permission in {PUBLIC, API}:
        return True
    return world.may(who, route)


@pytest.mark.parametrize("who", ROLES)
def test_no_page_links_to_what_the_person_may_not_open(world: World, who: str) -> None:
    pages = world.html(who)
    assert len(pages) > 5
    checked: dict[str, bool] = {}
    wrong = set()
    for url, page in pages.items():
        if resolve(urlsplit(url).path).url_name in SITE_PAGES:
            continue
        for path in destinations(page):
            if path not in checked:
                checked[path] = may_open(world, who, path)
            if not checked[path]:
                wrong.add(f"{url}: {path}")
    assert len(checked) > 20
    assert sorted(wrong) == []

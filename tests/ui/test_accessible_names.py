"""Every control, link, picture and frame of every page has an accessible name, and every reference to an id is valid.

axe checks more, but only one page per template. These checks are fast, and cover every page for every role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from dashboard.platform.accounts.permissions import Role
from tests.ui.html import Element, parse
from tests.ui.world import World

VISITORS = ("anonymous", *Role)
FIELDS = {"input", "select", "textarea"}
REFERENCES = ("for", "aria-labelledby", "aria-describedby", "popovertarget", "list", "form")


def problems(page: Element) -> list[str]:
    ids = Counter(each.attrs["id"] for each in page.walk() if each.attrs.get("id"))
    labels = {each.attrs["for"] for each in page.all("label") if each.attrs.get("for") and each.text}
    found = [f"the id {name} occurs {number} times" for name, number in ids.items() if number > 1]
    for each in page.walk():
        if not has_name(each, labels):
            found.append(f"{each} has no name")
        found += [f"{each}: there is no element with the id {name}" for name in references(each) if name not in ids]
    return found


def has_name(each: Element, labels: set[str]) -> bool:
    attrs = each.attrs
    if "hidden" in attrs or attrs.get("aria-hidden") == "true":
        return True
    if attrs.get("aria-label", "").strip() or attrs.get("aria-labelledby"):
        return True
    if each.tag == "img":
        return "alt" in attrs
    if each.tag == "iframe":
        return bool(attrs.get("title", "").strip())
    if each.tag in {"button", "summary"} or (each.tag == "a" and "href" in attrs):
        return bool(each.text or attrs.get("title") or any(image.attrs.get("alt") for image in each.all("img")))
    if each.tag in FIELDS and attrs.get("type") not in {"hidden", "submit"}:
        return attrs.get("id") in labels or each.inside("label") or bool(attrs.get("title"))
    return True


def references(each: Element) -> Iterator[str]:
    for attribute in REFERENCES:
        yield from each.attrs.get(attribute, "").split()


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_element_has_an_accessible_name_on_every_page(world: World, visitor: str) -> None:
    pages = world.html(visitor)
    assert len(pages) > 1
    assert [f"{url}: {each}" for url, page in pages.items() for each in problems(page)] == []


@pytest.mark.parametrize(
    ("html", "what"),
    [
        ('<button type="button"><svg></svg></button>', "has no name"),
        ('<a href="/"></a>', "has no name"),
        ('<input name="q">', "has no name"),
        ('<label for="other">Name</label><input id="name"><i id="other"></i>', "has no name"),
        ('<img src="/x.png">', "has no name"),
        ('<iframe src="/x/"></iframe>', "has no name"),
        ('<p aria-describedby="gone"></p>', "there is no element with the id"),
        ('<p id="a"></p><p id="a"></p>', "2 times"),
    ],
)
def test_a_missing_name_or_id_is_reported(html: str, what: str) -> None:
    assert [problem for problem in problems(parse(html)) if what in problem]
    assert problems(parse('<label>Name <input name="q"></label><a href="/">Home</a>')) == []

"""Two versions of a page beside each other."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from content.blocks.nodes import heading, paragraph
from tests.content.site import BUSINESS, a_page, put_outside_page, save_page
from tests.ui.html import parse


def url(node: str) -> str:
    return reverse("page_comparison", args=[BUSINESS, node])


def test_two_versions_are_compared_word_by_word(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[heading(1, "About"), paragraph("One two")])
    page = save_page(page, [paragraph("One three"), heading(1, "About")])
    save_page(page, [paragraph("One three"), heading(1, "About"), paragraph("Last")])

    shown = parse(as_owner.get(f"{url(page.node)}?a=1&b=2"))

    assert [each.text for each in shown.all("del")] == ["two"]
    assert [each.text for each in shown.all("ins")] == ["three"]
    assert shown.one("h1").text == "v1 and v2"
    # Without a second version, with the page as it is now; the order of the numbers does not matter.
    now = parse(as_owner.get(f"{url(page.node)}?a=1"))
    assert [each.text for each in now.all("ins")] == ["three", "Last"]
    assert parse(as_owner.get(f"{url(page.node)}?a=3&b=1")).one("h1").text == "v1 and v3"


def test_equal_versions_say_so(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[paragraph("One")])

    assert "the same blocks" in parse(as_owner.get(url(page.node))).text


@pytest.mark.parametrize("query", ["?a=9", "?a=1&b=9"])
def test_a_version_that_does_not_exist_is_not_found(table: str, as_owner: Client, query: str) -> None:
    page = save_page(a_page(blocks=[paragraph("One")]), [paragraph("Two")])

    assert as_owner.get(url(page.node) + query).status_code == 404


def test_the_page_of_another_business_is_not_found(table: str, as_owner: Client) -> None:
    put_outside_page("theirs", business="harbour")

    assert as_owner.get(url("theirs")).status_code == 404

"""The check of a page for problems."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from content.blocks import checks
from content.blocks.checks import KnownAddresses, check_document
from content.blocks.nodes import heading, paragraph, quote, text_node
from content.blocks.templates import blocks_of
from content.page_templates import PAGE_TEMPLATES
from tests.content.blocks.documents import documents

TITLE = heading(1, "Title")
KNOWN = KnownAddresses({"/contact"})


def link(href: Any, text: str = "our prices") -> dict[str, Any]:
    return paragraph(text_node(text, {"type": "link", "attrs": {"href": href}}))


def plugin(type_: str, **attrs: Any) -> dict[str, Any]:
    return {"type": type_, "attrs": attrs}


@pytest.mark.parametrize(
    ("blocks", "found"),
    [
        ([], []),
        ([TITLE, heading(2, "a"), heading(3, "b"), heading(2, "c")], []),
        ([paragraph("a")], [(0, checks.NO_TITLE)]),
        ([TITLE, heading(1, "b")], [(2, checks.SEVERAL_TITLES)]),
        ([TITLE, heading(3, "b")], [(2, checks.SKIPPED_LEVEL)]),
        ([TITLE, heading(2)], [(2, checks.EMPTY_HEADING)]),
        ([plugin("hero", headline="x"), plugin("faq", headline="y"), heading(3, "z")], []),
        ([TITLE, plugin("image", src="/a.png", alt=" ")], [(2, checks.NO_ALT)]),
        ([TITLE, plugin("image", src="/a.png", alt="A loom")], []),
        ([TITLE, plugin("image", src="", alt=None)], []),
        ([TITLE, plugin("image", src="javascript:x", alt="A")], [(2, checks.UNSAFE)]),
        ([TITLE, plugin("cta", buttonText="Go", buttonLink="")], [(2, checks.NO_ADDRESS)]),
        ([TITLE, plugin("cta", buttonText="Go", buttonLink="#")], [(2, checks.NO_ADDRESS)]),
        ([TITLE, plugin("cta", buttonText="", buttonLink="/about")], [(2, checks.NO_TEXT)]),
        ([TITLE, plugin("cta", buttonText="Go", buttonLink="/gone")], [(2, checks.DEAD)]),
        ([TITLE, plugin("cta", buttonText="Go", buttonLink="/about/?a#b")], []),
        ([TITLE, plugin("carousel", items=[{"linkText": "x", "link": "/gone"}, "?"])], [(2, checks.DEAD)]),
        ([TITLE, link("/gone")], [(2, checks.DEAD)]),
        ([TITLE, link("https://example.test/gone")], []),
        ([TITLE, link("/shop/rugs"), link("/shopping")], [(3, checks.DEAD)]),
        ([TITLE, link("/about", "Read more")], [(2, checks.VAGUE_TEXT)]),
        ([TITLE, link("/about", " ")], [(2, checks.NO_TEXT)]),
        ([TITLE, link("javascript:x")], [(2, checks.UNSAFE)]),
        ([TITLE, link(None)], [(2, checks.NO_ADDRESS)]),
        ([TITLE, quote("a") | {"content": [link("/gone")]}], [(2, checks.DEAD)]),
    ],
)
def test_each_finding_names_its_block(blocks: list[Any], found: list[tuple[int, Any]]) -> None:
    assert [
        (each.number, each.text) for each in check_document(blocks, KnownAddresses({"/", "/about"}, ("/shop",)))
    ] == found


def test_a_link_with_a_bold_word_is_one_link() -> None:
    mark = {"type": "link", "attrs": {"href": "/gone"}}
    blocks = [TITLE, paragraph(text_node("our ", mark), text_node("prices", mark, {"type": "bold"}))]

    (finding,) = check_document(blocks, KnownAddresses({"/"}))

    assert (finding.detail, finding.block) == ("/gone", "Paragraph: our prices")
    assert check_document(blocks) == []


@pytest.mark.parametrize("template", PAGE_TEMPLATES)
def test_new_pages_have_no_problems_but_the_links_that_their_owner_still_sets(template: str) -> None:
    assert {each.text for each in check_document(blocks_of(template), KNOWN)} <= {checks.NO_ADDRESS}


@settings(max_examples=200, deadline=None)
@given(documents())
def test_every_document_can_be_checked(document: list[Any]) -> None:
    assert all(0 <= each.number <= len(document) for each in check_document(document, KNOWN))

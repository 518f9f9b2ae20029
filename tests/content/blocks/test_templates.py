"""The templates of new pages."""

from __future__ import annotations

import pytest

from content.blocks.nodes import walk
from content.blocks.templates import blocks_of
from content.page_templates import PAGE_TEMPLATES
from dashboard.table.attributes import ExactListAttribute


@pytest.mark.parametrize("template", PAGE_TEMPLATES)
def test_the_blocks_of_a_template_survive_the_table(template: str) -> None:
    blocks = blocks_of(template)

    attribute = ExactListAttribute()
    assert blocks
    assert attribute.deserialize(attribute.serialize(blocks)) == blocks
    assert all(isinstance(node["type"], str) for node in walk(blocks))


def test_two_pages_do_not_share_blocks() -> None:
    first = blocks_of("home")
    first[0]["attrs"]["headline"] = "Changed"

    assert blocks_of("home")[0]["attrs"]["headline"] != "Changed"


def test_an_unknown_template_is_empty() -> None:
    assert blocks_of("unknown") == []

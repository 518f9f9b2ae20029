"""The contrast of the texts of a page: each finding names its block."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from branding.public import Style
from content.blocks.nodes import paragraph
from content.page_contrast import LOW_CONTRAST, OVER_EFFECT, OVER_PICTURE, check_contrast
from tests.branding.theme_factory import LOW_CONTRAST as PALE
from tests.branding.theme_factory import create_draft, create_published
from tests.content.site import BUSINESS, a_page, page_url
from tests.ui.html import parse
from tests.ui.walk import calls_of

DEFAULT = Style.of({})


def hero(**attrs: Any) -> dict[str, Any]:
    return {"type": "hero", "attrs": {"headline": "Slow rugs", **attrs}}


def findings(*blocks: Any, style: Style = DEFAULT, override: Any = None) -> list[tuple[int, Any]]:
    return [(each.number, each.text) for each in check_contrast(list(blocks), style, override)]


COVER = {"style": "cover", "imageSrc": "https://a.example/b.jpg"}


@pytest.mark.parametrize(
    ("attrs", "found"),
    [
        ({}, []),
        ({"headlineColorToken": "white"}, [LOW_CONTRAST]),
        ({"headlineColorToken": "black"}, []),
        (COVER, []),
        (COVER | {"overlayOpacity": Decimal("0.2")}, [OVER_PICTURE]),
        (COVER | {"overlayOpacity": 1, "headlineColorToken": "black"}, [OVER_PICTURE]),
        (COVER | {"overlayOpacity": 1, "overlayColorToken": "white", "headlineColorToken": "black"}, []),
        (
            COVER | {"overlayOpacity": 1, "overlayColorToken": "primary", "headlineColorToken": "primary"},
            [OVER_PICTURE],
        ),
        (COVER | {"overlayOpacity": "dark", "overlayColorToken": 7, "headlineColorToken": ["white"]}, []),
        (COVER | {"overlayOpacity": Decimal("NaN")}, []),
        # The colour of a text that is not there does not matter.
        ({"headline": "", "headlineColorToken": "white"}, []),
    ],
)
def test_the_colours_that_a_hero_chooses(attrs: dict[str, Any], found: list[Any]) -> None:
    assert [text for _number, text in findings(paragraph("x"), hero(**attrs))] == found


def test_the_colours_behind_an_effect() -> None:
    dark = {"type": "pricing", "attrs": {"effect": {"bgColor": "#101010", "overlayOpacity": Decimal("0.1")}}}
    light = {
        "type": "pricing",
        "attrs": {"effect": {"colors": ["#7FB069", None, 3], "overlayOpacity": Decimal("0.85")}},
    }
    odd = {"type": "pricing", "attrs": {"effect": "aurora"}}
    assert findings(light, odd, dark) == [(3, OVER_EFFECT)]


def test_a_pair_of_the_theme_is_reported_once_at_its_first_block() -> None:
    blocks = [{"type": "horizontalRule"}, paragraph("One"), paragraph("Two"), paragraph("Three")]
    (found,) = check_contrast(blocks, Style.of(PALE))
    assert (found.number, found.text) == (2, LOW_CONTRAST)
    assert "2.32 : 1" in found.detail and "3, 4" in found.detail
    # Only the pairs that the blocks use.
    assert findings({"type": "html", "attrs": {}}, style=Style.of(PALE)) == []
    cards = {"type": "features", "attrs": {"items": []}}
    assert findings(cards, style=Style.of({"textColor": "#f0f0f0", "surfaceColor": "#ffffff"})) == [(1, LOW_CONTRAST)]


def test_the_colours_that_the_page_sets_itself() -> None:
    assert findings(paragraph("x"), override=PALE) == [(1, LOW_CONTRAST)]
    assert findings(paragraph("x"), style=Style.of(PALE), override={"textColor": "#000000"}) == []
    for odd in ("x", {"textColor": ["#fff"]}, {"textColor": "url(x)"}, None):
        assert findings(paragraph("x"), override=odd) == []


@pytest.mark.parametrize("block", ["x", None, {}, {"type": "hero"}, {"type": "hero", "attrs": "x"}, {"type": 3}])
def test_odd_blocks_break_nothing(block: Any) -> None:
    assert findings(block) == []


def test_the_editor_lists_findings_in_the_live_theme_with_links(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[paragraph("One"), hero(headlineColorToken="white")])
    create_published(BUSINESS, "Pale", PALE)
    answer = as_owner.get(f"{page_url(page)}edit/")
    shown = parse(answer)
    links = [each.attrs["href"] for each in shown.all("a") if each.attrs.get("href", "").startswith("#k")]
    assert {"#k0", "#k1"} <= set(links) and shown.one("li", id="k1")
    assert calls_of(answer).trips == 2


def test_the_preview_lists_findings_in_the_chosen_theme(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[paragraph("One")])
    draft = create_draft(BUSINESS, "Pale", PALE)
    url = f"{page_url(page)}preview/"
    live, chosen = as_owner.get(url), as_owner.get(f"{url}?theme={draft.number}")
    assert "All texts have enough contrast" in parse(live).one("main").text
    (link,) = [each for each in parse(chosen).all("a") if each.attrs.get("href", "").endswith("/edit/#k0")]
    assert link.text.startswith("Block 1")
    assert calls_of(live).trips == calls_of(chosen).trips == 2
    # Another number shows the live theme, whose colours were not read.
    assert "enough contrast" not in parse(as_owner.get(f"{url}?theme=99")).one("main").text

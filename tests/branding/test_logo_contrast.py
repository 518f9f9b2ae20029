"""The contrast of a logo is measured against the header, on which it is displayed."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from branding import queries
from branding.logo_contrast import logo_contrast, visible_colors
from branding.tokens import Style
from tests.branding.brand_pages import url_of
from tests.branding.pictures import draw_logo, encode
from tests.branding.theme_factory import create_draft
from tests.ui.html import form_to, parse


@pytest.mark.parametrize(
    ("color", "second", "header", "passes"),
    [
        ("#ffffff", "", "#1d4ed8", True),
        ("#ffffff", "", "#fafafa", False),
        ("#1d4ed8", "", "#1d4ed8", False),
        ("#1d4ed8", "#ffffff", "#1d4ed8", True),
        ("#1d4ed8", "#2a5be0", "#1d4ed8", False),
        ("#ffffff", "#1d4ed8", "#1d4ed8", True),
    ],
)
def test_a_part_of_the_logo_needs_enough_contrast(color: str, second: str, header: str, passes: bool) -> None:
    found = logo_contrast(visible_colors(draw_logo(color, second)), Style.of({"primaryColor": header}))
    assert found is not None and found.passes == passes and found.background == header


@pytest.mark.parametrize("stored", [None, "red", {}, {"no colour": 3}, {"#ffffff": "much"}, ["#ffffff"]])
def test_unknown_colours_are_not_measured(stored: object) -> None:
    assert logo_contrast(stored, Style.of({})) is None


def test_an_opaque_logo_has_its_own_background() -> None:
    assert visible_colors(draw_logo("#ffffff", background="#ffffff").convert("RGB")) == {}


def test_the_editor_and_the_publish_page_warn_about_the_logo(as_owner: Client) -> None:
    draft = create_draft("andina", "Autumn", {"primaryColor": "#1d4ed8"})
    form = form_to(parse(as_owner.get(url_of(draft))).one("main"), url_of(draft))
    file = SimpleUploadedFile("Blue.png", encode(draw_logo("#1d4ed8")), content_type="image/png")
    form.send(as_owner, values={"upload_logo": file})
    (link,) = queries.asset_links("andina").items
    assert "#1d4ed8" in (link.colors or {})
    editor, publish = (parse(as_owner.get(url_of(draft, act), follow=True)).one("main") for act in ("", "publish"))
    row = next(each for each in editor.by_class("pairs")[0].all("li") if "Logo on the header" in each.text)
    assert "1.00:1" in row.text and "Too little contrast" in row.text and "A logo needs 3:1" in row.text
    assert "The logo is hard to see on the header: 1.00 : 1" in publish.text
    unsaved = as_owner.get(url_of(draft, "contrast"), {"primaryColor": "#ffe9c7", "logo": link.id})
    row = next(each for each in parse(unsaved).by_class("pairs")[0].all("li") if "Logo on the header" in each.text)
    assert "Too little contrast" not in row.text

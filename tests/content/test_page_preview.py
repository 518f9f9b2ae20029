"""The preview of a page: as it is saved or as the editor's form has it, in a frame that runs nothing."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from content.blocks.nodes import paragraph
from content.items import Content
from tests.branding.theme_factory import create_draft
from tests.content.site import BUSINESS, a_page
from tests.content.test_page_editor import BLOCKS, blocks_now, editor
from tests.ui.html import parse


def frame_url(page: Content) -> str:
    return reverse("page_preview_frame", args=[BUSINESS, page.node])


def preview_url(page: Content) -> str:
    return reverse("page_preview", args=[BUSINESS, page.node])


def test_the_frame_shows_the_saved_page_in_the_live_theme(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)

    answer = as_owner.get(frame_url(page))

    shown = parse(answer)
    assert [each.text for each in shown.all("h1")] == ["About", "Slow rugs"]
    assert reverse("visitor_theme", args=[BUSINESS]) in [each.attrs.get("href") for each in shown.all("link")]
    assert "mapEmbed" in shown.text


def test_the_frame_runs_no_script_and_only_our_pages_show_it(table: str, as_owner: Client) -> None:
    answer = as_owner.get(frame_url(a_page(blocks=BLOCKS)))

    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "sandbox allow-same-origin" in policy
    assert "frame-ancestors 'self'" in policy
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"


def test_the_frame_shows_changes_that_are_not_saved(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[paragraph("Before")])
    form = editor(as_owner, page)

    answer = as_owner.post(frame_url(page), form.data() | {"k0-text": "After **all**"})

    assert parse(answer).one("strong").text == "all"
    assert blocks_now(page) == [paragraph("Before")]


def test_the_preview_has_three_widths_and_the_versions_of_the_theme(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    create_draft(BUSINESS, "Autumn")

    shown = parse(as_owner.get(f"{preview_url(page)}?width=375&theme=99"))

    frame = shown.one("iframe")
    assert (frame.attrs["width"], frame.attrs["sandbox"], frame.attrs["src"]) == (
        "375",
        "allow-same-origin",
        frame_url(page),
    )
    widths = [each.text for each in shown.all("a") if "width=" in each.attrs.get("href", "")]
    assert widths == ["Phone", "Tablet", "Desktop"]
    assert [each.text.strip() for each in shown.all("option")] == ["Live theme", "v1 Autumn"]


def test_a_version_of_the_theme_is_previewed_with_its_stylesheet(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)

    shown = parse(as_owner.get(f"{frame_url(page)}?theme=3"))

    styles = [each.attrs.get("href") for each in shown.all("link")]
    assert reverse("theme_css", args=[BUSINESS, 3]) in styles

"""The preview of a page: as it is saved or as the editor's form has it, in a frame that runs nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from content.blocks.nodes import paragraph
from content.items import Content
from content.queries.pages import load_page
from content.services import sharing
from dashboard.table.commands import new_command
from tests.branding.theme_factory import create_draft
from tests.conftest import ACTOR
from tests.content.blocks.test_rendering import HOSTILE, Reader
from tests.content.site import BUSINESS, SITE, a_page, page_url, publish, put_outside_page
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

    live, frame = shown.all("iframe")
    assert (live.attrs["width"], live.attrs["sandbox"], live.attrs["src"]) == (
        "375",
        "allow-same-origin",
        f"{frame_url(page)}?live=1",
    )
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


def test_the_live_frame_shows_what_visitors_see_whatever_is_typed(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[paragraph("Before")])
    form = editor(as_owner, page)
    url = f"{frame_url(page)}?live=1"
    for answer in (as_owner.get(url), as_owner.post(url, form.data() | {"k0-text": "After"})):
        assert "it is not published" in parse(answer).text and "Before" not in parse(answer).text
        assert "sandbox allow-same-origin" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
    page = publish(page)
    create_draft(BUSINESS, "Autumn")
    answer = as_owner.get(f"{url}&theme=1")
    assert "Before" in parse(answer).text
    # Always in the live theme.
    assert reverse("visitor_theme", args=[BUSINESS]) in [each.attrs.get("href") for each in parse(answer).all("link")]


def test_the_editor_shows_the_live_page_beside_the_edited_one(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[paragraph("Before")])
    aside = parse(as_owner.get(f"{page_url(page)}edit/")).one("aside")
    assert [each.attrs["src"] for each in aside.all("iframe")] == [f"{frame_url(page)}?live=1", frame_url(page)]
    assert [each.attrs["value"] for each in aside.all("input")] == ["edited", "live", "both"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_setting_of_a_page_becomes_a_script(table: str, as_owner: Client, text: str) -> None:
    names = ("title", "seoTitle", "seoDescription", "seoKeywords", "featuredImage", "author", "schemaType", "template")
    values: dict[str, Any] = dict.fromkeys(names, text)
    values |= {"tags": [text], "themeOverride": {text: text, "textColor": text}}
    put_outside_page("hostile", blocks=[paragraph(text)], **values)
    page = load_page(BUSINESS, "hostile")
    command = new_command(ACTOR)
    token = sharing.token_of(sharing.share(BUSINESS, page.node, 1, note=text, command=command), command)
    pages = ("", "preview/", "preview/frame/", "preview/frame/?live=1", "edit/", "versions/?below=2", "share/")
    urls = [f"{page_url(page)}{name}" for name in pages]
    for url in (*urls, f"{SITE}", f"{SITE}routes/?lookup=/hostile", f"/draft/{token}/"):
        answer = as_owner.get(url)
        assert answer.status_code == 200, url
        for tag, attrs in Reader(answer.content.decode()).found:
            assert tag != "script" or attrs.get("src", "").startswith("/static/") or attrs.get("type"), url
            assert not [name for name in attrs if name.startswith("on")], (url, tag, attrs)
            for name in ("href", "src", "action"):
                plain = re.sub(r"[^a-z:/#]", "", attrs.get(name, "/").lower())
                assert not plain.startswith(("javascript:", "vbscript:", "data:text", "blob:", "view-source:")), url

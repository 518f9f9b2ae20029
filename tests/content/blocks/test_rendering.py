"""The preview of a page: nothing that an owner or an outside writer stores becomes a script."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.template.loader import render_to_string
from hypothesis import given, settings

from content.blocks.addresses import internal_path, safe_address, safe_source
from content.blocks.edits import new_block
from content.blocks.fields import BlockCells, BlockField, BlockItems
from content.blocks.nodes import heading, paragraph, text_node
from content.blocks.plugins import PLUGINS
from content.blocks.rendering import render
from tests.content.blocks.documents import documents

HOSTILE = [
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    "\u200bjavascript:alert(1)",
    "javascript&colon;alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://example.test/1",
    "view-source:javascript:alert(1)",
    "<script>alert(1)</script>",
    "</textarea></iframe><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<svg/onload=alert(1)>",
    "{{ 7|add:7 }}{% now 'Y' %}",
    "\\u003cscript\\u003e",
    "<iframe src=javascript:alert(1)>",
    "[x](javascript:alert(1))",
    'https://example.test/" onclick="alert(1)',
]
_TAGS = {
    *("html", "head", "meta", "title", "link", "body", "header", "main", "footer", "div", "section", "figure"),
    *("figcaption", "p", "span", "a", "img", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "br", "hr"),
    *("strong", "em", "u", "s", "code", "pre", "blockquote", "table", "thead", "tbody", "tr", "th", "td"),
    *("details", "summary", "iframe"),
}


class Reader(HTMLParser):
    """Collects what a browser would find in a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


def html_of(document: list[Any]) -> str:
    context = {"blocks": render(document), "title": "Page", "shop": "Shop", "css_url": "/theme.css", "empty_text": ""}
    return render_to_string("content/preview/page.html", context | {"hide_nav": None, "hide_footer": None})


def assert_harmless(html: str) -> None:
    for tag, attrs in Reader(html).found:
        assert tag in _TAGS, tag
        assert not [name for name in attrs if name.startswith("on") or name == "style"]
        for name in ("href", "src"):
            address = re.sub(r"[^a-z:/#]", "", attrs.get(name, "/").lower())
            assert not address.startswith(("javascript:", "vbscript:", "data:", "blob:", "view-source:")), address
        if tag == "iframe":
            assert attrs["sandbox"] == ""
            assert "src" not in attrs


def hostile_values(fields: Any, text: str) -> dict[str, Any]:
    """The text in every field, also where another type is expected."""
    return {field.name: hostile_value(field, text) for field in fields} | {"effect": text, "subheadlineRich": [text]}


def hostile_value(field: BlockField, text: str) -> Any:
    if isinstance(field, BlockItems):
        return [{"id": text, **hostile_values(field.fields, text)}, text]
    if isinstance(field, BlockCells):
        return [text] if field.is_header else [{"id": text, "cells": [{"id": text, "content": text}]}]
    return text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_every_field_of_every_block_runs_nothing(text: str) -> None:
    blocks: list[Any] = [{"type": name, "attrs": hostile_values(each.fields, text)} for name, each in PLUGINS.items()]
    link = {"type": "link", "attrs": {"href": text, "target": text, "class": text}}
    blocks += [
        paragraph(text, text_node(text, link, {"type": text})),
        heading(2, text_node(text, link)),
        {"type": text, "attrs": {text: text}},
        {"type": "heading", "attrs": {"level": text}, "content": [text_node(text)]},
        {"type": "orderedList", "attrs": {"start": text}, "content": [text, {"type": text}]},
        {"type": "paragraph", "content": text, "attrs": text},
        text,
    ]

    assert_harmless(html_of(blocks))


@settings(max_examples=200, deadline=None)
@given(documents())
def test_every_document_is_rendered_without_harm(document: list[Any]) -> None:
    assert_harmless(html_of(document))


@pytest.mark.parametrize("type_", PLUGINS)
def test_every_block_is_shown_with_its_texts(type_: str) -> None:
    texts = {"headline", "content", "code", "caption", "categoryName"}
    names = [field.name for field in PLUGINS[type_].fields if field.name in texts and not isinstance(field, BlockItems)]
    node = new_block(type_)
    assert node is not None
    node["attrs"] |= dict.fromkeys(names, "Visible words")

    html = html_of([node])

    assert f'data-type="{type_}"' in html
    assert not names or "Visible words" in html


def test_formatted_text_and_safe_links_are_shown() -> None:
    link = {"type": "link", "attrs": {"href": "/contact"}}
    html = html_of([paragraph("a ", text_node("b", link, {"type": "bold"}), {"type": "hardBreak"})])

    assert '<p>a <a href="/contact" rel="noopener noreferrer"><strong>b</strong></a><br></p>' in html


@pytest.mark.parametrize(
    ("address", "link", "source"),
    [
        ("/contact", True, True),
        ("#prices", True, True),
        ("https://example.test/x", True, True),
        ("mailto:ana@example.test", True, False),
        ("tel:+57300", True, False),
        ("//example.test/x", True, True),
        ("contact?to=a:b", True, True),
        ("a:b", False, False),
        ("http://[", False, False),
        ("", False, False),
        (None, False, False),
        (3, False, False),
    ],
)
def test_addresses(address: Any, link: bool, source: bool) -> None:
    assert (bool(safe_address(address)), bool(safe_source(address))) == (link, source)


@pytest.mark.parametrize(
    ("address", "path"),
    [("/about/", "/about"), ("/", "/"), ("/a?b#c", "/a"), ("//example.test", ""), ("https://x.test/a", ""), ("#a", "")],
)
def test_the_path_of_an_address_on_the_website(address: str, path: str) -> None:
    assert internal_path(address) == path

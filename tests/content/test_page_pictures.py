"""Pictures that are dropped into the editor of a page, and texts of the rich text editor."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from content.blocks.nodes import paragraph, text_node
from content.queries.pages import load_page
from tests.branding.pictures import png
from tests.content.site import BUSINESS, a_page
from tests.content.test_page_editor import BLOCKS, blocks_now, editor, press, texts, url

GLOW = {"type": "glowing", "attrs": {"by": 3}}


def send(browser: Client, address: str, content: bytes, name: str = "rug.png") -> Any:
    return browser.post(address, {"file": SimpleUploadedFile(name, content, "image/png")})


def test_a_picture_is_stored_once_and_gets_a_block(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    answer = send(as_owner, url(page, "page_picture"), png())
    source = answer.json()["src"]
    assert answer.status_code == 200
    assert as_owner.get(source).headers["Content-Type"] == "image/png"
    assert send(as_owner, url(page, "page_picture"), png()).json()["src"] == source

    form = press(as_owner, editor(as_owner, page), page, f"picture:k1:{source} {source}")
    assert blocks_now(page) == BLOCKS
    form.send(as_owner)

    saved = blocks_now(page)
    assert [each["type"] for each in saved[1:5]] == ["paragraph", "image", "image", "hero"]
    assert saved[2]["attrs"]["src"] == source


@pytest.mark.parametrize("content", [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"no picture", png()[:60]])
def test_a_file_that_is_no_picture_is_refused_with_its_reason(table: str, as_owner: Client, content: bytes) -> None:
    page = a_page(blocks=BLOCKS)

    answer = send(as_owner, url(page, "page_picture"), content)

    assert answer.status_code == 422
    assert answer.json()["error"]
    assert as_owner.post(url(page, "page_picture")).status_code == 422


def test_an_address_that_runs_a_script_is_no_picture(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)

    form = press(as_owner, editor(as_owner, page), page, "picture:k1:javascript:alert(1)")

    assert form.send(as_owner).status_code == 422
    assert blocks_now(page) == BLOCKS


def test_a_picture_for_a_page_of_another_business_is_not_stored(table: str, as_owner: Client) -> None:
    page = a_page(business="other", blocks=BLOCKS)

    assert send(as_owner, url(page, "page_picture"), png()).status_code == 404
    assert send(as_owner, url(page, "page_picture").replace(BUSINESS, "other"), png()).status_code == 404


def test_what_the_editor_sends_is_kept_through_the_buttons_and_saved(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[paragraph(text_node("One", GLOW)) | {"attrs": {"textAlign": "center"}}, BLOCKS[3]])
    mark = {"type": "kept", "attrs": {"n": 2, "label": "glowing"}}
    nodes = [
        {"type": "paragraph", "attrs": {"n": 0}, "content": [{"type": "text", "text": "Once", "marks": [mark]}]},
        {"type": "paragraph", "attrs": {"n": None}, "content": [{"type": "text", "text": "Two"}]},
    ]
    form = editor(as_owner, page)
    form = press(as_owner, form, page, "add:k1:paragraph", **{"k0-rich": json.dumps(nodes)})
    # Without JavaScript, the text field goes on.
    assert texts(form)[0] == "{2:Once:2}\n\nTwo"

    form.send(as_owner, values={"k0-rich": json.dumps(nodes)})

    saved = load_page(BUSINESS, page.node).blocks or []
    assert saved[0] == paragraph(text_node("Once", GLOW)) | {"attrs": {"textAlign": "center"}}
    assert saved[1] == paragraph("Two")


@pytest.mark.parametrize("sent", ["{}", "[", '[{"type":"script"}]'])
def test_a_text_that_cannot_be_read_is_named_and_nothing_is_lost(table: str, as_owner: Client, sent: str) -> None:
    page = a_page(blocks=BLOCKS)

    answer = editor(as_owner, page).send(as_owner, values={"k1-rich": sent})

    assert answer.status_code == 422
    assert "This text could not be read" in answer.content.decode()
    assert blocks_now(page) == BLOCKS

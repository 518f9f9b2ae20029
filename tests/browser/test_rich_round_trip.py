"""Every document through the rich text editor in Chromium: only what is typed is different afterwards."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from playwright.sync_api import Page

from content.blocks.edits import is_editable
from content.blocks.inline_markup import Originals
from content.blocks.nodes import HEADING, PARAGRAPH, TEXT_NODES, children_of, paragraph, text_of, type_of
from content.blocks.rich_text import from_rich, to_rich
from dashboard.table.attributes import ExactListAttribute
from tests.browser.conftest import Open
from tests.content.blocks.documents import documents, exact, readable
from tests.content.site import a_page
from tests.content.test_page_editor import url
from tests.ui.world import World

SAMPLES = Path(__file__).parent.parent / "content" / "outside_pages.jsonl"
DOCUMENTS = 2_000
# Texts for one call of the browser.
BATCH = 250
TYPED = "Ω"
# The editor of the page opens each text, and types at the end of its last paragraph.
WRITE = """async ([texts, typed]) => {
    const { loadEngine } = await import("/static/js/rich-engine.js");
    const engine = await loadEngine();
    const host = document.createElement("div");
    document.body.append(host);
    const sent = texts.map((nodes) => {
        const editor = engine.createEditor(host, nodes, null, () => {});
        const opened = JSON.stringify(editor.getJSON().content);
        let end = 0;
        editor.state.doc.descendants((node, position) => {
            if (node.isTextblock) end = position + 1 + node.content.size;
        });
        if (end) editor.view.dispatch(editor.state.tr.insertText(typed, end));
        const written = JSON.stringify(editor.getJSON().content);
        editor.destroy();
        return [opened, written];
    });
    host.remove();
    return sent;
}"""


def generated() -> list[list[Any]]:
    found: list[list[Any]] = []

    @settings(
        max_examples=DOCUMENTS,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(documents())
    def collect(document: list[Any]) -> None:
        found.append(document)

    collect()
    return found


def stored() -> list[list[Any]]:
    return [ExactListAttribute().deserialize(json.loads(line)["L"]) for line in SAMPLES.read_text().splitlines()]


def without(node: Any, typed: str) -> Any:
    """A node without what was typed, and without texts of no character, which are kept only where nothing changes."""
    if not isinstance(node, dict):
        return node
    if type_of(node) in (PARAGRAPH, HEADING):
        texts = [
            each | {"text": each["text"].replace(typed, "")}
            if type_of(each) == "text" and isinstance(each.get("text"), str)
            else each
            for each in children_of(node)
        ]
        content = [each for each in texts if type_of(each) != "text" or each.get("text") != ""]
    else:
        content = [without(each, typed) for each in children_of(node)]
    rest = {name: value for name, value in node.items() if name != "content"}
    return rest | ({"content": content} if content else {})


@pytest.mark.parametrize("source", [stored, generated])
def test_only_what_is_typed_is_different(open_as: Open, world: World, source: Any) -> None:
    browser = open_as("owner", url(a_page(blocks=[paragraph("One")])))
    found: list[tuple[Any, Any, Originals]] = []
    for document in source():
        originals = Originals(document)
        texts = (node for node in document if type_of(node) in TEXT_NODES and is_editable(node))
        found += [(node, rich, originals) for node in texts if (rich := to_rich(node, originals))]
    assert len(found) > len(stored())

    since, count = time.perf_counter(), 0
    for start in range(0, len(found), BATCH):
        batch = found[start : start + BATCH]
        for (node, _rich, originals), (opened, written) in zip(batch, write(browser, batch), strict=True):
            assert exact(from_rich(opened, originals)) == exact([node]), readable(node)
            (saved,) = from_rich(written, originals)
            assert exact(without(saved, TYPED)) == exact(without(node, TYPED)), readable(node)
            count += TYPED in text_of(saved)
    print(f"{len(found)} texts in {time.perf_counter() - since:.0f} s")
    assert count > len(found) / 2


def write(browser: Page, batch: list[tuple[Any, Any, Originals]]) -> list[tuple[str, str]]:
    sent: list[tuple[str, str]] = browser.evaluate(WRITE, [[[rich] for _node, rich, _originals in batch], TYPED])
    return sent

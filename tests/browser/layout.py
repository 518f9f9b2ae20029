"""What is cut off or broken on a page: tables, fields and e-mail addresses."""

from __future__ import annotations

from playwright.sync_api import Page

FIND = """() => {
    const found = [];
    const measure = (field) => {
        const input = field.querySelector("input, select");
        return { name: input.name, right: input.getBoundingClientRect().right };
    };
    const meet = (start, end, otherStart, otherEnd) => start < otherEnd - 1 && otherStart < end - 1;
    const overlap = (one, other) =>
        meet(one.left, one.right, other.left, other.right) && meet(one.top, one.bottom, other.top, other.bottom);
    const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const node = texts.currentNode;
        for (const match of node.data.matchAll(/(?<![\\w.+-])[\\w.+-]{1,24}@[\\w-]+(\\.[\\w-]+)+/g)) {
            // A longer address may be wider than a phone.
            if (match[0].length > 32) continue;
            const range = document.createRange();
            range.setStart(node, match.index);
            range.setEnd(node, match.index + match[0].length);
            const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
            if (new Set(boxes.map((box) => Math.round(box.top))).size > 1) found.push(`${match[0]} is broken`);
        }
    }
    for (const table of document.querySelectorAll("table")) {
        if (table.getBoundingClientRect().right > innerWidth + 1) found.push(`a table .${table.className} is cut off`);
    }
    for (const form of document.querySelectorAll(".trail-filters")) {
        const end = form.getBoundingClientRect().right + 1;
        const fields = [...form.querySelectorAll(".field")].filter((each) => each.checkVisibility());
        for (const [at, field] of fields.entries()) {
            const box = field.getBoundingClientRect();
            const { name, right } = measure(field);
            if (right > box.right + 1 || box.right > end) found.push(`the field ${name} is too wide`);
            for (const other of fields.slice(at + 1)) {
                if (overlap(box, other.getBoundingClientRect())) found.push(`the field ${name} covers another one`);
            }
        }
    }
    return found;
}"""


def layout_problems(page: Page, width: int) -> list[str]:
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_timeout(100)
    return [f"{page.url} at {width}: {each}" for each in page.evaluate(FIND)]

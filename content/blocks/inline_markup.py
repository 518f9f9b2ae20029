"""Formatted text of a paragraph as one line of markup, and back.

`**bold**`, `__italic__`, `++underline++`, `~~strike~~`, ``` ``code`` ```, `[text](address)`. A new line is a line
break. A backslash makes the next character plain text. What the markup cannot express keeps its place as a number in
braces, which stands for the original value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from content.blocks.fingerprints import fingerprint, is_same
from content.blocks.nodes import LINE_BREAK, LINK, TEXT, Node, attrs_of, children_of, marks_of, text_node, type_of, walk
from content.blocks.text_runs import BREAK_KEYS, TEXT_KEYS

DELIMITERS = {"bold": "**", "italic": "__", "underline": "++", "strike": "~~", "code": "``"}
_MARK_OF = {delimiter: {"type": name} for name, delimiter in DELIMITERS.items()}


class Originals:
    """The nodes and marks that markup refers to: numbers for unknown ones, and the attributes of links."""

    def __init__(self, nodes: list[Any]) -> None:
        self._values: list[Any] = []
        self._numbers: dict[str, int] = {}
        self._links: dict[str, Any] = {}
        for node in walk(nodes):
            self.number_of(node)
            for mark in marks_of(node):
                self.number_of(mark)
                href = attrs_of(mark).get("href")
                if type_of(mark) == LINK and isinstance(href, str):
                    self._links.setdefault(href, mark)

    def number_of(self, value: Any) -> int:
        number = self._numbers.setdefault(fingerprint(value), len(self._values))
        if number == len(self._values):
            self._values.append(value)
        return number

    def value_at(self, number: int) -> Any:
        """The value with this number; None if there is none."""
        return self._values[number] if self.has(number) else None

    def has(self, number: int) -> bool:
        return 0 <= number < len(self._values)

    def link_to(self, href: str) -> Any:
        """The mark of the first link to an address, with its attributes; a new mark for a new address."""
        return self._links.get(href) or {"type": LINK, "attrs": {"href": href}}


def to_inline(nodes: list[Any], originals: Originals) -> str:
    """The markup of the content of a paragraph."""
    parts: list[str] = []
    open_marks: list[Any] = []
    for node in nodes:
        content, marks = _content(node, originals)
        shared = 0
        while shared < min(len(open_marks), len(marks)) and is_same(open_marks[shared], marks[shared]):
            shared += 1
        parts += [_end_of(mark, originals) for mark in reversed(open_marks[shared:])]
        parts += [_start_of(mark, originals) for mark in marks[shared:]]
        open_marks = marks
        parts.append(content)
    parts += [_end_of(mark, originals) for mark in reversed(open_marks)]
    return _mark_breaks(parts)


def _content(node: Any, originals: Originals) -> tuple[str, list[Any]]:
    """The markup of one node without its marks, and its marks."""
    is_known = isinstance(node, dict) and all(type_of(mark) for mark in marks_of(node))
    if is_known and type_of(node) == TEXT and set(node) <= TEXT_KEYS and isinstance(node.get("text"), str):
        return _escape(node["text"], in_link=any(type_of(mark) == LINK for mark in marks_of(node))), marks_of(node)
    if is_known and type_of(node) == LINE_BREAK and set(node) <= BREAK_KEYS:
        return "\n", marks_of(node)
    return f"{{{originals.number_of(node)}}}", []


def _is_simple(mark: Any) -> bool:
    return set(mark) == {"type"} and mark["type"] in DELIMITERS


def _is_link(mark: Any, originals: Originals) -> bool:
    href = attrs_of(mark).get("href")
    is_line = isinstance(href, str) and bool(href) and href.isprintable() and href == href.strip()
    return type_of(mark) == LINK and is_line and is_same(originals.link_to(str(href)), mark)


def _start_of(mark: Any, originals: Originals) -> str:
    if _is_simple(mark):
        return DELIMITERS[mark["type"]]
    return "[" if _is_link(mark, originals) else f"{{{originals.number_of(mark)}:"


def _end_of(mark: Any, originals: Originals) -> str:
    if _is_simple(mark):
        return DELIMITERS[mark["type"]]
    if _is_link(mark, originals):
        address = re.sub(r"([()\\])", r"\\\1", mark["attrs"]["href"])
        return f"]({address})"
    return f":{originals.number_of(mark)}}}"


# A delimiter, a part of one at the edge of a text, and what looks like a number in braces.
_SPECIAL = re.compile(
    r"\\|([*_+~`])(?=\1)|(?<=([*_+~`]))\2|^[*_+~`]|[*_+~`]$|\](?=\()|\{(?=[0-9#~-])|:(?=[0-9]+\})|:$|^\(|\]$|\{$"
)
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]")


def _escape(text: str, *, in_link: bool) -> str:
    text = _SPECIAL.sub(lambda found: "\\" + found[0], text)
    text = text.replace("[", "\\[") if in_link else text
    return _CONTROL.sub(lambda found: f"{{~{ord(found[0]):X}}}", text)


def _mark_breaks(parts: list[str]) -> str:
    """Join parts. A line break next to another one or at an edge gets a backslash, because blank lines separate."""
    text = "".join(parts)
    text = re.sub(r"(^|\n)(?=\n)", lambda found: found[0] + "\\", text)
    return re.sub(r"(?<!\\)\n\Z", "\\\\\n", text)


_TOKEN = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|(?P<line_break>\\?\n)|(?P<delimiter>\*\*|__|\+\+|~~|``)|(?P<link>\[)"
    r"|\]\((?P<href>(?:\\[()\\]|[^()\\\n])+)\)|\{(?P<start>[0-9]{1,5}):|:(?P<end>[0-9]{1,5})\}"
    r"|\{(?P<node>[0-9]{1,5})\}|\{~(?P<code>[0-9A-F]{1,4})\}"
)


@dataclass
class _Frame:
    """An opened mark and what follows it."""

    start: str
    mark: Any
    nodes: list[Any] = field(default_factory=list)


class _Parser:
    """Reads markup from left to right. A mark that is never closed is plain text."""

    def __init__(self, originals: Originals) -> None:
        self.originals = originals
        self.frames = [_Frame("", None)]

    def parse(self, markup: str) -> list[Any]:
        end = 0
        for found in _TOKEN.finditer(markup):
            self.add_text(markup[end : found.start()])
            self.add_token(found)
            end = found.end()
        self.add_text(markup[end:])
        while len(self.frames) > 1:
            self.give_up()
        return self.frames[0].nodes

    def add_token(self, found: re.Match[str]) -> None:
        kind, value = str(found.lastgroup), found[str(found.lastgroup)]
        if kind == "escaped":
            self.add_text(value)
        elif kind == "code":
            character = chr(int(value, 16))
            self.add_text(character if _CONTROL.fullmatch(character) else found[0])
        elif kind == "line_break":
            self.top.append({"type": LINE_BREAK})
        elif kind == "delimiter":
            if not self.close(value, found[0]):
                self.frames.append(_Frame(value, _MARK_OF[value]))
        elif kind == "link":
            self.frames.append(_Frame(value, None))
        elif kind == "href":
            mark = self.originals.link_to(re.sub(r"\\(.)", r"\1", value).strip())
            if not self.close("[", found[0], mark):
                self.add_text(found[0])
        elif kind == "end":
            if not self.close(f"{{{value}:", found[0]):
                self.add_text(found[0])
        else:
            self.add_original(kind, found[0], self.originals.value_at(int(value)))

    def add_original(self, kind: str, token: str, original: Any) -> None:
        if original is None:
            self.add_text(token)
        elif kind == "start":
            self.frames.append(_Frame(token, original))
        else:
            self.top.append(original)

    @property
    def top(self) -> list[Any]:
        return self.frames[-1].nodes

    def add_text(self, text: str) -> None:
        if text:
            _append(self.top, text_node(text))

    def close(self, start: str, token: str, mark: Any = None) -> bool:
        """Close the nearest frame that began with `start`, and everything in it. Return whether there was one."""
        if not any(frame.start == start for frame in self.frames[1:]):
            return False
        while self.frames[-1].start != start:
            self.give_up()
        frame = self.frames.pop()
        if not frame.nodes:
            self.add_text(start + token)
        for node in frame.nodes:
            _append(self.top, _with_mark(node, mark or frame.mark))
        return True

    def give_up(self) -> None:
        frame = self.frames.pop()
        self.add_text(frame.start)
        for node in frame.nodes:
            _append(self.top, node)


def _with_mark(node: Any, mark: Any) -> Any:
    """The node with a mark outside its other marks. An unknown node stays as it is."""
    if type_of(node) not in (TEXT, LINE_BREAK) or not set(node) <= TEXT_KEYS:
        return node
    rest = {name: value for name, value in node.items() if name not in ("type", "marks")}
    return {"type": node["type"], "marks": [mark, *marks_of(node)], **rest}


def _append(nodes: list[Any], node: Any) -> None:
    """Append a node; a text joins a text before it that has the same marks."""
    last = nodes[-1] if nodes else None
    if last is not None and _is_plain(last) and _is_plain(node) and is_same(marks_of(last), marks_of(node)):
        nodes[-1] = last | {"text": last["text"] + node["text"]}
    else:
        nodes.append(node)


def _is_plain(node: Any) -> bool:
    return type_of(node) == TEXT and set(node) <= TEXT_KEYS and isinstance(node.get("text"), str)


def from_inline(markup: str, originals: Originals) -> list[Any]:
    """The content of a paragraph."""
    return _Parser(originals).parse(markup)


def inline_of(node: Node, originals: Originals) -> str:
    return to_inline(children_of(node), originals)

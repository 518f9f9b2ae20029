"""What makes a page hard to use: missing descriptions, skipped headings, links that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from content.blocks.addresses import internal_path, is_safe_address
from content.blocks.fields import BlockField, BlockItems, BlockLink, BlockPicture
from content.blocks.labels import label_of, title_of
from content.blocks.nodes import (
    HEADING,
    LINK,
    TEXT,
    Document,
    attrs_of,
    heading_level,
    marks_of,
    text_of,
    type_of,
    walk,
)
from content.blocks.plugins import PLUGINS

# The blocks whose headline is the title of the page, and those whose headline is a heading of level 2.
_TITLES = ("hero", "videoHero")
# The text of a button or link, by the name of the field with its address.
_TEXT_OF_LINK = {"ctaLink": "ctaText", "buttonLink": "buttonText", "link": "linkText"}
# Words that do not say where a link leads.
_VAGUE = {"here", "click here", "more", "read more", "aquí", "haz clic aquí", "más", "leer más", "ver más"}

NO_ALT = _("The picture has no description for people who cannot see it.")
NO_TITLE = _("The page has no heading of level 1.")
SEVERAL_TITLES = _("The page has more than one heading of level 1.")
SKIPPED_LEVEL = _("The heading skips a level: search engines and screen readers lose the order.")
EMPTY_HEADING = _("The heading is empty.")
NO_ADDRESS = _("The button or link leads nowhere.")
NO_TEXT = _("The link has no text.")
VAGUE_TEXT = _("The text of the link does not say where it leads.")
UNSAFE = _("The link has an address that browsers should not open.")
DEAD = _("No published page has this address.")


@dataclass(frozen=True)
class PageFinding:
    """One problem and its block, numbered from 1; number 0 is the whole page."""

    number: int
    block: str | Promise
    text: Promise
    # The address or the text that it is about.
    detail: str = ""


@dataclass(frozen=True)
class KnownAddresses:
    """The addresses of a site: those of its pages, and the prefixes of addresses that are not pages."""

    slugs: Set[str]
    prefixes: tuple[str, ...] = ()

    def __contains__(self, path: str) -> bool:
        return path in self.slugs or any(path == each or path.startswith(f"{each}/") for each in self.prefixes)


def check_document(document: Document | None, known: KnownAddresses | None = None) -> list[PageFinding]:
    """All findings in the order of the page. Without known addresses, links to other pages are not checked."""
    nodes = document or []
    findings = [*_heading_findings(nodes)]
    for number, node in enumerate(nodes, start=1):
        findings += [PageFinding(number, name_of(node), text, detail) for text, detail in _block_findings(node, known)]
    return sorted(findings, key=lambda each: each.number)


def name_of(node: Any) -> str:
    """The kind of a block and its title."""
    title = title_of(node)
    return f"{label_of(node)}: {title}" if title else str(label_of(node))


def _headings(nodes: Document) -> Iterator[tuple[int, int, str]]:
    """The number of the block, the level and the text of each heading."""
    for number, node in enumerate(nodes, start=1):
        kind, headline = type_of(node), attrs_of(node).get("headline")
        if kind in PLUGINS:
            if isinstance(headline, str) and headline.strip():
                yield number, 1 if kind in _TITLES else 2, headline
            continue
        for each in walk([node]):
            if type_of(each) == HEADING:
                yield number, heading_level(each), text_of(each)


def _heading_findings(nodes: Document) -> Iterator[PageFinding]:
    found = list(_headings(nodes))
    titles = [number for number, level, _text in found if level == 1]
    if nodes and not titles:
        yield PageFinding(0, "", NO_TITLE)
    for number in titles[1:]:
        yield PageFinding(number, name_of(nodes[number - 1]), SEVERAL_TITLES)
    previous = 0
    for number, level, text in found:
        if not text.strip():
            yield PageFinding(number, name_of(nodes[number - 1]), EMPTY_HEADING)
        elif previous and level > previous + 1:
            yield PageFinding(number, name_of(nodes[number - 1]), SKIPPED_LEVEL, text)
        previous = level


def _block_findings(node: Any, known: KnownAddresses | None) -> Iterator[tuple[Promise, str]]:
    kind, attrs = type_of(node), attrs_of(node)
    if kind in PLUGINS:
        if kind == "image" and _is_empty(attrs.get("alt")) and not _is_empty(attrs.get("src")):
            yield NO_ALT, str(attrs.get("src"))
        yield from _field_findings(attrs, PLUGINS[kind].fields, known)
        return
    for href, text in _links(node):
        if not text.strip():
            yield NO_TEXT, href
        elif " ".join(text.lower().split()).rstrip(".…") in _VAGUE:
            yield VAGUE_TEXT, text
        yield from _address_findings(href, known)


def _links(node: Any) -> Iterator[tuple[str, str]]:
    """The address and the text of each link. A link can go over several nodes with other marks."""
    last: list[Any] | None = None
    texts: list[tuple[Any, list[str]]] = []
    for each in walk([node]):
        link = next((mark for mark in marks_of(each) if type_of(mark) == LINK), None)
        if type_of(each) != TEXT or link is None:
            last = None
            continue
        if last is None or last[0] != link:
            texts.append((link, []))
            last = [link]
        texts[-1][1].append(str(each.get("text") or ""))
    for link, parts in texts:
        yield str(attrs_of(link).get("href") or ""), "".join(parts)


def _field_findings(
    values: dict[str, Any], fields: Iterable[BlockField], known: KnownAddresses | None
) -> Iterator[tuple[Promise, str]]:
    for each in fields:
        value = values.get(each.name)
        if isinstance(each, BlockItems):
            for item in value if isinstance(value, list) else []:
                if isinstance(item, dict):
                    yield from _field_findings(item, each.fields, known)
        elif isinstance(each, BlockPicture):
            if isinstance(value, str) and not is_safe_address(value):
                yield UNSAFE, value
        elif isinstance(each, BlockLink):
            text = values.get(_TEXT_OF_LINK.get(each.name, ""))
            if not _is_empty(text):
                yield from _address_findings(str(value or ""), known)
            elif not _is_empty(value) and value != "#":
                yield NO_TEXT, str(value)


def _address_findings(address: str, known: KnownAddresses | None) -> Iterator[tuple[Promise, str]]:
    path = internal_path(address)
    if _is_empty(address) or address.strip() == "#":
        yield NO_ADDRESS, ""
    elif not is_safe_address(address):
        yield UNSAFE, address
    elif path and known is not None and path not in known:
        yield DEAD, address


def _is_empty(value: Any) -> bool:
    return not isinstance(value, str) or not value.strip()

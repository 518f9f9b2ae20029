"""Pages as a browser without scripts reads them: elements, forms and what each button would send."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from django.http import HttpResponseBase
from django.test import Client

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
LINKS = {"src", "href", "action", "formaction", "hx-get", "hx-post", "data-ask-zone"}
CONTROLS = {"input", "select", "textarea", "button"}
# Closed by the next one of their kind.
LOOSE = {"li", "dt", "dd", "p", "option", "tr", "td", "th"}


@dataclass(repr=False, eq=False, slots=True)
class Element:
    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    parent: Element | None = None
    content: list[Element | str] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<{self.tag} {self.attrs}>"

    def walk(self) -> Iterator[Element]:
        """This one and all below, in the order of the text; without recursion, which took longer than the rest."""
        ahead = [self]
        while ahead:
            each = ahead.pop()
            yield each
            ahead += [child for child in reversed(each.content) if isinstance(child, Element)]

    def all(self, *tags: str, **attrs: str) -> list[Element]:
        """Elements below with one of these tags and all of these attributes (`data_row` is `data-row`)."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attrs.items()}
        return [
            each
            for each in self.walk()
            if (not tags or each.tag in tags) and all(each.attrs.get(name) == value for name, value in wanted.items())
        ]

    def one(self, *tags: str, **attrs: str) -> Element:
        found = self.all(*tags, **attrs)
        assert len(found) == 1, f"{len(found)} elements are {tags} {attrs}"
        return found[0]

    def by_class(self, name: str) -> list[Element]:
        return [each for each in self.walk() if name in each.attrs.get("class", "").split()]

    @property
    def text(self) -> str:
        """What a reader sees, with single spaces."""
        return " ".join("".join(self._texts()).split())

    @property
    def raw_text(self) -> str:
        return "".join(self._texts())

    def _texts(self) -> Iterator[str]:
        for each in self.content:
            if isinstance(each, str):
                yield each
            else:
                yield from each._texts()

    def inside(self, *tags: str) -> bool:
        parent = self.parent
        while parent is not None:
            if parent.tag in tags:
                return True
            parent = parent.parent
        return False


# A tag with its attributes, or what is none: a comment, a declaration. What people wrote is escaped, so `<` is ours.
TAG = re.compile(r"""<(?:!--.*?-->|![^>]*>|(/?)([a-zA-Z][^\s/>]*)((?:[^>"']++|"[^"]*"|'[^']*')*)>)""", re.DOTALL)
ATTRIBUTE = re.compile(r"""([^\s=>/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?""")
# Their content is text, whatever it holds.
TEXT_ONLY = {"script", "style"}


class _Reader:
    """Reads what our templates write. Python's own parser, which reads anything, takes five times as long."""

    def __init__(self) -> None:
        self.root = self.here = Element("#document")

    def feed(self, text: str) -> None:
        end = 0
        for found in TAG.finditer(text):
            closes, tag, attrs = found[1], (found[2] or "").lower(), found[3]
            if self.here.tag in TEXT_ONLY and not (closes and tag == self.here.tag):
                continue
            self._add_text(text[end : found.start()])
            end = found.end()
            if closes:
                self._close(tag)
            elif tag:
                self._open(tag, attrs)
        self._add_text(text[end:])

    def _open(self, tag: str, attrs: str) -> None:
        named = {name.lower(): unescape(a or b or c) for name, a, b, c in ATTRIBUTE.findall(attrs)} if attrs else {}
        made = Element(tag, named, self.here)
        self.here.content.append(made)
        if tag not in VOID and not attrs.endswith("/"):
            self.here = made

    def _close(self, tag: str) -> None:
        at: Element | None = self.here
        while at is not None and at.tag != tag:
            at = at.parent
        assert at is not None and at.parent is not None, f"</{tag}> closes nothing"
        between = self.here
        while between is not at:
            assert between.tag in LOOSE, f"<{between.tag} {between.attrs}> is not closed before </{tag}>"
            assert between.parent is not None
            between = between.parent
        self.here = at.parent

    def _add_text(self, text: str) -> None:
        if text:
            self.here.content.append(text if self.here.tag in TEXT_ONLY else unescape(text))


def parse(response: HttpResponseBase | str) -> Element:
    """The elements of an answer; an element that is never closed is an error in the template."""
    text = response if isinstance(response, str) else response.content.decode()  # type: ignore[attr-defined]
    return _read(text)


@functools.lru_cache(maxsize=32)
def _read(text: str) -> Element:
    """Nobody changes what was read, and many a test reads an answer several times."""
    reader = _Reader()
    reader.feed(text)
    assert reader.here is reader.root, f"<{reader.here.tag} {reader.here.attrs}> is never closed"
    return reader.root


@dataclass(frozen=True)
class Form:
    """A form with its fields as they stand, and the buttons that send it."""

    element: Element
    fields: list[tuple[str, str]]
    buttons: list[Element]

    @property
    def method(self) -> str:
        return self.element.attrs.get("method", "").lower()

    @property
    def action(self) -> str:
        return self.element.attrs.get("action", "")

    def data(self, button: Element | None = None, **values: Any) -> dict[str, Any]:
        """What is sent by pressing a button, the first one unless named, after typing."""
        pressed = button or (self.buttons[0] if self.buttons else None)
        sent: dict[str, Any] = {}
        for name, value in self.fields:
            sent[name] = [*sent[name], value] if isinstance(sent.get(name), list) else value
        if pressed is not None and pressed.attrs.get("name"):
            sent[pressed.attrs["name"]] = pressed.attrs.get("value", "")
        return sent | values

    def target(self, button: Element | None = None) -> str:
        pressed = button or (self.buttons[0] if self.buttons else None)
        return (pressed.attrs.get("formaction") if pressed else None) or self.action

    def send(
        self, client: Client, button: Element | None = None, values: dict[str, Any] | None = None, **options: Any
    ) -> Any:
        send: Callable[..., Any] = client.post if self.method == "post" else client.get
        return send(self.target(button), self.data(button, **(values or {})), **options)


def forms(page: Element | HttpResponseBase) -> list[Form]:
    """Every form of a page that talks to the server."""
    root = page if isinstance(page, Element) else parse(page)
    controls = [each for each in root.walk() if each.tag in CONTROLS]
    return [_form(controls, each) for each in root.all("form") if each.attrs.get("method") != "dialog"]


def form_to(page: Element | HttpResponseBase, action: str, **fields: str) -> Form:
    """The form that posts there; `fields` tell which where several do."""
    root = page if isinstance(page, Element) else parse(page)
    found = [form for form in forms(root) if form.action == action or action in map(form.target, form.buttons)]
    found = [form for form in found if fields.items() <= dict(form.fields).items()]
    assert len(found) == 1, f"{len(found)} forms to {action} among {[form.action for form in forms(root)]}"
    return found[0]


def undo_form(page: Element | HttpResponseBase) -> Form:
    """The form in the toast."""
    root = page if isinstance(page, Element) else parse(page)
    made = [form for toast in root.by_class("toast") for form in forms(toast)]
    assert len(made) == 1, f"{len(made)} toasts with Undo"
    return made[0]


def toasts(page: Element | HttpResponseBase) -> list[str]:
    root = page if isinstance(page, Element) else parse(page)
    return [toast.one("p").text for toast in root.by_class("toast") if "data-toast" in toast.attrs]


def _form(controls: list[Element], form: Element) -> Form:
    own = form.attrs.get("id")
    mine = [each for each in controls if _belongs(each, form, own)]
    fields: list[tuple[str, str]] = []
    for each in mine:
        name = each.attrs.get("name")
        if name and "disabled" not in each.attrs:
            fields += [(name, value) for value in _values(each)]
    sends = [each for each in mine if each.tag == "button" and each.attrs.get("type", "submit") == "submit"]
    buttons = [each for each in sends if "disabled" not in each.attrs]
    return Form(form, fields, buttons)


def _belongs(each: Element, form: Element, own: str | None) -> bool:
    if "form" in each.attrs:
        return each.attrs["form"] == own
    parent = each.parent
    while parent is not None and parent.tag != "form":
        parent = parent.parent
    return parent is form


def _values(each: Element) -> list[str]:
    if each.tag == "button":
        return []
    if each.tag == "textarea":
        return [each.raw_text.removeprefix("\n")]
    if each.tag == "select":
        options = each.all("option")
        chosen = [option for option in options if "selected" in option.attrs] or options[:1]
        return [option.attrs.get("value", option.text) for option in chosen]
    kind = each.attrs.get("type", "text")
    if kind in {"checkbox", "radio"}:
        return [each.attrs.get("value", "on")] if "checked" in each.attrs else []
    return [] if kind in {"submit", "button", "file", "image", "reset"} else [each.attrs.get("value", "")]


def inline(page: Element) -> list[str]:
    """Whatever of a page the policy would block, or should."""
    found = []
    for each in page.walk():
        if each.tag == "style" or "style" in each.attrs:
            found.append(f"style: {each}")
        if each.tag == "script" and ("src" not in each.attrs or each.raw_text.strip()):
            found.append(f"script: {each}")
        for name, value in each.attrs.items():
            if name.startswith(("on", "hx-on", "hx-vals", "hx-vars")):
                found.append(f"{name}: {each}")
            # The one address that leaves the site: an authenticator app on the same phone.
            leaves = re.match(r"\s*(javascript|vbscript|data|(?!otpauth://totp/)\w+:?//|//)", value, re.IGNORECASE)
            if name in LINKS and leaves and not (_is_picture(each) or _is_film(each)):
                found.append(f"{name}: {each}")
        if each.tag in {"object", "embed", "base"} or (each.tag == "iframe" and not (_is_shut(each) or _is_film(each))):
            found.append(str(each))
    return found


def _is_picture(each: Element) -> bool:
    """What people put into their posts lives elsewhere; that place is not told who looks at it."""
    there = each.attrs.get("src", "").startswith("https://")
    return each.tag == "img" and there and each.attrs.get("referrerpolicy") == "no-referrer"


def _is_film(each: Element) -> bool:
    """What a room shows lives on Vimeo: its player, which can lead the page nowhere, and a link in a tab of its own."""
    if each.tag == "iframe":
        there = each.attrs.get("src", "").startswith(("https://player.vimeo.com/video/", "https://vimeo.com/event/"))
        may = each.attrs.get("sandbox", "allow-top-navigation")
        return there and "navigation" not in may and "modals" not in may
    there = each.attrs.get("href", "").startswith("https://vimeo.com/")
    return each.tag == "a" and there and each.attrs.get("rel") == "noopener noreferrer"


def _is_shut(frame: Element) -> bool:
    """A frame of our own in which nothing can run."""
    own = frame.attrs.get("src", "").startswith(("/b/", "/share/"))
    return own and frame.attrs.get("sandbox") == "allow-same-origin"

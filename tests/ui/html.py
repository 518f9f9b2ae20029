"""Parses pages like a browser without scripts: elements, forms, and the data that each button sends."""

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
# The closing tag of these may be missing.
OPTIONAL_END_TAG = {"li", "dt", "dd", "p", "option", "tr", "td", "th"}


@dataclass(repr=False, eq=False, slots=True)
class Element:
    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    parent: Element | None = None
    content: list[Element | str] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<{self.tag} {self.attrs}>"

    def walk(self) -> Iterator[Element]:
        """This element and its descendants, in document order. A loop, because recursion was much slower."""
        pending = [self]
        while pending:
            each = pending.pop()
            yield each
            pending += [child for child in reversed(each.content) if isinstance(child, Element)]

    def all(self, *tags: str, **attrs: str) -> list[Element]:
        """The elements from here down with one of these tags and all these attributes (`data_row` is `data-row`)."""
        expected = {name.rstrip("_").replace("_", "-"): value for name, value in attrs.items()}
        return [
            each
            for each in self.walk()
            if (not tags or each.tag in tags) and all(each.attrs.get(name) == value for name, value in expected.items())
        ]

    def one(self, *tags: str, **attrs: str) -> Element:
        found = self.all(*tags, **attrs)
        assert len(found) == 1, f"{len(found)} elements are {tags} {attrs}"
        return found[0]

    def by_class(self, name: str) -> list[Element]:
        return [each for each in self.walk() if name in each.attrs.get("class", "").split()]

    @property
    def text(self) -> str:
        """The visible text, with single spaces."""
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


# A tag with its attributes, a comment or a declaration. User input is escaped, so each `<` is from a template.
TAG = re.compile(r"""<(?:!--.*?-->|![^>]*>|(/?)([a-zA-Z][^\s/>]*)((?:[^>"']++|"[^"]*"|'[^']*')*)>)""", re.DOTALL)
ATTRIBUTE = re.compile(r"""([^\s=>/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?""")
# The content of these elements is plain text.
TEXT_ONLY = {"script", "style"}


class _Parser:
    """Parses the HTML of our templates. Python's own parser accepts any HTML, but takes five times as long."""

    def __init__(self) -> None:
        self.root = self.current = Element("#document")

    def feed(self, text: str) -> None:
        end = 0
        for found in TAG.finditer(text):
            closes, tag, attrs = found[1], (found[2] or "").lower(), found[3]
            if self.current.tag in TEXT_ONLY and not (closes and tag == self.current.tag):
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
        element = Element(tag, named, self.current)
        self.current.content.append(element)
        if tag not in VOID and not attrs.endswith("/"):
            self.current = element

    def _close(self, tag: str) -> None:
        at: Element | None = self.current
        while at is not None and at.tag != tag:
            at = at.parent
        assert at is not None and at.parent is not None, f"</{tag}> has no opening tag"
        between = self.current
        while between is not at:
            assert between.tag in OPTIONAL_END_TAG, f"<{between.tag} {between.attrs}> is not closed before </{tag}>"
            assert between.parent is not None
            between = between.parent
        self.current = at.parent

    def _add_text(self, text: str) -> None:
        if text:
            self.current.content.append(text if self.current.tag in TEXT_ONLY else unescape(text))


def parse(response: HttpResponseBase | str) -> Element:
    """The elements of a response. An element that is never closed is an error in the template."""
    text = response if isinstance(response, str) else response.content.decode()  # type: ignore[attr-defined]
    return _read(text)


@functools.lru_cache(maxsize=32)
def _read(text: str) -> Element:
    """Cached, because many tests parse a response several times. No test changes the elements."""
    parser = _Parser()
    parser.feed(text)
    assert parser.current is parser.root, f"<{parser.current.tag} {parser.current.attrs}> is never closed"
    return parser.root


@dataclass(frozen=True)
class Form:
    """A form with its current field values and its submit buttons."""

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
        """The data that a button sends (by default the first one), with these values typed in."""
        submitter = button or (self.buttons[0] if self.buttons else None)
        sent: dict[str, Any] = {}
        for name, value in self.fields:
            before = sent.get(name, [])
            # A name that occurs several times is sent several times.
            sent[name] = [*(before if isinstance(before, list) else [before]), value] if name in sent else value
        if submitter is not None and submitter.attrs.get("name"):
            sent[submitter.attrs["name"]] = submitter.attrs.get("value", "")
        return sent | values

    def target(self, button: Element | None = None) -> str:
        submitter = button or (self.buttons[0] if self.buttons else None)
        return (submitter.attrs.get("formaction") if submitter else None) or self.action

    def send(
        self, client: Client, button: Element | None = None, values: dict[str, Any] | None = None, **options: Any
    ) -> Any:
        send: Callable[..., Any] = client.post if self.method == "post" else client.get
        return send(self.target(button), self.data(button, **(values or {})), **options)


def forms(page: Element | HttpResponseBase) -> list[Form]:
    """Every form of a page that is sent to the server."""
    root = page if isinstance(page, Element) else parse(page)
    controls = [each for each in root.walk() if each.tag in CONTROLS]
    return [_form(controls, each) for each in root.all("form") if each.attrs.get("method") != "dialog"]


def form_to(page: Element | HttpResponseBase, action: str, **fields: str) -> Form:
    """The form with this target. If there are several, `fields` are values that identify it."""
    root = page if isinstance(page, Element) else parse(page)
    found = [form for form in forms(root) if form.action == action or action in map(form.target, form.buttons)]
    found = [form for form in found if fields.items() <= dict(form.fields).items()]
    assert len(found) == 1, f"{len(found)} forms to {action} among {[form.action for form in forms(root)]}"
    return found[0]


def undo_form(page: Element | HttpResponseBase) -> Form:
    """The Undo form in the toast."""
    root = page if isinstance(page, Element) else parse(page)
    found = [form for toast in root.by_class("toast") for form in forms(toast)]
    assert len(found) == 1, f"{len(found)} toasts with Undo"
    return found[0]


def toasts(page: Element | HttpResponseBase) -> list[str]:
    root = page if isinstance(page, Element) else parse(page)
    return [toast.one("p").text for toast in root.by_class("toast") if "data-toast" in toast.attrs]


def _form(controls: list[Element], form: Element) -> Form:
    form_id = form.attrs.get("id")
    own_controls = [each for each in controls if _belongs(each, form, form_id)]
    fields: list[tuple[str, str]] = []
    for each in own_controls:
        name = each.attrs.get("name")
        if name and "disabled" not in each.attrs:
            fields += [(name, value) for value in _values(each)]
    submits = [each for each in own_controls if each.tag == "button" and each.attrs.get("type", "submit") == "submit"]
    buttons = [each for each in submits if "disabled" not in each.attrs]
    return Form(form, fields, buttons)


def _belongs(each: Element, form: Element, form_id: str | None) -> bool:
    if "form" in each.attrs:
        return each.attrs["form"] == form_id
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
    """Inline scripts and styles, handlers, and addresses outside the site: what the CSP must block."""
    found = []
    for each in page.walk():
        if each.tag == "style" or "style" in each.attrs:
            found.append(f"style: {each}")
        if each.tag == "script" and ("src" not in each.attrs or each.raw_text.strip()):
            found.append(f"script: {each}")
        for name, value in each.attrs.items():
            if name.startswith(("on", "hx-on", "hx-vals", "hx-vars")):
                found.append(f"{name}: {each}")
            # The only address outside the site: it opens an authenticator app on the same phone.
            is_outside = re.match(r"\s*(javascript|vbscript|data|(?!otpauth://totp/)\w+:?//|//)", value, re.IGNORECASE)
            if name in LINKS and is_outside and not _is_video(each) and not _is_outside_page(each):
                found.append(f"{name}: {each}")
        if each.tag in {"object", "embed", "base"} or (
            each.tag == "iframe" and not (_is_sandboxed(each) or _is_video(each) or _is_widget_preview(each))
        ):
            found.append(str(each))
    return found


def _is_video(each: Element) -> bool:
    """A room's video: Vimeo's player, which must not navigate the page, or a link to Vimeo without a referrer."""
    if each.tag == "iframe":
        is_vimeo = each.attrs.get("src", "").startswith(("https://player.vimeo.com/video/", "https://vimeo.com/event/"))
        allowed = each.attrs.get("sandbox", "allow-top-navigation")
        return is_vimeo and "navigation" not in allowed and "modals" not in allowed
    is_vimeo = each.attrs.get("href", "").startswith("https://vimeo.com/")
    return each.tag == "a" and is_vimeo and each.attrs.get("rel") == "noopener noreferrer"


def _is_outside_page(each: Element) -> bool:
    """A web page that an outside writer named, in a new tab: it gets no referrer and cannot reach our page."""
    is_web = (
        each.attrs.get("href", "").startswith(("https://", "http://")) and not {"src", "action"} & each.attrs.keys()
    )
    rel = "noopener noreferrer nofollow ugc"
    return each.tag == "a" and is_web and each.attrs.get("rel") == rel and each.attrs.get("target") == "_blank"


def _is_widget_preview(frame: Element) -> bool:
    """An empty page of ours with the script of the widget. In a sandbox, it could not show the frames of the widget."""
    return re.fullmatch(r"/b/[^/]+/bookings/widget/[^/]+/", frame.attrs.get("src", "")) is not None


def _is_sandboxed(frame: Element) -> bool:
    """A frame with one of our pages, in which no script can run, or one with HTML that may do nothing."""
    if "srcdoc" in frame.attrs:
        return "src" not in frame.attrs and frame.attrs.get("sandbox") == ""
    is_own_page = frame.attrs.get("src", "").startswith(("/b/", "/share/"))
    return is_own_page and frame.attrs.get("sandbox") == "allow-same-origin"

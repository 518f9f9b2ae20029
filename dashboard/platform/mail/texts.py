"""Texts with placeholders, such as `Hello {customer}`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from django.conf import settings

from dashboard.web import locale

_PLACEHOLDER = re.compile(r"\{([^{}\s]{1,40})\}")
_LINE_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029\t ]+")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


def unknown_placeholders(text: str, known: Iterable[str]) -> list[str]:
    """The placeholders of a text that its kind of mail does not have, each once."""
    names = set(known)
    return list(dict.fromkeys(name for name in _PLACEHOLDER.findall(text) if name not in names))


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with the values. A value that looks like a placeholder is not replaced again."""
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), text)


def as_line(text: str) -> str:
    """A text in one line, for a header: a line break there would begin another header."""
    return _CONTROL.sub("", _LINE_BREAKS.sub(" ", text)).strip()


def as_body(text: str) -> str:
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip() + "\n"


def paragraphs(body: str) -> list[list[str]]:
    """The lines of each paragraph."""
    return [part.splitlines() for part in re.split(r"\n\s*\n", body.strip()) if part.strip()]


def language_of(*wanted: str | None) -> str:
    """The first of these languages in which there are texts."""
    supported = (locale.language_of(each) for each in wanted)
    return next(filter(None, supported), settings.LANGUAGE_CODE)

"""Translations: `python -m dashboard.web.translations extract | compile | check`.

It uses Babel, so that gettext need not be installed.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

BASE = Path(__file__).resolve().parent.parent.parent
# The supported languages except English, which is in the code.
LANGUAGES = sorted(path.name for path in (BASE / "locale").iterdir())
# The folders with texts.
SOURCES = ("dashboard", "branding", "forum", "bookings", "rooms", "content", "franchises", "activity", "templates")
KEYWORDS: dict[str, Any] = dict.fromkeys(["_", "gettext", "gettext_lazy", "gettext_noop"])
KEYWORDS |= dict.fromkeys(["ngettext", "ngettext_lazy"], (1, 2))
KEYWORDS |= dict.fromkeys(["pgettext", "pgettext_lazy"], ((1, "c"), 2))
KEYWORDS |= {"npgettext": ((1, "c"), 2, 3)}


def from_template(file: io.BytesIO, keywords: Any, comments: Any, options: Any) -> Iterator[Any]:
    """Extract texts from a template: Django converts it into Python-like text with calls of gettext."""
    # The indentation is that of the template, which Python's tokenizer would refuse.
    text = "\n".join(line.lstrip() for line in templatize(file.read().decode()).splitlines())
    return extract_python(io.BytesIO(text.encode()), keywords, comments, options)


def po_file(language: str) -> Path:
    return BASE / "locale" / language / "LC_MESSAGES" / "django.po"


def collect() -> Catalog:
    """All texts of the code and the templates."""
    catalog = Catalog(project="trastienda", charset="utf-8")
    for folder in SOURCES:
        for path in sorted((BASE / folder).rglob("*")):
            method: Any = {".py": "python", ".html": from_template}.get(path.suffix)
            if method is None:
                continue
            with path.open("rb") as file:
                for _line, text, _comments, context in extract(method, file, KEYWORDS):
                    catalog.add(text, None, [(path.relative_to(BASE).as_posix(), 0)], context=context)
    return catalog


def read(language: str) -> Catalog:
    path = po_file(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def extract_all() -> None:
    """Update the files: remove unused texts, and add new ones without a translation."""
    template = collect()
    for language in LANGUAGES:
        catalog = read(language)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        path = po_file(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalog, sort_output=True, no_location=True, omit_header=True, width=110)


def compile_all() -> None:
    for language in LANGUAGES:
        with po_file(language).with_suffix(".mo").open("wb") as file:
            write_mo(file, read(language))


def problems() -> list[str]:
    """Texts that are untranslated, unused, or whose placeholders differ."""
    used = {_text_with_context(message) for message in collect() if message.id}
    found = []
    for language in LANGUAGES:
        catalog = read(language)
        known = {_text_with_context(message): message for message in catalog if message.id}
        found += [f"{language}: not in the file: {text!r}" for text in sorted(used - known.keys())]
        found += [f"{language}: used nowhere: {text!r}" for text in sorted(known.keys() - used)]
        for text, message in known.items():
            strings = message.string if isinstance(message.string, tuple | list) else [message.string]
            if not all(strings):
                found.append(f"{language}: not translated: {text!r}")
            if message.fuzzy:
                found.append(f"{language}: fuzzy, so it is not shown: {text!r}")
            found += [f"{language}: {error} in {text!r}" for error in message.check(catalog)]
            if all(strings) and not _keeps_placeholders(message.id, strings):
                found.append(f"{language}: a placeholder is lost in {text!r}")
    return found


def _text_with_context(message: Message) -> str:
    """A text with its context."""
    text = message.id if isinstance(message.id, str) else message.id[0]
    return f"{text} ({message.context})" if message.context else str(text)


def _keeps_placeholders(source: Any, strings: Sequence[Any]) -> bool:
    """Whether the translations have the placeholders of the source, which Babel does not require.

    The singular may have its number as a word, as in English. All other forms need the placeholders of the plural.
    """
    forms = [source] if isinstance(source, str) else list(source)
    expected = [_placeholders(forms[0]), *(_placeholders(forms[-1]) for _ in strings[1:])]
    return all(_placeholders(str(text)) == names for text, names in zip(strings, expected, strict=True))


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)\w|%[sd]|\{\w*\}|#|<\w+", text))


def main(command: str) -> int:
    if command == "extract":
        extract_all()
    elif command == "compile":
        compile_all()
    elif command == "check":
        found = problems()
        sys.stderr.write("".join(f"{line}\n" for line in found))
        return 1 if found else 0
    else:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1] if len(sys.argv) > 1 else ""))

"""Checks every template: `python -m dashboard.web.lint`.

A template must compile and contain nothing that the CSP refuses. Every htmx element must work without htmx, every
visible word must be marked for translation, and no line may be longer than 120 characters.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parent.parent.parent / "templates"

# As in pyproject.toml.
MAX_LINE = 120

# Names that are not translated.
UNTRANSLATED = {"Trastienda", "EN", "ES", "English", "Español", "ms", "Ctrl", "K", "Esc", "Enter", "Shift"}
# People and places in the gallery's samples.
UNTRANSLATED |= {"Sala", "Andes", "MH", "Marta", "Herrera", "LP", "Luis", "Pardo", "luis", "example", "test"}

_INLINE_STYLE = r"\sstyle="
FORBIDDEN = {
    _INLINE_STYLE: "an inline style",
    r"<style": "an inline stylesheet",
    r"\son[a-z]+=": "an inline handler",
    r"<script(?![^>]*\ssrc=)": "an inline script",
    r'href="javascript:': "a script in a link",
    r"<img(?![^>]*\salt=)": "an image without alt",
    r"<form(?![^>]*(?:\smethod=|{% post_attrs ))": "a form without a method",
    r"<a(?=[^>]*\shx-)(?![^>]*\shref=)": "an htmx link without href",
    r"<button(?=[^>]*\shx-(?:post|put|delete))(?![^>]*\sform)": "an htmx button that posts outside a form",
    r"\|safe\b": "the safe filter",
    r"{% autoescape off": "escaping switched off",
}
# Programs for mail load no stylesheet, and no content security policy applies there.
MAIL = "mail/message.html"
_COMMENTS = re.compile(r"{#.*?#}|{%\s*comment.*?endcomment\s*%}", re.DOTALL)
_TRANSLATED = re.compile(r"{%\s*blocktrans.*?endblocktrans\s*%}", re.DOTALL)
_CODE = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
_ELEMENT = re.compile(r"<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>", re.DOTALL)
_TEXT_ATTRIBUTE = re.compile(r"\b(?:aria-label|title|placeholder|alt)=\"([^\"]*)\"")


def problems(path: Path) -> Iterator[str]:
    text = _COMMENTS.sub("", path.read_text())
    for pattern, what in FORBIDDEN.items():
        for match in re.finditer(pattern, text):
            if what == FORBIDDEN[_INLINE_STYLE] and path == TEMPLATES / MAIL:
                continue
            yield f"{_place(path, text, match.start())}: {what}"
    untranslated = _CODE.sub(" ", _TRANSLATED.sub(" ", text))
    attribute_texts = " ".join(_TEXT_ATTRIBUTE.findall(untranslated))
    for word in re.findall(r"[^\W\d_]{2,}", _ELEMENT.sub(" ", untranslated) + " " + attribute_texts):
        if word not in UNTRANSLATED:
            yield f"{path.relative_to(TEMPLATES.parent)}: “{word}” is not marked for translation"


def long_lines(path: Path) -> Iterator[str]:
    """The formatter does not break a tag or a sentence, so its output may still contain long lines."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if len(line) > MAX_LINE:
            yield f"{path.relative_to(TEMPLATES.parent)}:{number}: {len(line)} characters, more than {MAX_LINE}"


def _place(path: Path, text: str, position: int) -> str:
    return f"{path.relative_to(TEMPLATES.parent)}:{text.count(chr(10), 0, position) + 1}"


def compile_problems(path: Path) -> Iterator[str]:
    from django.template import TemplateSyntaxError
    from django.template.loader import get_template

    try:
        get_template(path.relative_to(TEMPLATES).as_posix())
    except TemplateSyntaxError as error:
        yield f"{path.relative_to(TEMPLATES.parent)}: {error}"


def main() -> int:
    os.environ.setdefault("TRASTIENDA_MODE", "test")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    import django

    django.setup()
    checks = (problems, compile_problems, long_lines)
    found = [line for path in sorted(TEMPLATES.rglob("*.html")) for check in checks for line in check(path)]
    sys.stderr.write("".join(f"{line}\n" for line in found))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())

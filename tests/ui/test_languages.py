"""All texts are translated, and the template lint finds its errors."""

from __future__ import annotations

import copy
import functools
from pathlib import Path

import pytest
from django.conf import settings

from dashboard.web import lint, translations

collect_once = functools.cache(translations.collect)


@pytest.fixture(autouse=True)
def cached_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Collects the texts only once, because it takes seconds."""
    monkeypatch.setattr(translations, "collect", collect_once)


def test_every_text_is_translated() -> None:
    assert translations.problems() == []
    assert {settings.LANGUAGE_CODE, *translations.LANGUAGES} == set(dict(settings.LANGUAGES))


def test_a_missing_translation_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = copy.deepcopy(translations.collect())
    catalog.add("A text that nobody has translated")
    monkeypatch.setattr(translations, "collect", lambda: catalog)
    assert translations.problems() == ["es: not in the file: 'A text that nobody has translated'"]


def test_a_fuzzy_translation_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = translations.read("es")
    text = "%(name)s invited."
    catalog[text].flags.add("fuzzy")
    monkeypatch.setattr(translations, "read", lambda language: catalog)
    assert translations.problems() == [f"es: fuzzy, so it is not shown: {text!r}"]


@pytest.mark.parametrize("form", [0, 1])
def test_a_placeholder_missing_in_one_plural_form_is_reported(monkeypatch: pytest.MonkeyPatch, form: int) -> None:
    catalog = translations.read("es")
    text = "%(done)s person invited"
    forms = list(catalog[text].string or ())
    forms[form] = forms[form].replace("%(done)s", "")
    catalog[text].string = tuple(forms)
    monkeypatch.setattr(translations, "read", lambda language: catalog)
    assert any(text in problem for problem in translations.problems())


def test_a_missing_placeholder_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = translations.read("es")
    text = "%(name)s invited."
    catalog[text].string = "Alguien tiene invitación."
    monkeypatch.setattr(translations, "read", lambda language: catalog)
    assert any(text in problem for problem in translations.problems())


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('<p style="color: red"></p>', "an inline style"),
        ("<script>alert(1)</script>", "an inline script"),
        ('<a onclick="x()" href="/">{{ x }}</a>', "an inline handler"),
        ('<a hx-get="/x">{{ x }}</a>', "an htmx link without href"),
        ('<form action="/">{{ x }}</form>', "a form without a method"),
        ("{{ x|safe }}", "the safe filter"),
        ("<p>Hello</p>", "“Hello” is not marked for translation"),
        ('<button aria-label="Close">{{ x }}</button>', "“Close” is not marked for translation"),
    ],
)
def test_the_lint_finds_an_error_in_a_template(
    tmp_path: Path, text: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lint, "TEMPLATES", tmp_path)
    (tmp_path / "page.html").write_text(text)
    assert any(what in problem for problem in lint.problems(tmp_path / "page.html"))


def test_the_lint_finds_a_long_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lint, "TEMPLATES", tmp_path / "templates")
    page = tmp_path / "templates" / "page.html"
    page.parent.mkdir()
    page.write_text(f"{'x' * 120}\n{'ñ' * 121}\n")
    assert list(lint.long_lines(page)) == ["templates/page.html:2: 121 characters, more than 120"]

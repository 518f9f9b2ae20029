"""A template that uses an undefined name fails the test that renders it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.template import engines

from tests import strict_templates
from tests.strict_templates import OPTIONAL_ATTRIBUTES, OPTIONAL_NAMES, UndefinedName

PERSON = SimpleNamespace(name="Ana", nobody=None)


def render(text: str, **context: Any) -> str:
    return str(engines["django"].from_string(text).render({"person": PERSON, **context}))


@pytest.fixture
def reported(no_undefined_names: None) -> Iterator[list[str]]:
    """The reported names; a test with this fixture expects them."""
    yield strict_templates._undefined
    strict_templates._undefined.clear()


@pytest.mark.parametrize(
    "text",
    [
        "{{ missing }}",
        "{{ person.missing }}",
        "{{ person.missing.more }}",
        "{{ person.missing|upper }}",
        '{{ person.missing|default:"" }}',
        "{% if person.missing %}x{% endif %}",
        "{% if missing %}x{% endif %}",
        "{% if not missing and person %}x{% endif %}",
        "{% if person.missing == 1 %}x{% endif %}",
        "{% for each in person.missing %}x{% endfor %}",
        "{% with a=person.missing %}x{% endwith %}",
    ],
)
def test_an_undefined_name_is_reported(reported: list[str], text: str) -> None:
    # Django catches an exception in an operator of `{% if %}`, so the test checks the report.
    with contextlib.suppress(UndefinedName):
        render(text)
    assert len(reported) == 1
    assert "missing" in reported[0]


@pytest.mark.parametrize(
    "text",
    [
        "{{ person.name }}",
        "{% if label %}x{% endif %}{{ person.name }}",
        '{{ label|default:"" }}{{ person.name }}',
        "{% if person.nobody.name %}x{% endif %}{{ person.name }}",
        "{% for each in label %}x{% endfor %}{{ person.name }}",
    ],
)
def test_an_optional_name_in_a_condition_is_not_reported(text: str) -> None:
    assert "label" in OPTIONAL_NAMES
    assert render(text) == "Ana"


def test_rendering_an_optional_name_that_is_missing_is_an_error(reported: list[str]) -> None:
    with pytest.raises(UndefinedName):
        render("{{ label }}")


def test_every_optional_name_is_used_in_a_template() -> None:
    text = "".join(path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html"))
    assert sorted(name for name in OPTIONAL_NAMES | OPTIONAL_ATTRIBUTES if name not in text) == []

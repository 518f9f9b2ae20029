"""What is the same on every page is text after a template is loaded, for each language of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template import Context, Engine, Template
from django.template.base import TextNode
from django.urls import reverse
from django.utils.translation import override

CONSTANT = (
    '{% load i18n static %}<p title="{% trans "Ban" %}">{% icon "ban" %}{% icon "ban" extra="big" %}'
    '<a href="{% url "home" %}">{% blocktrans %}Post{% endblocktrans %}</a>{% static "icons.svg" %}</p>'
)
VARYING = (
    '{% url "person" email %}',
    '{% url "home" as address %}',
    "{% icon name %}",
    "{% trans label %}",
    '{% trans "Ban" as label %}',
    '{% trans "Ban"|upper %}',
    "{% blocktrans %}By {{ name }}{% endblocktrans %}",
    "{% blocktrans with name=label %}By {{ name }}{% endblocktrans %}",
    "{% blocktrans count n=count %}One{% plural %}Many{% endblocktrans %}",
    "{{ name }}",
)


def load(folder: Path, source: str) -> Template:
    (folder / "page.html").write_text(source)
    loaders = ["django.template.loaders.filesystem.Loader"]
    return _engine(folder, loaders).get_template("page.html")


def _engine(folder: Path, loaders: list[str]) -> Engine:
    return Engine(
        dirs=[str(folder)],
        loaders=[("template_partials.loader.Loader", [("dashboard.web.template_folding.LanguageLoader", loaders)])],
        builtins=[
            "template_partials.templatetags.partials",
            "dashboard.web.templatetags.ui",
            "django.templatetags.i18n",
        ],
        libraries={"i18n": "django.templatetags.i18n", "static": "django.templatetags.static"},
    )


def test_constants_become_one_text(tmp_path: Path) -> None:
    with override("es"):
        template = load(tmp_path, CONSTANT)
        shown = template.render(Context())
    nodes = [node for node in template.nodelist if type(node) is TextNode]
    assert len(nodes) == len(template.nodelist) - 1, "only {% load %} is left"
    assert 'title="Bloquear"' in shown
    assert f'href="{reverse("home")}"' in shown
    assert shown.count("<svg") == 2


@pytest.mark.parametrize("source", VARYING)
def test_what_varies_is_evaluated_on_each_page(tmp_path: Path, source: str) -> None:
    template = load(tmp_path, source)
    assert not any(type(node) is TextNode for node in template.nodelist)


def test_branches_loops_and_partials_are_folded(tmp_path: Path) -> None:
    source = (
        "{% if a %}{% icon 'ban' %}{% else %}{% for b in c %}{% icon 'eye' %}{% endfor %}{% endif %}"
        "{% partialdef row %}{% icon 'bell' %}{% endpartialdef %}"
    )
    template = load(tmp_path, source)
    branches = template.nodelist[0].conditions_nodelists  # type: ignore[attr-defined]
    assert type(branches[0][1][0]) is TextNode
    assert type(branches[1][1][0].nodelist_loop[0]) is TextNode
    row = template.engine.get_template("page.html#row")
    assert type(row.nodelist[0]) is TextNode
    assert "#bell" in row.render(Context())


def test_each_language_has_its_own_texts(tmp_path: Path) -> None:
    engine = load(tmp_path, '{% trans "Ban" %}').engine
    shown = {}
    for language in ("en", "es", "en"):
        with override(language):
            shown[language] = engine.get_template("page.html").render(Context())
    assert shown == {"en": "Ban", "es": "Bloquear"}


def test_a_text_is_not_escaped_twice(tmp_path: Path) -> None:
    assert load(tmp_path, "{% trans \"Can't & <b>\" %}{% trans '100 %' %}").render(Context()) == "Can't & <b>100 %"

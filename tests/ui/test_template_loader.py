"""Templates are loaded without their indentation, except where it is part of the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template import Engine, TemplateSyntaxError

from dashboard.web.template_loader import remove_indentation


def test_indentation_is_removed_and_newlines_stay() -> None:
    source = '<ul>\n  <li\n    class="x"\n  >a b</li>\n\n\t<li>{% trans "One  two" %}</li>\n</ul>\n'
    assert remove_indentation(source) == ('<ul>\n<li\nclass="x"\n>a b</li>\n\n<li>{% trans "One  two" %}</li>\n</ul>\n')


@pytest.mark.parametrize(
    "source",
    [
        "<pre>\n  a\n    b</pre>",
        '<textarea name="x">\n  a</textarea>',
        "{% blocktrans %}One\n  two{% endblocktrans %}",
        "{% blocktrans count n=total %}One\n  row{% plural %}{{ n }}\n  rows{% endblocktrans %}",
    ],
)
def test_indentation_stays_where_it_is_part_of_the_text(source: str) -> None:
    assert remove_indentation(f"  {source}\n  <p>") == f"  {source}\n<p>"


def test_indentation_of_a_trimmed_text_is_removed() -> None:
    source = "{% blocktrans trimmed with a=b %}\n    One\n    two\n  {% endblocktrans %}\n  <p>"
    assert remove_indentation(source) == "{% blocktrans trimmed with a=b %}\nOne\ntwo\n{% endblocktrans %}\n<p>"


def test_an_error_names_the_line_of_the_source(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<ul>\n  <li>\n    {% if %}\n  </li>\n</ul>\n")
    engine = Engine(dirs=[str(tmp_path)], loaders=["dashboard.web.template_loader.Loader"], debug=True)
    with pytest.raises(TemplateSyntaxError) as caught:
        engine.get_template("page.html")
    assert caught.value.template_debug["line"] == 3  # type: ignore[attr-defined]

"""An undefined name in a template is an error in tests.

Django renders such a name as an empty string: a renamed attribute would disappear from a page without notice, and an
empty revision counts as 0. Here it raises `UndefinedName`, and the test fails even where the error is caught.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.template.base import FilterExpression, VariableDoesNotExist
from django.template.context import BaseContext
from django.template.defaultfilters import default, default_if_none

# Names that only some pages pass. A template may use them only in `{% if %}`, `{% for %}` or with `default`.
NAMES = """
    about alternatives author b back back_label below booking_count businesses can_fix card changed config
    confirm_contrast conflict conflicts count countries cut danger day_summaries deactivating default_next diff
    displaced filters focused_row found history is_truncated label level listing maxlength mixed more_label moved name
    next no_account offers overtaken pending_count people person plan problems provider_name q quiet reached request
    request_id result_text saved screen search shell show shown target text title trial try_problem typed undo
    undoing unknown untitled url verdict waiting width
"""
OPTIONAL_NAMES = set(NAMES.split())
# Attributes that only some of these objects have. A template may use them in the same way.
ATTRIBUTES = """
    card.item.announcement conflict.name conflict.own conflict.text counts.add counts.change counts.remove
    entry.initials entry.note example.comment failure.line.n form.duplicate job.about.back job.about.back
    job.about.undoes job.about.undoes line.comment line.score line.text line.who listing.first_url pictures.banner
    pictures.icon pictures.logo piece.1 request.GET.with row.day
"""
OPTIONAL_ATTRIBUTES = set(ATTRIBUTES.split())

_plain_resolve = FilterExpression.resolve
_undefined: list[str] = []


class UndefinedName(Exception):
    """A template uses a name that its context does not have."""


def _resolve(self: FilterExpression, context: Any, ignore_failures: bool = False) -> Any:
    if not self.is_var:
        return _plain_resolve(self, context, ignore_failures)
    try:
        value = self.var.resolve(context)
    except VariableDoesNotExist as error:
        if not _may_be_missing(self, context, error, ignore_failures):
            raise _report(self, context) from error
        value = None
    if not self.filters:
        return value
    resolved = SimpleNamespace(is_var=False, var=value, filters=self.filters)
    return _plain_resolve(resolved, context, ignore_failures)  # type: ignore[arg-type]


def _may_be_missing(expression: FilterExpression, context: Any, error: VariableDoesNotExist, is_tested: bool) -> bool:
    if _template(context).startswith("django/"):
        return True
    if not (is_tested or _has_default(expression)):
        return False
    _name, owner = error.params
    path: str = expression.var.var
    if isinstance(owner, BaseContext):
        return path.partition(".")[0] in OPTIONAL_NAMES
    return owner is None or path in OPTIONAL_ATTRIBUTES


def _has_default(expression: FilterExpression) -> bool:
    return bool(expression.filters) and expression.filters[0][0] in {default, default_if_none}


def _template(context: Any) -> str:
    return str(context.render_context.template.name)


def _report(expression: FilterExpression, context: Any) -> UndefinedName:
    _undefined.append(f"{expression.token} in {_template(context)}")
    return UndefinedName(_undefined[-1])


FilterExpression.resolve = _resolve  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def no_undefined_names() -> Iterator[None]:
    _undefined.clear()
    yield
    assert not _undefined, f"undefined names in templates: {sorted(set(_undefined))}"

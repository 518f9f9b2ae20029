"""Loads templates without their indentation: it helps the reader of the source and would only enlarge every page."""

from __future__ import annotations

import re

from django.template.base import Origin
from django.template.loaders import filesystem

# Where the indentation is part of the text: in these elements, and in a text that is looked up for its translation.
_SIGNIFICANT = (
    r"<(?P<element>pre|textarea)\b.*?</(?P=element)>"
    r"|{% blocktrans(?!(?:(?!%}).)* trimmed\b).*?{% endblocktrans %}"
)
_INDENTATION = re.compile(rf"(?P<significant>{_SIGNIFICANT})|\n[ \t]+", re.DOTALL)


def remove_indentation(source: str) -> str:
    """Newlines stay, so that the line numbers in template errors are right."""
    return _INDENTATION.sub(lambda match: match["significant"] or "\n", source)


class Loader(filesystem.Loader):
    def get_contents(self, origin: Origin) -> str:
        return remove_indentation(super().get_contents(origin))

"""The one way to say what happened, with the way back."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _

# A toast travels in a cookie, and a browser keeps about 4 KB of one.
MAX_UNDO = 2_000


def toast(request: HttpRequest, text: str | Promise, *, undo: tuple[str, dict[str, Any]] | None = None) -> None:
    """Say it once, on this answer or on the page after a redirect. `undo`: where the inverse posts, and what."""
    tags = ""
    if undo is not None:
        url, fields = undo
        named = {name: str(value) for name, value in fields.items()}
        tags = json.dumps({"undo": {"url": url, "fields": named, "label": _("Undo")}})
    messages.success(request, str(text), extra_tags=tags if len(tags) <= MAX_UNDO else "")


def toast_error(request: HttpRequest, text: str | Promise) -> None:
    messages.error(request, str(text))

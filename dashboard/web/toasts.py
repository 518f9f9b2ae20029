"""The one way to say what happened, with the way back."""

from __future__ import annotations

import json
import zlib
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from dashboard.table.items import Item

# A toast travels in a cookie, packed and in letters, and Django lets one have 2 KB. That is fifty long addresses.
MAX_UNDO = 1_100


def toast(
    request: HttpRequest,
    text: str | Promise,
    *,
    undo: tuple[str, dict[str, Any]] | None = None,
    of: Item | None = None,
) -> None:
    """Say it once, on this answer or on the page after a redirect. `undo`: where the inverse posts, and what.

    `of` is what a service gave back: if that was done before and has been changed since, there is nothing to undo.
    """
    tags = ""
    if of is not None and of.outcome.moved_on:
        text, undo = _("This was already done, and has changed since."), None
    elif of is not None and of.outcome.nothing:
        text, undo = _("Nothing was changed."), None
    if undo is not None:
        url, fields = undo
        named = {name: str(value) for name, value in fields.items()}
        tags = json.dumps({"undo": {"url": url, "fields": named, "label": _("Undo")}})
    fits = len(zlib.compress(tags.encode())) <= MAX_UNDO
    messages.success(request, str(text), extra_tags=tags if fits else "")


def toast_error(request: HttpRequest, text: str | Promise) -> None:
    messages.error(request, str(text))

"""Toasts: short messages about what happened, with Undo."""

from __future__ import annotations

import json
import zlib
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from dashboard.table.items import Item

# Toasts are stored in a cookie, compressed, with 2 KB at most. This is enough for fifty long e-mail addresses.
MAX_UNDO = 1_100


class ToastStorage(CookieStorage):
    """Django's storage, with a cookie that only this host can set in production."""

    cookie_name = settings.TOAST_COOKIE_NAME


def toast(
    request: HttpRequest,
    text: str | Promise,
    *,
    undo: tuple[str, dict[str, Any]] | None = None,
    of: Item | None = None,
) -> None:
    """Show a toast on this response or on the page after a redirect. `undo` is the URL and the fields of the inverse.

    `of` is the item that a service returned. If the command changed nothing, or was executed before and the item has
    changed since, the toast reports that and has no Undo.
    """
    tags = ""
    if of is not None and of.outcome.has_changed_since:
        text, undo = _("This was already done, and has changed since."), None
    elif of is not None and of.outcome.is_no_change:
        text, undo = _("Nothing was changed."), None
    if undo is not None:
        url, fields = undo
        values = {name: str(value) for name, value in fields.items()}
        tags = json.dumps({"undo": {"url": url, "fields": values, "label": _("Undo")}})
    fits = len(zlib.compress(tags.encode())) <= MAX_UNDO
    messages.success(request, str(text), extra_tags=tags if fits else "")


def toast_error(request: HttpRequest, text: str | Promise) -> None:
    messages.error(request, str(text))


def drop_pending_toasts(request: HttpRequest) -> None:
    """Remove the toasts of earlier requests that no page has shown yet."""
    for _message in messages.get_messages(request):
        pass

"""Helpers of the filter's pages: the toast for unsaved changes, and the URL of the list."""

from __future__ import annotations

from django.urls import reverse

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.configs.items import ConfigDraft
from dashboard.web.pages import safe_next
from dashboard.web.toasts import toast


def toast_staged(request: Request, text: str, draft: ConfigDraft, back: str = "") -> None:
    """A toast about unsaved changes. Undo takes the last step back and returns to `back`."""
    fields = {"revision": draft.revision} | ({"next": back} if back else {})
    toast(request, text, undo=(reverse("profanity_step_back"), fields), of=draft)


def list_url(request: Request) -> str:
    """The URL of the word list with its filters."""
    return safe_next(request, reverse("profanity"))

"""What the filter's pages share: a change that is not saved yet is told with its way back."""

from __future__ import annotations

from django.urls import reverse

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.configs.items import ConfigDraft
from dashboard.web.pages import safe_next
from dashboard.web.toasts import toast


def toast_staged(request: Request, said: str, draft: ConfigDraft, back: str = "") -> None:
    """Say what has become of the changes; Undo is a step back, and leads to where one was."""
    fields = {"revision": draft.revision} | ({"next": back} if back else {})
    toast(request, said, undo=(reverse("profanity_step_back"), fields), of=draft)


def the_list(request: Request) -> str:
    """The list as it was filtered."""
    return safe_next(request, reverse("profanity"))

"""The actions that lead to mail. Their audit entries are due tasks until the mail is queued (docs/mail.md).

The entry is written in the transaction of the action, so that no mail is lost, and none is sent for an action that
did not happen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta

from django.conf import settings

from dashboard.core.clock import now

# How long after the action its mail is queued: time for Undo.
_delays: dict[str, timedelta] = {}
_is_paused: ContextVar[bool] = ContextVar("mail is paused", default=False)


def register_mail_action(action: str, delay: timedelta) -> None:
    _delays[action] = delay


def due_time(action: str) -> datetime | None:
    """When the mail of an action is queued; None for an action without mail, and where mail is not set up."""
    if action not in _delays or not settings.MAIL_IS_CONFIGURED or _is_paused.get():
        return None
    return now() + _delays[action]


@contextmanager
def without_mail() -> Iterator[None]:
    """Actions inside lead to no mail, such as those that create demo data."""
    token = _is_paused.set(True)
    try:
        yield
    finally:
        _is_paused.reset(token)

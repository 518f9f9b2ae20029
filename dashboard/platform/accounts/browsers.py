"""Browsers that have signed in before. A signed cookie holds a random id for each account.

It is no credential: it only gives the browser a count of wrong passwords of its own, so that nobody else can lock the
person out of it.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse

# The longest time that browsers keep a cookie.
AGE = timedelta(days=400)
# Several people may share a browser. The cookie holds those who signed in last.
MAX_ACCOUNTS = 5
_SEPARATOR = "~"


def find_id(request: HttpRequest, email: str) -> str:
    """The id of this browser for an account; empty if nobody has signed in to the account with it."""
    return next((found for entry in _entries(request) if (found := _read(entry, email))), "")


def remember(request: HttpRequest, response: HttpResponse, email: str) -> None:
    """Record in the cookie that this browser has signed in to the account."""
    others = [entry for entry in _entries(request) if not _read(entry, email)]
    entry = _signer(email).sign(find_id(request, email) or secrets.token_urlsafe(12))
    response.set_cookie(
        settings.BROWSER_COOKIE_NAME,
        _SEPARATOR.join([entry, *others][:MAX_ACCOUNTS]),
        max_age=int(AGE.total_seconds()),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _entries(request: HttpRequest) -> list[str]:
    cookie = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "")[:2000]
    return [entry for entry in cookie.split(_SEPARATOR) if entry][:MAX_ACCOUNTS]


def _read(entry: str, email: str) -> str:
    """The id in an entry that was signed for this account, otherwise empty."""
    try:
        return _signer(email).unsign(entry, max_age=AGE)
    except BadSignature:
        return ""


def _signer(email: str) -> TimestampSigner:
    return TimestampSigner(salt=f"known browser {email}")

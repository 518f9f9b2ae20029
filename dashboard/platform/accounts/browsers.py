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

from dashboard.platform.accounts.items import Person

# The longest time that browsers keep a cookie.
AGE = timedelta(days=400)
# Several people may share a browser. The cookie holds those who signed in last, with two entries for a person who has
# a second factor.
MAX_ENTRIES = 10
_SEPARATOR = "~"


def find_id(request: HttpRequest, subject: str) -> str:
    """The id of this browser for an e-mail address or a `code_subject`; empty if nobody has signed in with it."""
    return next((found for entry in _entries(request) if (found := _read(entry, subject))), "")


def code_subject(person: Person) -> str:
    """What an id is signed for that counts codes. An id from before the second factor, for which the password was
    enough, does not count."""
    return f"{person.email} {person.totp_since}"


def remember(request: HttpRequest, response: HttpResponse, person: Person) -> None:
    """Record in the cookie that this browser has signed in to the account."""
    subjects = [person.email, *([code_subject(person)] if person.has_second_factor else [])]
    others = [entry for entry in _entries(request) if not any(_read(entry, subject) for subject in subjects)]
    own = [_signer(each).sign(find_id(request, each) or secrets.token_urlsafe(12)) for each in subjects]
    response.set_cookie(
        settings.BROWSER_COOKIE_NAME,
        _SEPARATOR.join([*own, *others][:MAX_ENTRIES]),
        max_age=int(AGE.total_seconds()),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _entries(request: HttpRequest) -> list[str]:
    cookie = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "")[:4000]
    return [entry for entry in cookie.split(_SEPARATOR) if entry][:MAX_ENTRIES]


def _read(entry: str, subject: str) -> str:
    """The id in an entry that was signed for this subject, otherwise empty."""
    try:
        return _signer(subject).unsign(entry, max_age=AGE)
    except BadSignature:
        return ""


def _signer(subject: str) -> TimestampSigner:
    return TimestampSigner(salt=f"known browser {subject}")

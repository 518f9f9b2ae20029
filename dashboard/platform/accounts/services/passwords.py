"""The password of a signed-in person, asked for again before a sensitive change."""

from __future__ import annotations

from django.contrib.auth.hashers import check_password
from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.platform.accounts import lockout, throttle
from dashboard.platform.accounts.items import Person


def confirm(person: Person, password: str, *, session_id: str) -> None:
    """Check the password; raises Refused for the field `current`, or TooMany.

    Each session has its own count: whoever guesses in one session cannot prevent the person from changing the
    password or signing out everywhere in another.
    """
    name = lockout.counter_name("password in session", person.email, session_id)
    attempt = throttle.begin_attempt(name, limit=lockout.TRIES_PER_ACCOUNT, seconds=lockout.WINDOW)
    if not check_password(password, person.password_hash):
        throttle.confirm(attempt)
        raise Refused(_("Current password is incorrect."), field="current")
    throttle.take_back(attempt)

"""Pseudonyms of people in the archive: a keyed hash in place of the e-mail address (docs/activity-archive.md).

Domain and country stay readable, and the events of one person belong together. Nobody can find the person from the
hash without the key.
"""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings

PREFIX = "p-"
_DIGITS = 32


def name_of(user: str) -> str:
    """The name under which a person is archived now: a pseudonym if the setting has a key, otherwise the address."""
    keys: list[str] = settings.ACTIVITY_PSEUDONYM_KEYS
    return _pseudonym(user, keys[0]) if keys else user


def archived_names(user: str) -> list[str]:
    """All names that a person can have in the archive: by each key, and the address from before there was one."""
    return [*(_pseudonym(user, key) for key in settings.ACTIVITY_PSEUDONYM_KEYS), user]


def _pseudonym(user: str, key: str) -> str:
    return PREFIX + hmac.new(key.encode(), user.encode(), hashlib.sha256).hexdigest()[:_DIGITS]

"""Events: what a person did, when and where. An event is checked before it is written, never when it is read."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _

from activity.actions import COMMENT_CREATED, POST_CREATED
from dashboard.core.errors import Refused
from dashboard.core.names import folded

SHARDS = 10
# Events are kept in the log tables for so long; older ones are in the archive only.
RETENTION = timedelta(days=90)
# The time of an event comes from the client, whose clock may be wrong, and which may send it late.
MAX_AHEAD = timedelta(minutes=5)
MAX_LATE = timedelta(days=2)
MAX_METADATA_BYTES = 2048
MAX_METADATA_DEPTH = 5
SMALLEST_NUMBER, LARGEST_NUMBER = 1e-12, 1e15
MAX_NAME = 64

_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_ACTION = re.compile(r"[a-z][a-z0-9_.-]{0,63}")
# What no part of a key may contain: our separator, and characters that are not visible.
_USER = re.compile(r"[^#\s\x00-\x1f\x7f]{1,254}")


class BadEvent(Refused):
    """An event that cannot be logged. `code` tells programs why."""

    def __init__(self, field: str, code: str, text: Any) -> None:
        self.code = code
        super().__init__(text, field)


@dataclass(frozen=True)
class Event:
    """What a person did. `at` is in UTC with milliseconds; `user` is the folded e-mail address."""

    id: str
    user: str
    at: datetime
    action: str
    room: str | None = None
    country: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def domain(self) -> str | None:
        """The domain of the e-mail address; None for an id that is none."""
        name, at_sign, domain = self.user.rpartition("@")
        return domain if at_sign and name and domain else None

    @property
    def shard(self) -> int:
        return shard_of(self.id)

    @property
    def is_post(self) -> bool:
        return self.action in {POST_CREATED, COMMENT_CREATED}


def shard_of(event_id: str) -> int:
    """The shard of an event. It follows from its id alone, so that a repeated event has the same key."""
    return zlib.crc32(event_id.encode()) % SHARDS


def fold_user(text: str) -> str:
    """The form in which the id of a person is compared: outside writers keep the address as it was typed."""
    return text.strip().lower()


def fold_country(text: str | None) -> str:
    """The form in which countries are compared and named in the archive."""
    return folded(text or "") or "unknown"


def to_milliseconds(moment: datetime) -> str:
    """A time as it is in the keys of events: `2025-08-18T10:30:00.000Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def check_event(event: Event, moment: datetime) -> None:
    """Raise BadEvent for an event that cannot be logged at this moment."""
    if not _ID.fullmatch(event.id):
        raise BadEvent("id", "invalid_id", _("An id has 1 to 64 letters, digits and hyphens."))
    if not _USER.fullmatch(event.user) or not event.user.isprintable():
        raise BadEvent("user", "invalid_user", _("A person is named by their e-mail address, without # and spaces."))
    if not _ACTION.fullmatch(event.action):
        raise BadEvent("action", "invalid_action", _("An action has up to 64 lower-case letters, digits, _ . and -."))
    for name in ("room", "country"):
        _check_name(name, getattr(event, name))
    if event.at > moment + MAX_AHEAD:
        raise BadEvent("at", "in_the_future", _("This time is in the future."))
    if event.at < moment - MAX_LATE:
        raise BadEvent("at", "too_old", _("This time is too long ago."))
    _check_metadata(event.metadata)


def _check_metadata(metadata: Mapping[str, Any]) -> None:
    if not _is_storable(dict(metadata), MAX_METADATA_DEPTH):
        raise BadEvent("metadata", "invalid_metadata", _("The metadata contains what cannot be stored."))
    if len(json.dumps(dict(metadata), ensure_ascii=False).encode()) > MAX_METADATA_BYTES:
        raise BadEvent("metadata", "metadata_too_large", _("The metadata is larger than 2 KB."))


def _is_storable(value: Any, depth: int) -> bool:
    """Whether DynamoDB stores the value as it is: it limits numbers and depth, and names cannot be empty."""
    if isinstance(value, str):
        return not any("\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, bool) or value is None:
        return True
    if isinstance(value, int | float):
        return value == 0 or SMALLEST_NUMBER <= abs(value) <= LARGEST_NUMBER
    if isinstance(value, dict):
        names = all(name and isinstance(name, str) and _is_storable(name, 1) for name in value)
        return names and depth > 0 and all(_is_storable(each, depth - 1) for each in value.values())
    return isinstance(value, list) and depth > 0 and all(_is_storable(each, depth - 1) for each in value)


def _check_name(field: str, value: str | None) -> None:
    if value is None:
        return
    if not 0 < len(value) <= MAX_NAME or "#" in value or value != value.strip() or not value.isprintable():
        raise BadEvent(field, f"invalid_{field}", _("This has more than 64 characters, or # or invisible ones."))

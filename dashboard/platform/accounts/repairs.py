"""Repairs of people: an outside writer's Put of an attendee does not remove the account of the same person."""

from __future__ import annotations

from collections.abc import Iterable

from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.lost_attributes import restore_lost_attributes
from dashboard.platform.stream.rules import repairs_of

# The attributes that only this product writes. A removed account has none of them: nothing comes back.
_ACCOUNT_ATTRIBUTES = (
    "backOfficeRole",
    "passwordHash",
    "sessionEpoch",
    "language",
    "timezone",
    "theme",
    "clearImages",
    "lastSignInAt",
    "disabledAt",
    "linkHash",
    "linkExpiresAt",
    "invitedAt",
    "totpSeed",
    "totpSince",
    "totpStep",
    "recoveryHashes",
    "invitedByTenant",
    "madeHere",
)


@repairs_of("person")
def repair_account(change: Change, _: None) -> Iterable[Write]:
    yield from restore_lost_attributes(change, _ACCOUNT_ATTRIBUTES)

"""Repairs of people: an outside writer's Put of an attendee does not remove the account of the same person."""

from __future__ import annotations

from collections.abc import Iterable

from dashboard.platform.stream.lost_attributes import restore_lost
from dashboard.platform.stream.repairs import Change, Write, repairs_of

# The attributes that only this product writes. A removed account has none of them: nothing comes back.
_ACCOUNT = (
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
    yield from restore_lost(change, _ACCOUNT)

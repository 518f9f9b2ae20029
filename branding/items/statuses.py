"""The status of a version, in the spelling of the seed or of the branding service."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """`draft` and `published` come from the seed. A version that was live before is `superseded`."""

    DRAFT = "draft"
    PUBLISHED = "published"
    SUPERSEDED = "superseded"
    DISCARDED = "discarded"


def parse(stored: str | None) -> Status | None:
    """In any case. A missing status means draft; None for an unknown one."""
    if stored is None:
        return Status.DRAFT
    folded = stored.lower()
    return Status(folded) if folded in set(Status) else None


def spellings(status: Status) -> tuple[str, ...]:
    """For conditions, which cannot ignore the case."""
    return status.value, status.value.upper(), status.value.capitalize()


def in_service_format(status: Status) -> str:
    """The branding service knows only these two statuses, in upper case."""
    return (Status.PUBLISHED if status == Status.PUBLISHED else Status.DRAFT).value.upper()

"""The status of a version, in the spelling of the seed or of the branding service."""

from __future__ import annotations

from enum import StrEnum


class ThemeStatus(StrEnum):
    """`draft` and `published` come from the seed. A version that was live before is `superseded`."""

    DRAFT = "draft"
    PUBLISHED = "published"
    SUPERSEDED = "superseded"
    DISCARDED = "discarded"


def parse(stored: str | None) -> ThemeStatus | None:
    """Ignores upper and lower case. A missing status means draft; None for an unknown one."""
    if stored is None:
        return ThemeStatus.DRAFT
    folded = stored.lower()
    return ThemeStatus(folded) if folded in set(ThemeStatus) else None


def spellings(status: ThemeStatus) -> tuple[str, ...]:
    """For conditions, which cannot ignore the case."""
    return status.value, status.value.upper(), status.value.capitalize()


def in_service_format(status: ThemeStatus) -> str:
    """The branding service knows only these two statuses, in upper case."""
    return (ThemeStatus.PUBLISHED if status == ThemeStatus.PUBLISHED else ThemeStatus.DRAFT).value.upper()

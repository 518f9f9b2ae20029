"""The labels of actions and fields. Every app registers its own in its module `audit_labels`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from dashboard.platform.accounts.permissions import BasePermission

Labels = dict[str, Promise]

# What each action is called in a sentence: «Ana invited Luis».
SENTENCES: Labels = {}
# The same where someone did it to themselves.
OWN: Labels = {}
# What the actions of one kind are about, by the word before the dot.
ABOUT: Labels = {}
# What a field is called, and how its values read where they are not plain text.
FIELDS: Labels = {}
# Which kinds of action stand in a business's trail, and which nowhere else.
INSIDE: set[str] = set()
ONLY_INSIDE: set[str] = set()
VALUES: dict[str, dict[Any, Any]] = {}
# Fields that are moments, told on the reader's clocks, and those that are told where there was nothing before, too.
MOMENTS: set[str] = set()
FROM_NOTHING: set[str] = set()


@dataclass(frozen=True)
class TargetPage:
    """The page of the thing that an entry is about."""

    route: str
    permission: BasePermission
    in_business: bool


# By the kind of the target.
TARGET_PAGES: dict[str, TargetPage] = {}


def register_target_page(kind: str, route: str, permission: BasePermission, *, in_business: bool = False) -> None:
    TARGET_PAGES[kind] = TargetPage(route, permission, in_business)


def register_labels(
    *,
    about: Labels,
    sentences: Labels,
    own: Labels | None = None,
    fields: Labels | None = None,
    values: dict[str, Any] | None = None,
    moments: Iterable[str] = (),
    from_nothing: Iterable[str] = (),
    inside: bool = False,
    outside: bool = True,
) -> None:
    """Add the labels of an app. A field that several apps have is called the same in all of them.

    `inside` says that these actions stand in a business's trail, `outside` in the platform's.
    """
    ABOUT.update(about)
    if inside:
        INSIDE.update(about)
    if not outside:
        ONLY_INSIDE.update(about)
    SENTENCES.update(sentences)
    OWN.update(own or {})
    FIELDS.update(fields or {})
    MOMENTS.update(moments)
    FROM_NOTHING.update(from_nothing)
    for name, words in (values or {}).items():
        VALUES.setdefault(name, {}).update(words)

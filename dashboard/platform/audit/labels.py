"""The labels of audit entries. Every app registers its own in its module `audit_labels`, one set for each kind.

The kind of an entry is the word before the first dot of its action: `service` in `service.create`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.permissions import BasePermission

Labels = Mapping[str, Promise]


@dataclass(frozen=True)
class KindLabels:
    """The labels of one kind of entry."""

    title: Promise | str
    # Each action in a sentence, by the part after the dot: «Ana invited Luis».
    actions: Labels = field(default_factory=dict)
    # The same where people did it to themselves.
    own_actions: Labels = field(default_factory=dict)
    fields: Labels = field(default_factory=dict)
    # Labels of a field's values, where these are not plain text.
    values: Mapping[str, Mapping[Any, Any]] = field(default_factory=dict)
    # Fields that hold a point in time, which is shown in the reader's time zone.
    moments: frozenset[str] = frozenset()
    # Fields that a history line shows even if they had no value before.
    show_new_values: frozenset[str] = frozenset()
    # The trails that have such entries.
    in_business: bool = False
    on_platform: bool = True

    def field_label(self, name: str) -> str:
        """The name on the table for a field without a label, such as one of an outside writer."""
        return str(self.fields.get(name, name))


KINDS: dict[str, KindLabels] = {}
# Kinds that no app registers are written by outside writers.
UNKNOWN = KindLabels("", fields={"name": _("name"), "status": _("status"), "reason": _("reason"), "note": _("note")})


def register_labels(
    kind: str,
    *,
    title: Promise,
    actions: Labels,
    own_actions: Labels | None = None,
    fields: Labels | None = None,
    values: Mapping[str, Mapping[Any, Any]] | None = None,
    moments: Iterable[str] = (),
    show_new_values: Iterable[str] = (),
    in_business: bool = False,
    on_platform: bool = True,
) -> None:
    """Register the labels of one kind, and the trails that have its entries."""
    labels = KindLabels(
        title,
        actions,
        own_actions or {},
        fields or {},
        values or {},
        frozenset(moments),
        frozenset(show_new_values),
        in_business,
        on_platform,
    )
    if kind in KINDS:
        raise ImproperlyConfigured(f"The audit labels of {kind} are registered twice.")
    unlabelled = {*labels.values, *labels.moments, *labels.show_new_values} - labels.fields.keys()
    if unlabelled:
        raise ImproperlyConfigured(f"The audit labels of {kind} lack the fields {sorted(unlabelled)}.")
    KINDS[kind] = labels


def labels_of(action: str) -> KindLabels:
    """The labels for entries with this action."""
    return KINDS.get(action.partition(".")[0], UNKNOWN)


@dataclass(frozen=True)
class TargetPage:
    """The page of the target of an entry."""

    route: str
    permission: BasePermission
    in_business: bool
    # Parts of the address between the business and the id of the target.
    parts: tuple[str, ...] = ()


# By the kind of the target.
TARGET_PAGES: dict[str, TargetPage] = {}


def register_target_page(
    kind: str, route: str, permission: BasePermission, *, in_business: bool = False, parts: tuple[str, ...] = ()
) -> None:
    TARGET_PAGES[kind] = TargetPage(route, permission, in_business, parts)

"""Every audited field has a label of its kind. `tests/dev/test_demo.py` checks the entries of the demo."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from bookings.fields import CUSTOMER_FIELDS, PROVIDER_FIELDS, RULE_FIELDS, SERVICE_FIELDS
from bookings.hours import WEEKDAYS
from branding.items import Theme
from branding.services import drafts
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.services import person_writes
from dashboard.platform.apikeys.fields import KEY_FIELDS
from dashboard.platform.audit.diff import changes
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.labels import KINDS, register_labels
from dashboard.platform.audit.sentences import history_line
from dashboard.platform.businesses.fields import BUSINESS_FIELDS
from dashboard.platform.configs.kinds import ConfigKind
from forum.configs.profanity import PROFANITY
from forum.configs.reasons import REASONS
from rooms.configs.domains import DOMAINS
from rooms.fields import CONTENT_FIELDS
from tests.audit.entries import raw_entry, utc

THEME = Theme.new(tenant="andina", version=1)
CONFIG_FIELDS = ("version", "add", "change", "remove", "more", "confirmed", "note")


def config_fields(kind: ConfigKind) -> list[str]:
    return [*CONFIG_FIELDS, *kind.totals({})]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("person", person_writes.audit_values(Person.new(email="ana@example.com"))),
        ("person", ("name", "language", "timezone", "theme")),
        ("business", BUSINESS_FIELDS.names),
        ("apikey", (*KEY_FIELDS.names, "state")),
        ("theme", {**drafts.form_values(THEME), **drafts.status_values(THEME)}),
        ("theme", ("due", "timezone", "note", "below_aa", "missed", "until", "views", "in_force", "made_from")),
        ("service", (*SERVICE_FIELDS.names, "active")),
        ("provider", (*PROVIDER_FIELDS.names, "active")),
        ("hours", (*WEEKDAYS, "dates")),
        ("customer", CUSTOMER_FIELDS.names),
        ("booking_rules", RULE_FIELDS.names),
        ("room", ("version", "made_from", *CONTENT_FIELDS.audit_labels)),
        ("profanity", config_fields(PROFANITY)),
        ("reasons", config_fields(REASONS)),
        ("domains", config_fields(DOMAINS)),
    ],
)
def test_every_field_of_the_services_has_a_label(kind: str, fields: Iterable[str]) -> None:
    assert list(fields)
    assert sorted(set(fields) - KINDS[kind].fields.keys()) == []


def entry_of(action: str, before: dict[str, Any], after: dict[str, Any]) -> AuditEntry:
    return AuditEntry.of(raw_entry(utc("2025-09-21T10:00:00"), "one", action=action, before=before, after=after))


@pytest.mark.parametrize(
    ("action", "label", "is_shown"),
    [("room.override", "override until", True), ("booking.create", "reserved until", True), ("person.edit", "", False)],
)
def test_each_kind_has_its_own_labels(action: str, label: str, is_shown: bool) -> None:
    entry = entry_of(action, {}, {"heldUntil": "2025-09-21T10:00:00Z"})
    (change,) = changes(entry)
    assert change.label == (label or "heldUntil")
    assert history_line(entry).note.startswith(f"{label}: ") == is_shown


def test_a_kind_that_no_app_registers_has_the_common_labels() -> None:
    labelled = changes(entry_of("content.edit", {"name": "a", "status": "ACTIVE"}, {"name": "b", "status": "draft"}))
    assert [(each.label, each.before.text, each.after.text) for each in labelled] == [
        ("name", "a", "b"),
        ("status", "ACTIVE", "draft"),
    ]


def test_labels_are_registered_once_and_for_known_fields() -> None:
    with pytest.raises(ImproperlyConfigured, match="person are registered twice"):
        register_labels("person", title=_("People"), actions={})
    with pytest.raises(ImproperlyConfigured, match=r"lack the fields \['starts'\]"):
        register_labels("visit", title=_("People"), actions={}, fields={"name": _("name")}, moments=["starts"])
    assert "visit" not in KINDS

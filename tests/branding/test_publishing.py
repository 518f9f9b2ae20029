"""Publishing, withdrawing, conflicts, low contrast, and markers moved by outside writers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from branding import queries
from branding.items import Publication, PublishedMarker
from branding.services import drafts, publishing
from dashboard.core.errors import NotFound
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.commands import Command
from dashboard.table.connection import table as the_table
from tests.audit.entries import put
from tests.conftest import ACTOR, add_business, every_engine
from tests.ui.walk import values

NewCommand = Callable[[], Command]
LOW_CONTRAST = {"textColor": "#cccccc"}


@pytest.fixture(autouse=True)
def andina(table: str, command: NewCommand) -> None:
    add_business("andina", "Coca-Cola Andina")
    for name in ("Spring", "Summer"):
        drafts.create("andina", name=name, command=command())


def statuses() -> dict[int, str | None]:
    return {theme.number: theme.status for theme in queries.versions("andina").items}


def live_version() -> int | None:
    marker = queries.find_marker("andina")
    return marker.number if marker else None


def timeline() -> list[Publication]:
    return queries.publications("andina").items


def publish_entries() -> list[AuditEntry]:
    entries = read.page(keys.AUDIT.collection(tenant="andina"), AuditEntry, limit=500, consistent=True).items
    return [entry for entry in entries if entry.action not in {"theme.create", "theme.save"}]


def put_outside_marker(version: Any, sk: str = "PUBLISHED") -> None:
    attribute = {"N": str(version)} if isinstance(version, int) else {"S": str(version)}
    item = {"PK": {"S": "BUS#andina"}, "SK": {"S": sk}, "type": {"S": "PUBLISHED_MARKER"}, "version": attribute}
    put(item | {"publishedAt": {"S": "2025-09-10T08:30:00Z"}, "publishedBy": {"S": "user-789"}})


def test_the_first_publication(table: str, command: NewCommand) -> None:
    marker = publishing.publish("andina", 1, expected_live_version=None, note="Go", command=command())
    assert marker.outcome.result == {"previous": None, "version": 1, "lost": False}
    stored = queries.find_marker("andina")
    assert stored is not None and stored.describes_live_version
    assert (stored.type, stored.version, stored.published_by) == ("PUBLISHED_MARKER", 1, ACTOR.email)
    assert (stored.title, stored.swatches) == ("Spring", queries.load_theme("andina", 1).swatches)
    theme = queries.load_theme("andina", 1)
    assert theme.first_published_at
    assert values(theme, "ttl", "time_to_archive") == (None, None)
    assert statuses() == {1: "published", 2: "draft"}
    assert [values(each, "version", "previous", "note") for each in timeline()] == [(1, None, "Go")]
    assert [(e.action, e.before, e.after) for e in publish_entries()] == [
        ("theme.publish", {"in_force": "none"}, {"in_force": "v1", "note": "Go"})
    ]


@every_engine
def test_publish_the_next_version_and_roll_back(table: str, command: NewCommand) -> None:
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    first = queries.load_theme("andina", 1).first_published_at
    publishing.publish("andina", 2, expected_live_version=1, command=command())
    assert (live_version(), statuses()) == (2, {1: "superseded", 2: "published"})
    publishing.publish("andina", 1, expected_live_version=2, command=command())
    assert (live_version(), statuses()) == (1, {1: "published", 2: "superseded"})
    assert queries.load_theme("andina", 1).first_published_at == first
    assert sorted(str(entry.action) for entry in publish_entries()) == [
        "theme.publish",
        "theme.publish",
        "theme.rollback",
    ]


@pytest.mark.parametrize("expected", [None, 2, 99])
def test_publishing_with_an_outdated_live_version_is_a_conflict(
    table: str, command: NewCommand, expected: int | None
) -> None:
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    with pytest.raises(publishing.LiveVersionChanged) as conflict:
        publishing.publish("andina", 2, expected_live_version=expected, command=command())
    marker: Any = conflict.value.item
    assert (marker.number, marker.updated_by_name, marker.updated_at is not None) == (1, ACTOR.name, True)
    assert (live_version(), len(timeline())) == (1, 1)


def test_publishing_the_live_version_changes_nothing(command: NewCommand) -> None:
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    assert publishing.publish("andina", 1, expected_live_version=1, command=command()).outcome.is_no_change
    assert len(timeline()) == len(publish_entries()) == 1


def test_an_unknown_version_is_not_found(command: NewCommand) -> None:
    with pytest.raises(NotFound):
        publishing.publish("andina", 77, expected_live_version=None, command=command())
    with pytest.raises(NotFound):
        publishing.publish("andina", 10**9, expected_live_version=None, command=command())
    assert live_version() is None


def test_low_contrast_requires_confirmation_and_is_recorded(table: str, command: NewCommand) -> None:
    theme = queries.load_theme("andina", 1)
    drafts.save("andina", 1, values=LOW_CONTRAST, files={}, name="", revision=theme.revision, command=command())
    with pytest.raises(publishing.LowContrast) as refusal:
        publishing.publish("andina", 1, expected_live_version=None, command=command())
    assert [reading.pair.id for reading in refusal.value.failing] == ["text-background", "text-surface"]
    assert live_version() is None
    publishing.publish("andina", 1, expected_live_version=None, accept_low_contrast=True, command=command())
    assert timeline()[0].below_aa == ["text-background", "text-surface"]
    assert publish_entries()[-1].after == {"in_force": "v1", "below_aa": "text-background, text-surface"}


def test_the_first_publication_can_be_withdrawn(table: str, command: NewCommand) -> None:
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    repeated_command = command()
    publishing.withdraw("andina", 1, command=repeated_command)
    assert (live_version(), statuses()) == (None, {1: "superseded", 2: "draft"})
    assert publishing.withdraw("andina", 1, command=repeated_command).number == 1, (
        "the repeated command reports success"
    )
    assert sorted(bool(each.withdrawn) for each in timeline()) == [False, True]
    with pytest.raises(publishing.LiveVersionChanged):
        publishing.withdraw("andina", 1, command=command())
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    assert live_version() == 1


# --- Markers moved by outside writers ------------------------------------------------------------
def test_a_marker_of_a_missing_theme_can_be_replaced(table: str, command: NewCommand) -> None:
    put_outside_marker(41)
    marker = queries.find_marker("andina")
    assert marker is not None and not marker.describes_live_version
    publishing.publish("andina", 1, expected_live_version=41, command=command())
    assert (live_version(), timeline()[0].previous) == (1, 41)


def test_a_marker_moved_by_an_outside_writer_is_not_overwritten(table: str, command: NewCommand) -> None:
    """An outside writer does not change our revision, so the condition compares the version itself."""
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    the_table().update_item("BUS#andina", "PUBLISHED", actions=[PublishedMarker.version.set(2)])
    with pytest.raises(publishing.LiveVersionChanged):
        publishing.publish("andina", 2, expected_live_version=1, command=command())
    stored = queries.find_marker("andina")
    assert stored is not None and (stored.number, stored.describes_live_version) == (2, False)


@pytest.mark.parametrize("version", ["none", -1, 10**12])
def test_a_marker_with_an_invalid_version_counts_as_none(table: str, command: NewCommand, version: Any) -> None:
    put_outside_marker(version)
    assert live_version() is None
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    assert live_version() == 1

"""Publishing: what moves with it, what refuses it, what another service's marker does to it, and the way back."""

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

Make = Callable[[], Command]
PALE = {"textColor": "#cccccc"}


@pytest.fixture(autouse=True)
def andina(table: str, command: Make) -> None:
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


def entries() -> list[AuditEntry]:
    found = read.page(keys.AUDIT.collection(tenant="andina"), AuditEntry, limit=500, consistent=True).items
    return [entry for entry in found if entry.action not in {"theme.create", "theme.save"}]


def marker_of_another_service(version: Any, sk: str = "PUBLISHED") -> None:
    said = {"N": str(version)} if isinstance(version, int) else {"S": str(version)}
    item = {"PK": {"S": "BUS#andina"}, "SK": {"S": sk}, "type": {"S": "PUBLISHED_MARKER"}, "version": said}
    put(item | {"publishedAt": {"S": "2025-09-10T08:30:00Z"}, "publishedBy": {"S": "user-789"}})


def test_a_first_publication(table: str, command: Make) -> None:
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
    assert [(e.action, e.before, e.after) for e in entries()] == [
        ("theme.publish", {"in_force": "none"}, {"in_force": "v1", "note": "Go"})
    ]


@every_engine
def test_the_next_one_and_back(table: str, command: Make) -> None:
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    first = queries.load_theme("andina", 1).first_published_at
    publishing.publish("andina", 2, expected_live_version=1, command=command())
    assert (live_version(), statuses()) == (2, {1: "superseded", 2: "published"})
    publishing.publish("andina", 1, expected_live_version=2, command=command())
    assert (live_version(), statuses()) == (1, {1: "published", 2: "superseded"})
    assert queries.load_theme("andina", 1).first_published_at == first
    assert sorted(str(entry.action) for entry in entries()) == ["theme.publish", "theme.publish", "theme.rollback"]


@pytest.mark.parametrize("expected", [None, 2, 99])
def test_whoever_saw_another_one_in_force_is_told(table: str, command: Make, expected: int | None) -> None:
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    with pytest.raises(publishing.LiveVersionChanged) as told:
        publishing.publish("andina", 2, expected_live_version=expected, command=command())
    marker: Any = told.value.item
    assert (marker.number, marker.updated_by_name, marker.updated_at is not None) == (1, ACTOR.name, True)
    assert (live_version(), len(timeline())) == (1, 1)


def test_what_is_in_force_already_is_not_published_again(command: Make) -> None:
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    assert publishing.publish("andina", 1, expected_live_version=1, command=command()).outcome.is_no_change
    assert len(timeline()) == len(entries()) == 1


def test_a_version_that_is_not_there(command: Make) -> None:
    with pytest.raises(NotFound):
        publishing.publish("andina", 77, expected_live_version=None, command=command())
    with pytest.raises(NotFound):
        publishing.publish("andina", 10**9, expected_live_version=None, command=command())
    assert live_version() is None


def test_what_cannot_be_read_is_asked_once_more_and_recorded(table: str, command: Make) -> None:
    theme = queries.load_theme("andina", 1)
    drafts.save("andina", 1, values=PALE, files={}, name="", revision=theme.revision, command=command())
    with pytest.raises(publishing.LowContrast) as asked:
        publishing.publish("andina", 1, expected_live_version=None, command=command())
    assert [reading.pair.id for reading in asked.value.failing] == ["text-background", "text-surface"]
    assert live_version() is None
    publishing.publish("andina", 1, expected_live_version=None, accept_low_contrast=True, command=command())
    assert timeline()[0].below_aa == ["text-background", "text-surface"]
    assert entries()[-1].after == {"in_force": "v1", "below_aa": "text-background, text-surface"}


def test_a_first_publication_is_withdrawn(table: str, command: Make) -> None:
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    again = command()
    publishing.withdraw("andina", 1, command=again)
    assert (live_version(), statuses()) == (None, {1: "superseded", 2: "draft"})
    assert publishing.withdraw("andina", 1, command=again).number == 1, "sent again it is told as done"
    assert sorted(bool(each.withdrawn) for each in timeline()) == [False, True]
    with pytest.raises(publishing.LiveVersionChanged):
        publishing.withdraw("andina", 1, command=command())
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    assert live_version() == 1


# --- Markers that other services moved -----------------------------------------------------------
def test_a_marker_whose_theme_is_missing_can_be_published_over(table: str, command: Make) -> None:
    marker_of_another_service(41)
    marker = queries.find_marker("andina")
    assert marker is not None and not marker.describes_live_version
    publishing.publish("andina", 1, expected_live_version=41, command=command())
    assert (live_version(), timeline()[0].previous) == (1, 41)


def test_a_marker_moved_by_another_service_is_not_overwritten(table: str, command: Make) -> None:
    """Theirs says nothing of our revision: the version itself is what we insist on."""
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    the_table().update_item("BUS#andina", "PUBLISHED", actions=[PublishedMarker.version.set(2)])
    with pytest.raises(publishing.LiveVersionChanged):
        publishing.publish("andina", 2, expected_live_version=1, command=command())
    stored = queries.find_marker("andina")
    assert stored is not None and (stored.number, stored.describes_live_version) == (2, False)


@pytest.mark.parametrize("version", ["none", -1, 10**12])
def test_a_marker_that_names_no_version_is_as_none(table: str, command: Make, version: Any) -> None:
    marker_of_another_service(version)
    assert live_version() is None
    publishing.publish("andina", 1, expected_live_version=None, command=command())
    assert live_version() == 1

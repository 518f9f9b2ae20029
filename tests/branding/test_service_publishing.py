"""We and the branding service publish the same versions: its conditions succeed and fail as they should."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError

from branding import queries
from branding.items import ThemeStatus
from branding.services import drafts, publishing, schedules
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.table.commands import new_command
from tests.branding import branding_service as service
from tests.branding.branding_service import BUSINESS, list_drafts, live_version, stored_status, stored_theme
from tests.conftest import ACTOR, add_business, real_engines
from tests.faults import bad_network, lose_reply, retry_until_available

pytestmark = real_engines


@pytest.fixture(autouse=True)
def drafts_of_service(table: str) -> Iterator[None]:
    add_business(BUSINESS, "Coca-Cola Andina")
    for number in range(1, 5):
        service.put_draft(number)
    yield


def publish(version: int, expected: int | None) -> None:
    command = new_command(ACTOR)
    retry_until_available(
        lambda: publishing.publish(
            BUSINESS, version, expected_live_version=expected, accept_low_contrast=True, command=command
        )
    )


def statuses() -> dict[int, str]:
    return {number: stored_status(number) for number in range(1, 5)}


def test_the_service_publishes_after_us(table: str) -> None:
    publish(1, None)
    assert stored_theme(1)["publishedBy"] == ACTOR.email and stored_theme(1)["publishedAt"]
    assert list_drafts() == [2, 3, 4]
    assert service.publish(2)
    assert statuses() == {1: "DRAFT", 2: "PUBLISHED", 3: "DRAFT", 4: "DRAFT"}
    assert list_drafts() == [1, 3, 4]
    assert "publishedAt" not in stored_theme(1)
    assert queries.load_theme(BUSINESS, 1).current_status == ThemeStatus.SUPERSEDED


def test_we_publish_after_the_service(table: str) -> None:
    assert service.publish(2)
    publish(3, 2)
    assert statuses() == {1: "DRAFT", 2: "DRAFT", 3: "PUBLISHED", 4: "DRAFT"}
    assert not {"publishedAt", "publishedBy"} & stored_theme(2).keys()
    assert not queries.load_theme(BUSINESS, 2).is_editable, "it was live"
    assert live_version() == 3


def test_each_rolls_back_what_the_other_published(table: str) -> None:
    publish(1, None)
    publish(3, 1)
    assert service.roll_back(1)
    assert statuses() == {1: "PUBLISHED", 2: "DRAFT", 3: "DRAFT", 4: "DRAFT"}
    assert service.publish(4)
    publish(3, 4)
    assert statuses() == {1: "DRAFT", 2: "DRAFT", 3: "PUBLISHED", 4: "DRAFT"}
    assert not service.publish(2), "the service publishes no lower version"
    assert not service.roll_back(4), "the service rolls back to no higher version"
    assert (live_version(), stored_status(3)) == (3, "PUBLISHED")


def test_the_service_publishes_after_we_withdraw(table: str) -> None:
    publish(1, None)
    publishing.withdraw(BUSINESS, 1, command=new_command(ACTOR))
    assert (live_version(), stored_status(1)) == (None, "DRAFT")
    assert not {"publishedAt", "publishedBy"} & stored_theme(1).keys()
    assert queries.load_theme(BUSINESS, 1).current_status == ThemeStatus.SUPERSEDED
    assert service.publish(1)
    assert queries.load_theme(BUSINESS, 1).current_status == ThemeStatus.PUBLISHED


def test_the_service_publishes_a_draft_that_we_created_and_saved(table: str) -> None:
    made = drafts.create(BUSINESS, source=4, command=new_command(ACTOR))
    drafts.save(
        BUSINESS,
        made.number,
        values={"primaryColor": "#112233"},
        files=made.assets_by_role,
        name="Spring",
        revision=made.revision,
        command=new_command(ACTOR),
    )
    assert list_drafts() == [1, 2, 3, 4, 5]
    assert stored_theme(5)["metadata"] == service.METADATA | {"palette.primary": "#112233"}
    assert stored_theme(5)["assets"] == [service.LOGO]
    assert "ttl" not in stored_theme(5), "it would delete the version after the service has published it"
    assert service.publish(5)


def test_a_discarded_draft_stays_a_draft_of_the_service(table: str) -> None:
    theme = drafts.discard(BUSINESS, 2, revision=0, command=new_command(ACTOR))
    assert (theme.is_discarded, stored_status(2)) == (True, "DRAFT")
    assert "discardedAt" in stored_theme(2)
    with pytest.raises(Refused):
        publish(2, None)
    assert service.publish(2), "the service knows no discarded drafts"
    assert queries.load_theme(BUSINESS, 2).current_status == ThemeStatus.PUBLISHED
    assert service.publish(3)
    publish(1, 3)
    drafts.restore(BUSINESS, 2, revision=theme.revision, command=new_command(ACTOR))
    assert (stored_status(2), "discardedAt" in stored_theme(2)) == ("DRAFT", False)


def test_a_version_in_lower_case_is_published_in_upper_case(table: str) -> None:
    """The service does not find a status in lower case, which a seed script writes."""
    service.put_draft(9, status="draft")
    assert service.publish(4) and not service.publish(9)
    publish(9, 4)
    assert (stored_status(9), stored_status(4)) == ("PUBLISHED", "DRAFT")
    service.put_draft(10)
    assert service.publish(10)


def between(monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any]) -> None:
    """Let the service act once between our read and our transaction."""
    load = queries.load_theme_state

    def load_then_act(*args: Any, **options: Any) -> Any:
        found = load(*args, **options)
        monkeypatch.setattr(queries, "load_theme_state", load)
        assert act() is not False
        return found

    monkeypatch.setattr(queries, "load_theme_state", load_then_act)


def test_a_publication_of_the_service_between_is_a_conflict(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(1, None)
    between(monkeypatch, lambda: service.publish(2))
    with pytest.raises(publishing.LiveVersionChanged):
        publish(3, 1)
    assert statuses() == {1: "DRAFT", 2: "PUBLISHED", 3: "DRAFT", 4: "DRAFT"}
    assert live_version() == 2


def test_a_draft_that_the_service_overwrites_between_is_published_as_it_is_now(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    between(monkeypatch, lambda: service.put_draft(3, overwrite=True, metadata={"palette.primary": "#010203"}))
    publish(3, None)
    assert stored_theme(3)["metadata"] == {"palette.primary": "#010203"}
    assert (stored_status(3), live_version()) == ("PUBLISHED", 3)


@pytest.mark.parametrize("act", ["save", "discard"])
def test_a_draft_that_the_service_publishes_between_does_not_change(
    table: str, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    between(monkeypatch, lambda: service.publish(2))
    command = new_command(ACTOR)
    with pytest.raises(Conflict):
        if act == "discard":
            drafts.discard(BUSINESS, 2, revision=0, command=command)
        else:
            drafts.save(BUSINESS, 2, values={}, files={}, name="Mine", revision=0, command=command)
    assert (stored_status(2), stored_theme(2)["assets"]) == ("PUBLISHED", [service.LOGO])
    assert not {"name", "discardedAt", "ttl"} & stored_theme(2).keys()


def test_a_withdrawal_after_a_publication_of_the_service_is_a_conflict(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(1, None)
    between(monkeypatch, lambda: service.publish(2))
    with pytest.raises(publishing.LiveVersionChanged):
        publishing.withdraw(BUSINESS, 1, command=new_command(ACTOR))
    assert (live_version(), stored_status(2)) == (2, "PUBLISHED")


def test_a_scheduled_publication_replaces_a_version_of_the_service(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = schedules.schedule(
        BUSINESS,
        1,
        due_at=now() + timedelta(hours=1),
        zone="UTC",
        accept_low_contrast=True,
        revision=0,
        command=new_command(ACTOR),
    )
    service.publish(2)
    between(monkeypatch, lambda: service.publish(4))
    assert schedules.publish_due(made) == "published v1"
    assert statuses() == {1: "PUBLISHED", 2: "DRAFT", 3: "DRAFT", 4: "DRAFT"}
    assert service.publish(3)


def test_one_version_is_live_after_a_race_with_lost_replies(table: str) -> None:
    """Half of the writers are the service. Marker and statuses agree in the end, and the service can publish."""

    def press(seed: int) -> int:
        rng, done = random.Random(seed), 0
        for _ in range(6):
            version = rng.randint(1, 4)
            try:
                if seed % 2:
                    done += service.publish(version) or service.roll_back(version)
                else:
                    publish(version, live_version())
                    done += 1
            except (Conflict, BotoCoreError):
                continue  # The other was faster, or the service lost a reply.
        return done

    # While no version is live, the service reverts none: two of its writers could each make one live.
    publish(1, None)
    with bad_network() as network, ThreadPoolExecutor(8) as threads:
        network.add_random_fault(0.04, lose_reply)
        done = sum(threads.map(press, range(8)))
        network.stop_faults()
    assert done > 4, "too few publications: the test proves nothing"
    live = live_version()
    assert [number for number, status in statuses().items() if status == "PUBLISHED"] == [live]
    service.put_draft(99)
    assert service.publish(99)

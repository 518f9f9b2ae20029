"""Scheduled versions are published once when they are due, in the name of their author, or the reason is recorded."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from branding import queries
from branding.items import ScheduledPublication, Theme, ThemeStatus
from branding.services import drafts, publishing, schedules
from dashboard.core.clock import now, shifted
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.businesses.items import Business
from dashboard.platform.due import runner
from dashboard.table import keys, read, write
from dashboard.table.commands import Actor, new_command
from tests.branding.publishing_factory import (
    BUSINESS,
    LOW_CONTRAST,
    OLIVIA,
    audit_entries,
    create_draft,
    create_published,
    live_version,
    publish,
    put_item,
    timeline,
)
from tests.conftest import add_business, real_engines
from tests.faults import act_then_break, bad_network, collide, lose_reply, lose_request, throttle
from tests.table.test_races import run_at_once
from tests.ui.walk import values

HOUR = timedelta(hours=1)
PUBLISH_ACTIONS = ("theme.publish", "theme.rollback")


@pytest.fixture(autouse=True)
def andina(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    add_business(BUSINESS, "Coca-Cola Andina", OLIVIA.email)


def schedule(theme: Theme, due_at: datetime | None = None, **options: Any) -> ScheduledPublication:
    revision = queries.load_theme(BUSINESS, theme.number).revision
    due, command = due_at or now() + HOUR, new_command(OLIVIA)
    return schedules.schedule(
        BUSINESS,
        theme.number,
        due_at=due,
        zone="UTC",
        accept_low_contrast=True,
        revision=revision,
        command=command,
        **options,
    )


def run_due() -> list[str]:
    """Run the due tasks 61 minutes later, and return their texts; none may fail."""
    with shifted(HOUR + timedelta(minutes=1)):
        results = list(runner.run())
    assert [each.text for each in results if each.failed] == []
    return [each.text for each in results]


def assert_consistent(version: int, publications: int) -> None:
    """Marker, statuses, timeline and audit entries agree."""
    assert live_version() == version
    live = [each.number for each in queries.versions(BUSINESS).items if each.status == ThemeStatus.PUBLISHED]
    assert live == [version]
    assert len(timeline()) == len(audit_entries(BUSINESS, *PUBLISH_ACTIONS)) == publications


def test_a_version_is_published_when_it_is_due(table: str) -> None:
    create_published(primaryColor="#111111")
    theme = create_draft(primaryColor="#222222")
    scheduled = schedule(theme, note="For the weekend")
    assert list(runner.run()) == [], "it is not due yet"
    assert live_version() == 1
    assert run_due() == ["published v2"]
    assert_consistent(2, publications=2)
    assert queries.schedules(BUSINESS) == []
    after = timeline()[-1]
    assert (after.version, after.previous, after.note, after.scheduled) == (2, 1, "For the weekend", 1)
    assert (after.published_by, after.published_by_name) == (OLIVIA.email, OLIVIA.name)
    entry = audit_entries(BUSINESS, *PUBLISH_ACTIONS)[-1]
    assert entry.actor == {"email": OLIVIA.email, "name": OLIVIA.name}
    assert scheduled.due_at is not None and (after.published_at or now()) > scheduled.due_at
    assert run_due() == []


def test_the_first_version_or_an_earlier_one_can_be_scheduled() -> None:
    first = create_draft()
    schedule(first)
    assert run_due() == ["published v1"]
    publish(create_draft())
    with shifted(2 * HOUR):
        schedule(first)
        run_due()
    assert_consistent(1, publications=3)
    assert [each.action for each in audit_entries(BUSINESS, *PUBLISH_ACTIONS)] == [
        "theme.publish",
        "theme.publish",
        "theme.rollback",
    ]


def test_the_last_saved_state_is_published() -> None:
    theme = create_draft(primaryColor="#111111")
    schedule(theme)
    revision = queries.load_theme(BUSINESS, theme.number).revision
    values = {"primaryColor": "#333333", **LOW_CONTRAST}
    drafts.save(
        BUSINESS, theme.number, values=values, files={}, name="", revision=revision, command=new_command(OLIVIA)
    )
    run_due()
    live = queries.load_theme(BUSINESS, theme.number)
    assert (live.style["primaryColor"], live.status) == ("#333333", ThemeStatus.PUBLISHED)
    assert timeline()[-1].below_aa == ["text-background", "text-surface"], (
        "low contrast is recorded although nobody could confirm it"
    )


def test_due_versions_are_published_in_order_of_their_time() -> None:
    themes = [create_draft() for _ in range(3)]
    for minutes, theme in zip((30, 10, 20), themes, strict=True):
        schedule(theme, now() + timedelta(minutes=minutes))
    assert run_due() == ["published v2", "published v3", "published v1"]
    assert [(each.previous, each.version) for each in timeline()] == [(None, 2), (2, 3), (3, 1)]


def test_a_version_that_is_live_at_its_time_is_not_published_again() -> None:
    theme = create_draft()
    publish(theme)
    schedule(theme)
    assert run_due() == ["v1 was already live"]
    assert_consistent(1, publications=1)
    assert queries.schedules(BUSINESS) == []
    (entry,) = audit_entries(BUSINESS, "theme.lapse")
    assert entry.actor == {"email": "system", "name": "Trastienda"}


def missed_reason() -> tuple[str, str | None]:
    """The recorded reason, and the index key, which is None if it is no longer due."""
    (planned,) = queries.schedules(BUSINESS)
    (entry,) = audit_entries(BUSINESS, "theme.miss")
    assert (entry.after or {})["missed"] == planned.missed
    assert run_due() == [], "a missed publication is not tried again"
    return str(planned.missed), planned.gsistatuspk


def test_a_missing_version_is_recorded_as_missed() -> None:
    scheduled = schedule(create_draft())
    write.remove(keys.THEME.key(tenant=BUSINESS, version=1))
    assert run_due() == ["could not publish v1: gone"]
    assert missed_reason() == ("gone", None)
    schedules.cancel(BUSINESS, scheduled.due_key, 1, command=new_command(OLIVIA))
    assert queries.schedules(BUSINESS) == []


def test_a_version_discarded_by_an_outside_writer_is_missed() -> None:
    theme = create_draft()
    schedule(theme)
    put_item(theme.key, type="THEME", version=1, status="discarded")
    assert run_due() == ["could not publish v1: discarded"]
    assert missed_reason() == ("discarded", None)
    assert live_version() is None


@pytest.mark.parametrize("status", ["SUSPENDED", "CANCELLED", "SOMETHING"])
def test_a_business_that_is_not_active_publishes_nothing(status: str) -> None:
    schedule(create_draft())
    write.update(keys.TENANT.key(tenant=BUSINESS), [Business.status.set(status)])
    assert run_due() == ["could not publish v1: closed"]
    assert missed_reason() == ("closed", None)
    assert live_version() is None


def test_a_missing_business_publishes_nothing() -> None:
    schedule(create_draft())
    write.remove(keys.TENANT.key(tenant=BUSINESS))
    assert run_due() == ["could not publish v1: closed"]


def test_a_missed_version_does_not_stop_the_others() -> None:
    gone, theme = create_draft(), create_draft()
    schedule(gone, now() + timedelta(minutes=10))
    schedule(theme, now() + timedelta(minutes=20))
    write.remove(gone.key)
    assert run_due() == ["could not publish v1: gone", "published v2"]


def test_a_schedule_of_an_outside_writer_is_published_by_the_system() -> None:
    theme = create_draft()
    key = keys.SCHEDULED.key(tenant=BUSINESS, due_at=now(), version=theme.number)
    put_item(key, version=1, dueAt=key.sk.split("#")[1], GSIStatusPK="DUE", GSIStatusSK=key.sk.split("#")[1])
    assert run_due() == ["published v1"]
    assert timeline()[0].published_by == "system"


# --- Concurrency and lost replies ----------------------------------------------------------------
@real_engines
def test_discarding_and_scheduling_at_once_one_of_them_fails(table: str) -> None:
    for _ in range(6):
        theme = create_draft()
        errors: list[str] = []

        def act(number: int, theme: Theme = theme, errors: list[str] = errors) -> None:
            due, command = now() + timedelta(days=theme.number), new_command(OLIVIA)
            try:
                if number % 2:
                    schedules.schedule(
                        BUSINESS, theme.number, due_at=due, zone="UTC", revision=theme.revision, command=command
                    )
                else:
                    drafts.discard(BUSINESS, theme.number, revision=theme.revision, command=command)
            except (Conflict, Refused) as refusal:
                errors.append(type(refusal).__name__)

        run_at_once(act, threads=2)
        planned = any(each.number == theme.number for each in queries.schedules(BUSINESS))
        assert planned != queries.load_theme(BUSINESS, theme.number).is_discarded
        assert len(errors) == 1


@real_engines
def test_concurrent_runs_publish_each_version_once(table: str) -> None:
    for number in range(6):
        schedule(create_draft(), now() + timedelta(minutes=number + 1))
    results: list[runner.TaskResult] = []
    with shifted(HOUR):
        run_at_once(lambda _: results.extend(runner.run()), threads=6)
    assert [each.text for each in results if each.failed] == []
    assert sorted(each.text for each in results) == [f"published v{number}" for number in range(1, 7)]
    assert queries.schedules(BUSINESS) == []
    assert len({each.version for each in timeline()}) == 6
    assert_consistent(live_version() or 0, publications=6)


@real_engines
def test_many_workers_with_the_same_schedule_publish_once(table: str) -> None:
    """After a run seemed dead, several workers have the same loaded item: one of them publishes it."""
    scheduled = schedule(create_draft())
    loaded = read.get(ScheduledPublication, scheduled.key)
    assert loaded is not None
    outcomes: list[str] = []
    with shifted(2 * HOUR):
        run_at_once(lambda _: outcomes.append(schedules.publish_due(loaded)), threads=8)
        assert "published v1" in outcomes
        assert set(outcomes) <= {"published v1", "it was cancelled or published meanwhile"}
        again = schedules.publish_due(loaded)
    assert again == "it was cancelled or published meanwhile"
    assert_consistent(1, publications=1)
    assert audit_entries(BUSINESS, "theme.lapse") == []


@real_engines
def test_people_and_runs_publish_concurrently(table: str) -> None:
    """Each publication replaces the previous one; a person who is slower gets an error, a run tries again."""
    themes = [create_draft() for _ in range(6)]
    for theme in themes[:3]:
        schedule(theme, now() + timedelta(minutes=theme.number))
    conflicts: list[int] = []

    def act(number: int) -> None:
        if number < 3:
            list(runner.run())
            return
        for _ in range(5):
            try:
                publish(themes[number])
            except publishing.LiveVersionChanged:
                conflicts.append(number)
            else:
                return

    with shifted(HOUR):
        run_at_once(act, threads=6)
    assert queries.schedules(BUSINESS) == []
    steps = [(each.previous, each.version) for each in timeline()]
    assert {version for _, version in steps} >= {1, 2, 3}
    assert_consistent(live_version() or 0, publications=len(steps))
    # An unbroken chain: each publication replaced the version of the one before.
    next_version = dict(steps)
    assert len(next_version) == len(steps) and None in next_version


@real_engines
def test_cancelling_and_publishing_at_once_one_of_them_succeeds(table: str) -> None:
    for _ in range(6):
        theme = create_draft()
        scheduled = schedule(theme)
        outcomes: list[str] = []

        def act(number: int, scheduled: ScheduledPublication = scheduled, outcomes: list[str] = outcomes) -> None:
            if number:
                outcomes.append(schedules.publish_due(scheduled))
                return
            try:
                schedules.cancel(BUSINESS, scheduled.due_key, scheduled.number, command=new_command(OLIVIA))
                outcomes.append("cancelled")
            except NotFound:
                outcomes.append("too late")

        with shifted(2 * HOUR):
            run_at_once(act, threads=2)
        live = live_version() == theme.number
        assert ("cancelled" in outcomes) != live
        assert (f"published v{theme.number}" in outcomes) == live
        assert queries.schedules(BUSINESS) == []


@real_engines
@pytest.mark.parametrize("fault", [lose_reply, act_then_break, lose_request, collide, throttle])
def test_network_faults_only_delay_a_publication(table: str, fault: Any) -> None:
    create_published()
    schedule(create_draft())
    with bad_network() as network:
        for turn in range(4):
            with shifted(HOUR * (turn + 1) + timedelta(minutes=1)):
                network.next("TransactWriteItems", fault, fault)
                list(runner.run())
        network.stop_faults()
    with shifted(HOUR * 6):
        list(runner.run())
    assert queries.schedules(BUSINESS) == []
    assert_consistent(2, publications=2)


@real_engines
def test_the_next_run_takes_over_from_a_killed_run(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    schedule(create_draft())

    class Killed(BaseException):
        pass

    def kill(*_: Any, **__: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch, shifted(HOUR + timedelta(minutes=1)):
        patch.setattr(publishing, "publish", kill)
        with pytest.raises(Killed):
            list(runner.run())
        assert list(runner.run()) == [], "the killed run still has the lease"
    with shifted(HOUR + timedelta(minutes=2) + runner.LEASE):
        assert [each.text for each in runner.run()] == ["published v1"]
    assert_consistent(1, publications=1)


def test_a_publication_names_its_author_even_without_an_account() -> None:
    """A schedule stays valid until someone cancels it, even without its author."""
    theme = create_draft()
    revision = queries.load_theme(BUSINESS, theme.number).revision
    by = Actor("gone@example.com")
    schedules.schedule(BUSINESS, 1, due_at=now() + HOUR, zone="UTC", revision=revision, command=new_command(by))
    run_due()
    assert values(timeline()[0], "published_by", "published_by_name") == ("gone@example.com", None)

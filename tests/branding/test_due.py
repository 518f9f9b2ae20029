"""What was set goes live when its moment has come: once, in the name of whoever set it, or it says why not."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from branding import queries
from branding.items import ScheduledPublication, Status, Theme
from branding.services import drafts, publishing, schedules
from dashboard.core.clock import now, shifted
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.businesses.items import Business
from dashboard.platform.due import runner
from dashboard.table import keys, read, write
from dashboard.table.commands import Actor, new_command
from tests.branding.publishing_factory import (
    BUSINESS,
    FAINT,
    OLIVIA,
    draft,
    live_version,
    publish,
    published,
    put,
    timeline,
    trail,
)
from tests.conftest import add_business, real_engines
from tests.faults import act_then_break, bad_network, collide, lose_reply, lose_request, throttle
from tests.table.test_races import run_at_once
from tests.ui.walk import values

HOUR = timedelta(hours=1)
DONE = ("theme.publish", "theme.rollback")


@pytest.fixture(autouse=True)
def andina(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    add_business(BUSINESS, "Coca-Cola Andina", OLIVIA.email)


def set_for(theme: Theme, due_at: datetime | None = None, **options: Any) -> ScheduledPublication:
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


def run() -> list[str]:
    """What a run says, an hour and a minute later; nothing of it may fail."""
    with shifted(HOUR + timedelta(minutes=1)):
        told = list(runner.run())
    assert [each.text for each in told if each.failed] == []
    return [each.text for each in told]


def assert_consistent(version: int, publications: int) -> None:
    """Marker, statuses, timeline and trail agree."""
    assert live_version() == version
    live = [each.number for each in queries.versions(BUSINESS).items if each.status == Status.PUBLISHED]
    assert live == [version]
    assert len(timeline()) == len(trail(BUSINESS, *DONE)) == publications


def test_a_version_goes_live_when_its_moment_has_come(table: str) -> None:
    published(primaryColor="#111111")
    theme = draft(primaryColor="#222222")
    made = set_for(theme, note="For the weekend")
    assert list(runner.run()) == [], "not a second earlier"
    assert live_version() == 1
    assert run() == ["published v2"]
    assert_consistent(2, publications=2)
    assert queries.schedules(BUSINESS) == []
    after = timeline()[-1]
    assert (after.version, after.previous, after.note, after.scheduled) == (2, 1, "For the weekend", 1)
    assert (after.published_by, after.published_by_name) == (OLIVIA.email, OLIVIA.name)
    entry = trail(BUSINESS, *DONE)[-1]
    assert entry.actor == {"email": OLIVIA.email, "name": OLIVIA.name}
    assert made.due_at is not None and (after.published_at or now()) > made.due_at
    assert run() == []


def test_it_is_the_first_one_or_an_earlier_one_again() -> None:
    first = draft()
    set_for(first)
    assert run() == ["published v1"]
    publish(draft())
    with shifted(2 * HOUR):
        set_for(first)
        run()
    assert_consistent(1, publications=3)
    assert [each.action for each in trail(BUSINESS, *DONE)] == ["theme.publish", "theme.publish", "theme.rollback"]


def test_what_is_saved_until_then_is_what_goes_live() -> None:
    theme = draft(primaryColor="#111111")
    set_for(theme)
    revision = queries.load_theme(BUSINESS, theme.number).revision
    typed = {"primaryColor": "#333333", **FAINT}
    drafts.save(BUSINESS, theme.number, values=typed, files={}, name="", revision=revision, command=new_command(OLIVIA))
    run()
    live = queries.load_theme(BUSINESS, theme.number)
    assert (live.style["primaryColor"], live.status) == ("#333333", Status.PUBLISHED)
    assert timeline()[-1].below_aa == ["text-background", "text-surface"], "noted, though nobody could be asked"


def test_several_that_are_due_go_in_turn() -> None:
    themes = [draft() for _ in range(3)]
    for minutes, theme in zip((30, 10, 20), themes, strict=True):
        set_for(theme, now() + timedelta(minutes=minutes))
    assert run() == ["published v2", "published v3", "published v1"]
    assert [(each.previous, each.version) for each in timeline()] == [(None, 2), (2, 3), (3, 1)]


def test_someone_published_it_by_hand_before() -> None:
    theme = draft()
    set_for(theme)
    publish(theme)
    assert run() == ["v1 was already live"]
    assert_consistent(1, publications=1)
    assert queries.schedules(BUSINESS) == []
    (entry,) = trail(BUSINESS, "theme.lapse")
    assert entry.actor == {"email": "system", "name": "Trastienda"}


def missed() -> tuple[str, str | None]:
    """Why it did not happen, and whether it still is due."""
    (planned,) = queries.schedules(BUSINESS)
    (entry,) = trail(BUSINESS, "theme.miss")
    assert (entry.after or {})["missed"] == planned.missed
    assert run() == [], "it is not tried again"
    return str(planned.missed), planned.gsistatuspk


def test_the_version_is_gone() -> None:
    made = set_for(draft())
    write.remove(keys.THEME.key(tenant=BUSINESS, version=1))
    assert run() == ["could not publish v1: gone"]
    assert missed() == ("gone", None)
    schedules.cancel(BUSINESS, made.due_key, 1, command=new_command(OLIVIA))
    assert queries.schedules(BUSINESS) == []


def test_the_draft_was_discarded_by_someone_who_asked_nobody() -> None:
    theme = draft()
    set_for(theme)
    put(theme.key, type="THEME", version=1, status="discarded")
    assert run() == ["could not publish v1: discarded"]
    assert missed() == ("discarded", None)
    assert live_version() is None


@pytest.mark.parametrize("status", ["SUSPENDED", "CANCELLED", "SOMETHING"])
def test_the_business_is_closed(status: str) -> None:
    set_for(draft())
    write.update(keys.TENANT.key(tenant=BUSINESS), [Business.status.set(status)])
    assert run() == ["could not publish v1: closed"]
    assert missed() == ("closed", None)
    assert live_version() is None


def test_the_business_is_gone() -> None:
    set_for(draft())
    write.remove(keys.TENANT.key(tenant=BUSINESS))
    assert run() == ["could not publish v1: closed"]


def test_one_that_is_missed_stops_no_other() -> None:
    gone, theme = draft(), draft()
    set_for(gone, now() + timedelta(minutes=10))
    set_for(theme, now() + timedelta(minutes=20))
    write.remove(gone.key)
    assert run() == ["could not publish v1: gone", "published v2"]


def test_one_of_another_service_goes_live_in_nobodys_name() -> None:
    theme = draft()
    key = keys.SCHEDULED.key(tenant=BUSINESS, due_at=now(), version=theme.number)
    put(key, version=1, dueAt=key.sk.split("#")[1], GSIStatusPK="DUE", GSIStatusSK=key.sk.split("#")[1])
    assert run() == ["published v1"]
    assert timeline()[0].published_by == "system"


# --- Several at once, and replies that never come ------------------------------------------------
@real_engines
def test_discarding_and_setting_at_the_same_moment_one_of_them_is_told(table: str) -> None:
    for _ in range(6):
        theme = draft()
        told: list[str] = []

        def act(number: int, theme: Theme = theme, told: list[str] = told) -> None:
            due, command = now() + timedelta(days=theme.number), new_command(OLIVIA)
            try:
                if number % 2:
                    schedules.schedule(
                        BUSINESS, theme.number, due_at=due, zone="UTC", revision=theme.revision, command=command
                    )
                else:
                    drafts.discard(BUSINESS, theme.number, revision=theme.revision, command=command)
            except (Conflict, Refused) as refusal:
                told.append(type(refusal).__name__)

        run_at_once(act, threads=2)
        planned = any(each.number == theme.number for each in queries.schedules(BUSINESS))
        assert planned != queries.load_theme(BUSINESS, theme.number).is_discarded
        assert len(told) == 1


@real_engines
def test_runs_at_once_publish_each_version_once(table: str) -> None:
    for number in range(6):
        set_for(draft(), now() + timedelta(minutes=number + 1))
    told: list[runner.TaskResult] = []
    with shifted(HOUR):
        run_at_once(lambda _: told.extend(runner.run()), threads=6)
    assert [each.text for each in told if each.failed] == []
    assert sorted(each.text for each in told) == [f"published v{number}" for number in range(1, 7)]
    assert queries.schedules(BUSINESS) == []
    assert len({each.version for each in timeline()}) == 6
    assert_consistent(live_version() or 0, publications=6)


@real_engines
def test_many_hands_carry_out_the_same_one_past_every_lease(table: str) -> None:
    """As after a run that was thought dead: each has the item in hand, and one of them publishes."""
    made = set_for(draft())
    held = read.get(ScheduledPublication, made.key)
    assert held is not None
    said: list[str] = []
    with shifted(2 * HOUR):
        run_at_once(lambda _: said.append(schedules.publish_due(held)), threads=8)
        assert "published v1" in said
        assert set(said) <= {"published v1", "it was cancelled or published meanwhile"}
        again = schedules.publish_due(held)
    assert again == "it was cancelled or published meanwhile"
    assert_consistent(1, publications=1)
    assert trail(BUSINESS, "theme.lapse") == []


@real_engines
def test_people_publish_while_runs_do(table: str) -> None:
    """Whoever is slower goes over what the faster one put there; a person is told, a run tries again."""
    themes = [draft() for _ in range(6)]
    for theme in themes[:3]:
        set_for(theme, now() + timedelta(minutes=theme.number))
    overtaken: list[int] = []

    def act(number: int) -> None:
        if number < 3:
            list(runner.run())
            return
        for _ in range(5):
            try:
                publish(themes[number])
            except publishing.LiveVersionChanged:
                overtaken.append(number)
            else:
                return

    with shifted(HOUR):
        run_at_once(act, threads=6)
    assert queries.schedules(BUSINESS) == []
    steps = [(each.previous, each.version) for each in timeline()]
    assert {version for _, version in steps} >= {1, 2, 3}
    assert_consistent(live_version() or 0, publications=len(steps))
    # One unbroken line: each went over what the one before had put in force.
    followed = dict(steps)
    assert len(followed) == len(steps) and None in followed


@real_engines
def test_cancelling_and_carrying_out_at_the_same_moment(table: str) -> None:
    for _ in range(6):
        theme = draft()
        made = set_for(theme)
        told: list[str] = []

        def act(number: int, made: ScheduledPublication = made, told: list[str] = told) -> None:
            if number:
                told.append(schedules.publish_due(made))
                return
            try:
                schedules.cancel(BUSINESS, made.due_key, made.number, command=new_command(OLIVIA))
                told.append("cancelled")
            except NotFound:
                told.append("too late")

        with shifted(2 * HOUR):
            run_at_once(act, threads=2)
        live = live_version() == theme.number
        assert ("cancelled" in told) != live
        assert (f"published v{theme.number}" in told) == live
        assert queries.schedules(BUSINESS) == []


@real_engines
@pytest.mark.parametrize("fault", [lose_reply, act_then_break, lose_request, collide, throttle])
def test_a_bad_network_makes_it_late_at_the_most(table: str, fault: Any) -> None:
    published()
    set_for(draft())
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
def test_a_run_that_was_killed_is_followed_by_another(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    set_for(draft())

    class Killed(BaseException):
        pass

    def die(*_: Any, **__: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch, shifted(HOUR + timedelta(minutes=1)):
        patch.setattr(publishing, "publish", die)
        with pytest.raises(Killed):
            list(runner.run())
        assert list(runner.run()) == [], "the other still has it"
    with shifted(HOUR + timedelta(minutes=2) + runner.LEASE):
        assert [each.text for each in runner.run()] == ["published v1"]
    assert_consistent(1, publications=1)


def test_the_trail_names_whoever_set_it_though_they_are_gone() -> None:
    """Nobody is asked: what was set is carried out until someone cancels it."""
    theme = draft()
    revision = queries.load_theme(BUSINESS, theme.number).revision
    by = Actor("gone@example.com")
    schedules.schedule(BUSINESS, 1, due_at=now() + HOUR, zone="UTC", revision=revision, command=new_command(by))
    run()
    assert values(timeline()[0], "published_by", "published_by_name") == ("gone@example.com", None)

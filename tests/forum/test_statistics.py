"""The numbers are those of the log: counted by hand, rolled up, and both on one page."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.platform.accounts.items import Person
from dashboard.platform.due import runner
from dashboard.table import keys, read
from dashboard.table.commands import Actor, new_command
from forum.actions import Action
from forum.items import ModerationDay
from forum.queries.log import load_entry
from forum.services import decisions
from forum.statistics import queries, services
from forum.statistics.tally import BOUNDS, Tally, tally, within
from tests.conftest import every_engine, real_engines, sign_in
from tests.forum.factories import CLEAN_TEXT, MARCO, TEXT_TO_BAN, TEXT_TO_REVIEW, a_comment, a_post, decided
from tests.forum.logs import THE_FILTER, logged_entry, put, put_all, utc
from tests.table.test_races import at_once
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of

MONDAY = utc("2025-09-15T10:00:00")
DAY = timedelta(days=1)
THURSDAY = MONDAY + 3 * DAY
LUCIA = Actor("lucia@example.com", "Lucía Mora")


def at(moment: datetime, step: Any) -> Any:
    with frozen(moment):
        return step()


def undo(item: Any, by: Actor = MARCO) -> Any:
    found = load_entry(item.outcome.result["entry"])
    return decisions.undo(found, command=new_command(by))


def a_history() -> None:
    """Three days: a ban that stays and one that is undone, a filter's ban restored and one not, two approvals."""
    one = at(MONDAY, lambda: a_post(TEXT_TO_REVIEW))
    two = at(MONDAY, lambda: a_post(TEXT_TO_REVIEW))
    foul = at(MONDAY, lambda: a_post(TEXT_TO_BAN))
    at(MONDAY, lambda: a_post(TEXT_TO_BAN))
    banned = at(MONDAY + timedelta(minutes=4), lambda: decided(one, Action.BAN))
    # A minute later it is taken back: that is a restoration, and no decision of its own.
    at(MONDAY + timedelta(minutes=5), lambda: undo(banned))
    at(MONDAY + timedelta(hours=3), lambda: decided(two, Action.BAN, by=LUCIA))
    # On Tuesday the filter's ban comes back, is banned again by undoing that, and comes back for good.
    restored = at(MONDAY + DAY, lambda: decided(foul, Action.RESTORE, by=LUCIA))
    again = at(MONDAY + DAY + timedelta(minutes=1), lambda: undo(restored, LUCIA))
    at(MONDAY + DAY + timedelta(minutes=2), lambda: decided(again, Action.RESTORE, by=LUCIA))
    # On Thursday, today: two approvals, one of them a comment.
    at(THURSDAY - timedelta(minutes=30), lambda: decided(a_comment(a_post(CLEAN_TEXT), TEXT_TO_REVIEW), Action.APPROVE))
    at(THURSDAY, lambda: decided(a_post(TEXT_TO_REVIEW), Action.APPROVE))


def night(moment: datetime) -> list[runner.TaskResult]:
    with frozen(moment):
        return list(runner.run())


def counted(days: int = 7, now: datetime = THURSDAY) -> queries.Statistics:
    with frozen(now):
        return queries.load_statistics(days)


def summed(found: queries.Statistics) -> Tally:
    whole = Tally()
    for each in found.days.values():
        whole.add(each)
    return whole


def check(found: queries.Statistics) -> None:
    whole = summed(found)
    assert whole.actions == Counter(ban=5, restore=3, approve=2)
    assert whole.people == {
        "profanity@v00000000": Counter(ban=2),
        MARCO.email: Counter(ban=1, restore=1, approve=2),
        LUCIA.email: Counter(ban=2, restore=2),
    }
    assert whole.names == {MARCO.email: MARCO.name, LUCIA.email: LUCIA.name}
    # Four bans that were made; the undone one and one of the filter's came back, the latter once in the end.
    assert (whole.bans, whole.restored) == (4, 2)
    assert (whole.filter_bans, whole.filter_restored) == (2, 1)
    # 4 minutes, 3 hours, two at once; the filter's ban after a day, and as that was taken back, once more.
    waits = dict(zip([*BOUNDS, None], whole.waits, strict=True))
    assert {bound: number for bound, number in waits.items() if number} == {
        60: 2,
        300: 1,
        14400: 1,
        86400: 1,
        172800: 1,
    }
    assert (within(whole.waits, 0.5), within(whole.waits, 0.9)) == (300, 172800)
    assert [each.total for each in found.days.values()] == [0, 0, 0, 5, 3, 0, 2]


@every_engine
def test_the_numbers_are_exact_before_and_after_they_are_rolled_up(table: str) -> None:
    a_history()
    live = counted(3)
    assert live.missing == [] and [each.total for each in live.days.values()] == [3, 0, 2]
    before = counted()
    assert [day.isoformat() for day in before.missing] == ["2025-09-12", "2025-09-13", "2025-09-14", "2025-09-15"]

    said = [str(each) for each in night(THURSDAY)]
    assert "ensure_moderation_statistics: began to count the moderation log" in said
    assert any("counted 2 days of the moderation log, through 2025-09-17" in each for each in said)

    after = counted()
    check(after)
    assert after.missing == [] and after.partial == []
    record = queries.rollup()
    assert record is not None and record.due_at == utc("2025-09-19T00:15:00")
    kept = {each.key_parts["date"] for each in read.page(keys.MODERATION_DAY.collection(), ModerationDay).items}
    assert kept == {"2025-09-15", "2025-09-16"}, "a day without entries is not written"


def test_days_in_between_are_made_up_and_counted_once(table: str) -> None:
    a_history()
    night(MONDAY + DAY)
    assert queries.rollup().through == "2025-09-15"  # type: ignore[union-attr]
    # Nobody ran it for a week.
    said = night(MONDAY + 8 * DAY)
    assert any("counted 2 days of the moderation log, through 2025-09-22" in str(each) for each in said)
    assert not any("moderation rollup" in str(each) for each in night(MONDAY + 8 * DAY)), "nothing is due again"
    check(counted())
    # A day is settled a quarter of an hour after it is over.
    with frozen(utc("2025-09-24T00:10:00")):
        assert services.roll_up(queries.rollup()) == 0  # type: ignore[arg-type]
        assert queries.rollup().through == "2025-09-22"  # type: ignore[union-attr]


@real_engines
def test_two_roll_ups_at_once_count_each_day_once(table: str) -> None:
    put_all(logged_entry(MONDAY + n * DAY, f"n{n}") for n in range(5))
    with frozen(MONDAY + 5 * DAY):
        assert services.begin() and not services.begin()
        record = queries.rollup()
        assert record is not None
    done: list[int] = []

    def run(_: int) -> None:
        with frozen(MONDAY + 5 * DAY):
            own = queries.rollup()
            assert own is not None
            done.append(services.roll_up(own))

    at_once(run, threads=6)
    days = read.page(keys.MODERATION_DAY.collection(), ModerationDay).items
    assert [Tally.from_dict(each.counts).actions for each in days] == [Counter(ban=1)] * 5
    found = queries.rollup()
    assert found is not None and found.through == "2025-09-19"
    # And once more over what is there: the same.
    with frozen(MONDAY + 5 * DAY):
        found.through = None
        services.roll_up(found)
    assert [each.counts for each in read.page(keys.MODERATION_DAY.collection(), ModerationDay).items] == [
        each.counts for each in days
    ]


def test_a_tally_is_kept_and_read_back_whatever_else_stands_there() -> None:
    made = tally([])
    made.actions["ban"], made.people["a@b.c"] = 3, Counter(ban=3)
    made.waits[2] = 7
    assert Tally.from_dict(made.to_dict()) == made
    for odd in (None, "x", {"waits": [1], "actions": "?", "people": {"a": 3}, "bans": "many"}):
        assert Tally.from_dict(odd).total == 0


# --- The page ------------------------------------------------------------------------------------
@pytest.fixture
def as_moderator(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def table_of(page: Element, id: str) -> dict[str, list[str]]:
    section = page.one("section", aria_labelledby=id)
    return {row.one("th").text: [cell.text for cell in row.all("td")] for row in section.one("tbody").all("tr")}


def test_the_page_shows_them_as_charts_with_their_tables(as_moderator: Client) -> None:
    a_history()
    night(THURSDAY)
    with frozen(THURSDAY):
        response = as_moderator.get("/forum/numbers/?days=7")
    page = parse(response)
    assert table_of(page, "a-person")["Lucía Mora lucia@example.com"] == ["", "4", "2", "2", "0"]
    assert table_of(page, "a-person")["Filter v0 profanity@v00000000"] == ["", "2", "2", "0", "0"]
    assert table_of(page, "came-back")["All bans"] == ["", "50 %", "2", "4"]
    assert table_of(page, "came-back")["By the filter"] == ["", "50 %", "1", "2"]
    assert table_of(page, "how-soon")["up to 5 min"] == ["", "1"]
    assert "half within 5 min, 90 of 100 within 2 days" in page.by_class("details")[0].text
    assert "2 of 4 bans (50 %)" in page.by_class("details")[0].text
    days = list(table_of(page, "a-day").values())
    assert [row[-1] for row in days] == ["2", "0", "3", "5", "0", "0", "0"]
    chart = page.one("svg", role="img")
    assert "10 in all" in chart.attrs["aria-label"]
    assert len(chart.by_class("column")) == 7
    assert [len(column.all("rect")) - 1 for column in chart.by_class("column")] == [0, 0, 0, 2, 2, 0, 1]
    log = calls_of(response)
    # The days that are rolled up, how far, two counts, and the last days as they are: today in stretches.
    assert (len(log.calls), log.trips) == (1 + 4 + 2 + 3, 2)


def test_a_lot_in_a_day_is_bounded_and_said(as_moderator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MAX_ENTRIES", 20)
    put_all(logged_entry(THURSDAY - timedelta(minutes=n), f"n{n:03}", admin=THE_FILTER) for n in range(90))
    with frozen(THURSDAY):
        response = as_moderator.get("/forum/numbers/")
    page = parse(response)
    assert "too many actions to count live" in page.by_class("notice")[-1].text
    assert calls_of(response).trips == 2
    assert table_of(page, "a-person")["Filter v3 profanity@v00000003"][1] == "20"


def test_an_empty_forum_teaches_and_complains_of_nothing(as_moderator: Client) -> None:
    for asked in ("", "?days=7", "?days=90", "?days=x", "?days=-1"):
        response = as_moderator.get(f"/forum/numbers/{asked}")
        assert response.status_code == 200
        page = parse(response)
        assert "No actions in this period" in page.by_class("empty")[0].text
        assert page.by_class("notice") == []
        current = [tab.text for tab in page.by_class("tabs")[0].all("a") if "aria-current" in tab.attrs]
        assert current == ["90 days" if "90" in asked else "7 days"]


def test_who_may_see_them(people_by_role: dict[str, Person]) -> None:
    for role, status in {"admin": 200, "moderator": 200, "staff": 403, "owner": 403}.items():
        assert sign_in(people_by_role[role]).get("/forum/numbers/").status_code == status


def test_odd_entries_and_odd_days_are_no_error(as_moderator: Client) -> None:
    put({"PK": {"S": "MODLOG#2025-09-18"}, "SK": {"S": "zebra"}, "metadata": {"S": "?"}})
    put({"PK": {"S": "MODLOG#2025-09-18"}, "SK": {"S": "2025-09-18T09:00:00Z#m#i"}, "action": {"S": "warn"}})
    put({"PK": {"S": "MODSTATS"}, "SK": {"S": "2025-09-1x"}, "counts": {"S": "?"}})
    with frozen(THURSDAY):
        page = parse(as_moderator.get("/forum/numbers/?days=7"))
    assert table_of(page, "a-person")["?"][1] == "1"
    assert "Other" in page.by_class("legend")[0].text

"""The statistics agree with the moderation log, counted live and rolled up by day."""

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
from forum.statistics.tally import BOUNDS, ModerationTally, tally, within
from tests.conftest import every_engine, real_engines, sign_in
from tests.forum.factories import CLEAN_TEXT, MARCO, TEXT_TO_BAN, TEXT_TO_REVIEW, create_comment, create_post, decide
from tests.forum.logs import FILTER_ID, put, put_all, raw_log_entry, utc
from tests.table.test_races import run_at_once
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of

MONDAY = utc("2025-09-15T10:00:00")
DAY = timedelta(days=1)
THURSDAY = MONDAY + 3 * DAY
LUCIA = Actor("lucia@example.com", "Lucía Mora")


def run_at(moment: datetime, step: Any) -> Any:
    with frozen(moment):
        return step()


def undo(item: Any, by: Actor = MARCO) -> Any:
    found = load_entry(item.outcome.result["entry"])
    return decisions.undo(found, command=new_command(by))


def create_history() -> None:
    """Decisions on three days: two bans, one of them undone; two bans by the filter, one restored; two approvals."""
    one = run_at(MONDAY, lambda: create_post(TEXT_TO_REVIEW))
    two = run_at(MONDAY, lambda: create_post(TEXT_TO_REVIEW))
    foul = run_at(MONDAY, lambda: create_post(TEXT_TO_BAN))
    run_at(MONDAY, lambda: create_post(TEXT_TO_BAN))
    banned = run_at(MONDAY + timedelta(minutes=4), lambda: decide(one, Action.BAN))
    # Two hours later the ban is undone: this counts as a restoration, not as a new decision.
    run_at(MONDAY + timedelta(hours=2), lambda: undo(banned))
    run_at(MONDAY + timedelta(hours=3), lambda: decide(two, Action.BAN, by=LUCIA))
    # On Tuesday the post that the filter banned is restored, banned again by an undo, and restored again.
    restored = run_at(MONDAY + DAY, lambda: decide(foul, Action.RESTORE, by=LUCIA))
    again = run_at(MONDAY + DAY + timedelta(minutes=1), lambda: undo(restored, LUCIA))
    run_at(MONDAY + DAY + timedelta(minutes=2), lambda: decide(again, Action.RESTORE, by=LUCIA))
    # On Thursday, today: two approvals, one of them a comment.
    run_at(
        THURSDAY - timedelta(minutes=30),
        lambda: decide(create_comment(create_post(CLEAN_TEXT), TEXT_TO_REVIEW), Action.APPROVE),
    )
    run_at(THURSDAY, lambda: decide(create_post(TEXT_TO_REVIEW), Action.APPROVE))


def test_a_mistaken_ban_counts_neither_as_a_ban_nor_as_restored(table: str) -> None:
    """The same person undoes it within an hour. Undoing the undo makes the ban count again."""
    mistake, late, overruled = (run_at(MONDAY, lambda: create_post(TEXT_TO_REVIEW)) for _ in range(3))
    banned = [run_at(MONDAY, lambda post=post: decide(post, Action.BAN)) for post in (mistake, late, overruled)]
    undone = run_at(MONDAY + timedelta(minutes=59), lambda: undo(banned[0]))
    run_at(MONDAY + timedelta(minutes=61), lambda: undo(banned[1]))
    run_at(MONDAY + timedelta(minutes=1), lambda: undo(banned[2], LUCIA))
    total = sum_days(load_statistics(now=MONDAY + timedelta(hours=2)))
    assert (total.actions["ban"], total.bans, total.restored) == (3, 2, 2), "the actions are those of the log"
    run_at(MONDAY + timedelta(minutes=70), lambda: undo(undone))
    total = sum_days(load_statistics(now=MONDAY + timedelta(hours=2)))
    assert (total.bans, total.restored) == (3, 2)


def test_a_mistake_before_midnight_is_subtracted_from_the_next_day(table: str) -> None:
    late = MONDAY.replace(hour=23, minute=50)
    banned = run_at(late, lambda: decide(create_post(TEXT_TO_REVIEW), Action.BAN))
    run_due_tasks(late + timedelta(minutes=11))
    run_at(late + timedelta(minutes=20), lambda: undo(banned))
    run_due_tasks(THURSDAY)
    total = sum_days(load_statistics())
    assert (total.actions["ban"], total.bans, total.restored) == (1, 0, 0)


def run_due_tasks(moment: datetime) -> list[runner.TaskResult]:
    with frozen(moment):
        return list(runner.run())


def load_statistics(days: int = 7, now: datetime = THURSDAY) -> queries.Statistics:
    with frozen(now):
        return queries.load_statistics(days)


def sum_days(found: queries.Statistics) -> ModerationTally:
    total = ModerationTally()
    for each in found.days.values():
        total.add(each)
    return total


def check_totals(found: queries.Statistics) -> None:
    total = sum_days(found)
    assert total.actions == Counter(ban=5, restore=3, approve=2)
    assert total.people == {
        "profanity@v00000000": Counter(ban=2),
        MARCO.email: Counter(ban=1, restore=1, approve=2),
        LUCIA.email: Counter(ban=2, restore=2),
    }
    assert total.names == {MARCO.email: MARCO.name, LUCIA.email: LUCIA.name}
    # Four bans; the undone one and one of the filter were restored. The second restoration counts once.
    assert (total.bans, total.restored) == (4, 2)
    assert (total.filter_bans, total.filter_restored) == (2, 1)
    # 4 minutes, 3 hours, two immediately; the filter's ban after a day, and again after the undo.
    waits = dict(zip([*BOUNDS, None], total.waits, strict=True))
    assert {bound: number for bound, number in waits.items() if number} == {
        60: 2,
        300: 1,
        14400: 1,
        86400: 1,
        172800: 1,
    }
    assert (within(total.waits, 0.5), within(total.waits, 0.9)) == (300, 172800)
    assert [each.total for each in found.days.values()] == [0, 0, 0, 5, 3, 0, 2]


@every_engine
def test_the_statistics_are_exact_before_and_after_the_rollup(table: str) -> None:
    create_history()
    live = load_statistics(3)
    assert live.missing == [] and [each.total for each in live.days.values()] == [3, 0, 2]
    before = load_statistics()
    assert [day.isoformat() for day in before.missing] == ["2025-09-12", "2025-09-13", "2025-09-14", "2025-09-15"]

    lines = [str(each) for each in run_due_tasks(THURSDAY)]
    assert "ensure_moderation_statistics: began to count the moderation log" in lines
    assert any("counted 2 days of the moderation log, through 2025-09-17" in each for each in lines)

    after = load_statistics()
    check_totals(after)
    assert after.missing == [] and after.partial == []
    record = queries.rollup()
    assert record is not None and record.due_at == utc("2025-09-19T00:15:00")
    kept = {each.key_parts["date"] for each in read.page(keys.MODERATION_DAY.collection(), ModerationDay).items}
    assert kept == {"2025-09-15", "2025-09-16"}, "a day without entries is not written"


def test_missed_days_are_rolled_up_later_and_counted_once(table: str) -> None:
    create_history()
    run_due_tasks(MONDAY + DAY)
    assert queries.rollup().through == "2025-09-15"  # type: ignore[union-attr]
    # run_due did not run for a week.
    lines = run_due_tasks(MONDAY + 8 * DAY)
    assert any("counted 2 days of the moderation log, through 2025-09-22" in str(each) for each in lines)
    assert not any("moderation rollup" in str(each) for each in run_due_tasks(MONDAY + 8 * DAY)), "nothing is due again"
    check_totals(load_statistics())
    # A day is rolled up 15 minutes after it ends.
    with frozen(utc("2025-09-24T00:10:00")):
        assert services.roll_up(queries.rollup()) == 0  # type: ignore[arg-type]
        assert queries.rollup().through == "2025-09-22"  # type: ignore[union-attr]


@real_engines
def test_rollups_at_the_same_time_count_each_day_once(table: str) -> None:
    put_all(raw_log_entry(MONDAY + n * DAY, f"n{n}") for n in range(5))
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

    run_at_once(run, threads=6)
    days = read.page(keys.MODERATION_DAY.collection(), ModerationDay).items
    assert [ModerationTally.from_dict(each.counts).actions for each in days] == [Counter(ban=1)] * 5
    found = queries.rollup()
    assert found is not None and found.through == "2025-09-19"
    # Another rollup of the same days gives the same counts.
    with frozen(MONDAY + 5 * DAY):
        found.through = None
        services.roll_up(found)
    assert [each.counts for each in read.page(keys.MODERATION_DAY.collection(), ModerationDay).items] == [
        each.counts for each in days
    ]


def test_a_tally_is_the_same_after_writing_and_reading_and_invalid_ones_are_empty() -> None:
    written = tally([])
    written.actions["ban"], written.people["a@b.c"] = 3, Counter(ban=3)
    written.waits[2] = 7
    assert ModerationTally.from_dict(written.to_dict()) == written
    for odd in (None, "x", {"waits": [1], "actions": "?", "people": {"a": 3}, "bans": "many"}):
        assert ModerationTally.from_dict(odd).total == 0


# --- The page ------------------------------------------------------------------------------------
@pytest.fixture
def as_moderator(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def table_of(page: Element, id: str) -> dict[str, list[str]]:
    section = page.one("section", aria_labelledby=id)
    return {row.one("th").text: [cell.text for cell in row.all("td")] for row in section.one("tbody").all("tr")}


def test_the_page_shows_charts_and_tables(as_moderator: Client) -> None:
    create_history()
    run_due_tasks(THURSDAY)
    with frozen(THURSDAY):
        response = as_moderator.get("/forum/numbers/?days=7")
    page = parse(response)
    assert table_of(page, "a-person")["Lucía Mora lucia@example.com"][1:] == ["4", "2", "2", "0"]
    assert table_of(page, "a-person")["Filter v0 profanity@v00000000"][1:] == ["2", "2", "0", "0"]
    assert table_of(page, "came-back")["All bans"][1:] == ["50 %", "2", "4"]
    assert table_of(page, "came-back")["By the filter"][1:] == ["50 %", "1", "2"]
    assert table_of(page, "how-soon")["up to 5 min"][1:] == ["1"]
    assert "median within 5 min, 90th percentile within 2 days" in page.by_class("details")[0].text
    assert "2 of 4 bans (50 %)" in page.by_class("details")[0].text
    days = list(table_of(page, "a-day").values())
    assert [row[-1] for row in days] == ["2", "0", "3", "5", "0", "0", "0"]
    chart = page.one("svg", role="group")
    assert "10 in all" in chart.attrs["aria-label"]
    assert len(chart.by_class("column")) == 7
    assert [len(column.all("rect")) - 1 for column in chart.by_class("column")] == [0, 0, 0, 2, 2, 0, 1]
    log = calls_of(response)
    # Calls: the rolled-up days, the rollup record, two counts, and the entries of the last days; today in parts.
    assert (len(log.calls), log.trips) == (1 + 4 + 2 + 3, 2)


def test_a_day_with_too_many_entries_is_counted_up_to_a_limit_and_marked(
    as_moderator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MAX_ENTRIES", 20)
    put_all(raw_log_entry(THURSDAY - timedelta(minutes=n), f"n{n:03}", admin=FILTER_ID) for n in range(90))
    with frozen(THURSDAY):
        response = as_moderator.get("/forum/numbers/")
    page = parse(response)
    assert "too many actions to count live" in page.by_class("notice")[-1].text
    assert calls_of(response).trips == 2
    assert table_of(page, "a-person")["Filter v3 profanity@v00000003"][1] == "20"


def test_an_empty_forum_shows_a_hint_and_no_warnings(as_moderator: Client) -> None:
    for query in ("", "?days=7", "?days=90", "?days=x", "?days=-1"):
        response = as_moderator.get(f"/forum/numbers/{query}")
        assert response.status_code == 200
        page = parse(response)
        assert "No actions in this period" in page.by_class("empty")[0].text
        assert page.by_class("notice") == []
        current = [tab.text for tab in page.by_class("tabs")[0].all("a") if "aria-current" in tab.attrs]
        assert current == ["90 days" if "90" in query else "7 days"]


def test_only_moderators_and_admins_see_the_statistics(people_by_role: dict[str, Person]) -> None:
    for role, status in {"admin": 200, "moderator": 200, "staff": 403, "owner": 403}.items():
        assert sign_in(people_by_role[role]).get("/forum/numbers/").status_code == status


def test_invalid_entries_and_days_are_shown_without_an_error(as_moderator: Client) -> None:
    put({"PK": {"S": "MODLOG#2025-09-18"}, "SK": {"S": "zebra"}, "metadata": {"S": "?"}})
    put({"PK": {"S": "MODLOG#2025-09-18"}, "SK": {"S": "2025-09-18T09:00:00Z#m#i"}, "action": {"S": "warn"}})
    put({"PK": {"S": "MODSTATS"}, "SK": {"S": "2025-09-1x"}, "counts": {"S": "?"}})
    with frozen(THURSDAY):
        page = parse(as_moderator.get("/forum/numbers/?days=7"))
    assert table_of(page, "a-person")["?"][1] == "1"
    assert "Other" in page.by_class("legend")[0].text


def test_each_bar_and_number_links_to_its_log_entries(people_by_role: dict[str, Person]) -> None:
    """Days are in UTC: the links work for a reader in any time zone."""
    night = MONDAY.replace(hour=23, minute=30)
    for moment, by in ((MONDAY, MARCO), (night, LUCIA), (night + timedelta(hours=1), MARCO)):
        run_at(moment, lambda by=by: decide(create_post(TEXT_TO_REVIEW), Action.BAN, by=by))
    foul = run_at(MONDAY, lambda: create_post(TEXT_TO_BAN))
    slow = run_at(MONDAY, lambda: create_post(TEXT_TO_REVIEW))
    run_at(MONDAY + timedelta(minutes=4), lambda: decide(slow, Action.APPROVE))
    run_at(MONDAY + timedelta(hours=15), lambda: decide(foul, Action.RESTORE, by=LUCIA))
    with frozen(MONDAY + DAY):
        browser = sign_in(people_by_role["moderator"])
        page = parse(browser.get("/forum/numbers/"))
        columns = [each for each in page.all("a") if each.attrs.get("class") == "column"]
        assert len(columns) == 7
        counts = [_log_entries(browser, each.attrs["href"]) for each in columns]
        assert counts == [0, 0, 0, 0, 0, 4, 2], "as many as the chart shows"
        tables = page.by_class("figures")
        for table in tables:
            for row in table.all("tr"):
                links = [link for cell in row.all("td") for link in cell.all("a")]
                numbers = [link for link in links if link.text.isdigit()]
                assert all(_log_entries(browser, link.attrs["href"]) == int(link.text) for link in numbers)
                # The bar has the address of one of the numbers.
                urls = {link.attrs["href"] for link in numbers}
                assert {link.attrs["href"] for link in links} == urls
        how_soon, came_back = tables[-2:]
        assert [link.text for link in how_soon.all("a") if link.text.isdigit()] == ["3", "1", "1"]
        assert [link.text for link in came_back.all("a") if link.text.isdigit()] == ["1", "4", "3", "1", "1"]
        assert len([cell for cell in how_soon.by_class("bars") if cell.all("a")]) == 3
        assert len([cell for cell in came_back.by_class("bars") if cell.all("a")]) == 2


def test_a_part_of_the_statistics_is_searched_in_bounded_pages(
    people_by_role: dict[str, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forum.statistics.counted_entries.EXAMINED_AT_ONCE", 2)
    for hour in range(3):
        run_at(MONDAY + hour * timedelta(hours=1), lambda: decide(create_post(TEXT_TO_REVIEW), Action.BAN))
    for hour in range(3, 6):
        run_at(MONDAY + hour * timedelta(hours=1), lambda: create_post(TEXT_TO_BAN))
    with frozen(MONDAY + DAY):
        browser = sign_in(people_by_role["moderator"])
        url: str | None = "/forum/log/?counted=bans-people"
        shown = []
        while url:
            page = parse(browser.get(url))
            shown.append(len(page.by_class("log-row")))
            url = next((str(each.attrs["href"]) for each in page.all("a") if "cursor=" in each.attrs["href"]), None)
        assert shown[:3] == [0, 1, 2]
        assert sum(shown) == 3
        exported = b"".join(browser.get("/forum/log/export/?counted=bans-people")).decode()
        assert exported.count(",ban,") == 3
        assert browser.get("/forum/log/?counted=everything").status_code == 200, "an unknown part is an error message"


def _log_entries(browser: Client, url: str) -> int:
    response = browser.get(url)
    assert response.status_code == 200
    return len(parse(response).by_class("log-row"))

"""The moderation log: its filters, the index that each filter uses, and the cost of a page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.core.clock import frozen
from dashboard.platform.accounts.items import Person
from forum.actions import Action
from forum.forms.log import LogForm
from forum.queries.days import WAVE
from forum.queries.log import PAGE
from forum.queries.log import log as ask
from tests.conftest import every_engine, sign_in
from tests.forum.factories import CLEAN_TEXT, TEXT_TO_BAN, create_comment, create_post, decide
from tests.forum.logs import FILTER_ID, listed_ids, put, put_all, raw_log_entry, rows, shown_ids, utc
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of

NOON = utc("2025-09-24T12:00:00")
DAY = timedelta(days=1)
# Calls of a page by day: the reasons, each day, and one for each action to find the next day with entries.
BY_DAY = 1 + WAVE + len(Action)


@pytest.fixture
def as_moderator(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


def put_entries() -> None:
    aldo = {"admin": "aldo@example.com", "name": "Aldo Paz"}
    put(
        raw_log_entry(NOON - 4 * DAY, "a", target="p1"),
        raw_log_entry(NOON - 3 * DAY, "b", target="p2", action="restore", author="luis@example.com"),
        raw_log_entry(NOON - 2 * DAY, "c", target="c1", comment_of="p1", action="delete", operation="bulk-1", **aldo),
        raw_log_entry(NOON - DAY, "d", target="p1", operation="bulk-1", **aldo),
        raw_log_entry(NOON, "e", target="p3", admin=FILTER_ID),
    )


FILTERS: list[tuple[str, str, str | None]] = [
    ("", "edcba", None),
    ("moderator=marco@example.com", "ba", "GSI2"),
    ("moderator=%20MARCO@Example.com", "ba", "GSI2"),
    ("moderator=profanity@", "e", "GSI_Type"),
    ("moderator=profanity@v00000003", "e", "GSI2"),
    ("moderator=profanity@&action=restore", "", "GSI_Type"),
    ("action=ban", "eda", "GSI_Type"),
    ("action=reopen", "", "GSI_Type"),
    ("action=warned", "", "GSI_Type"),
    ("author=luis@example.com", "b", "GSI3"),
    ("target=p1", "da", "GSI1"),
    ("target=p1/c1", "c", "GSI1"),
    ("operation=bulk-1", "dc", "GSI4"),
    ("operation=bulk-1&action=ban", "d", "GSI4"),
    ("target=p1&moderator=aldo@example.com", "d", "GSI1"),
    ("author=ana@example.com&action=ban&moderator=profanity@", "e", "GSI3"),
    ("author=ana@example.com&target=p1&action=ban&since=2025-09-22", "d", "GSI1"),
    ("since=2025-09-22", "edc", None),
    ("until=2025-09-21", "ba", None),
    ("since=2025-09-21&until=2025-09-23", "dcb", None),
    ("moderator=marco@example.com&until=2025-09-20", "a", "GSI2"),
    ("moderator=nobody@example.com", "", "GSI2"),
    ("moderator=a%23b", "", "none"),
    ("target=a%23b", "", "none"),
]


@every_engine
def test_each_filter_finds_its_entries_with_its_index(table: str, as_moderator: Client) -> None:
    put_entries()
    with frozen(NOON + timedelta(hours=1)):
        for query, found, index in FILTERS:
            response = as_moderator.get(f"/forum/log/?{query}")
            assert "".join(shown_ids(parse(response))) == found, query
            log = calls_of(response)
            used = {call.index for call in log.calls if call.operation == "Query"}
            # By day: the partitions of the days, and the index that finds the next day with entries.
            assert used - ({"GSI_Type"} if index is None else set()) == (set() if index == "none" else {index}), query
            assert log.trips <= 2, query


def test_an_entry_shows_its_text_its_links_and_undo(as_moderator: Client) -> None:
    post = create_post(CLEAN_TEXT)
    decide(create_comment(post), Action.BAN, "spam")
    page = parse(as_moderator.get("/forum/log/"))
    (row,) = rows(page)
    assert "Marco Peña Ban comment of Beto Díaz" in row.by_class("entry-what")[0].text
    assert "Reason: Spam or advertising" in row.text
    links = {link.text: link.attrs["href"] for link in row.all("a")}
    assert links["Marco Peña"] == "?moderator=marco%40example.com"
    assert links["Beto Díaz"] == "?author=beto%40example.com"
    assert links["Open"].startswith(f"/forum/posts/{post.key_parts['post']}/comments/")
    form = row.one("form")
    assert form.attrs["action"].startswith("/forum/log/") and form.attrs["action"].endswith("/undo/")
    assert form.one("input", name="next").attrs["value"] == "/forum/log/"
    assert len(shown_ids(parse(as_moderator.get(f"/forum/log/{operation_link(row)}")))) == 1


def operation_link(row: Element) -> str:
    return next(a.attrs["href"] for a in row.all("a") if "operation=" in a.attrs["href"])


def test_reasons_are_shown_in_the_readers_language(people_by_role: dict[str, Person]) -> None:
    decide(create_post(CLEAN_TEXT), Action.BAN, "spam")
    browser = sign_in(people_by_role["moderator"])
    assert "Spam o publicidad" in parse(browser.get("/forum/log/", headers={"Accept-Language": "es"})).text


def test_entries_of_the_filter_show_its_version_and_the_words(as_moderator: Client) -> None:
    create_post(TEXT_TO_BAN)
    put(raw_log_entry("2025-09-24T12:00:00Z", "old", admin=FILTER_ID))
    (row,) = rows(parse(as_moderator.get("/forum/log/?moderator=profanity@&since=2025-10-01")))
    assert row.text.startswith("Filter v0 Ban post of Ana Soto")
    assert "Foul language: hijo de puta" in row.text
    (row,) = rows(parse(as_moderator.get("/forum/log/?until=2025-09-24")))
    assert row.one("strong").text == "Filter v3"


def test_undo_is_offered_only_for_the_latest_decision_on_a_post(as_moderator: Client) -> None:
    post = decide(decide(create_post(CLEAN_TEXT), Action.BAN), Action.RESTORE)
    put(
        raw_log_entry("2025-09-24T12:00:00Z", "warned", action="warn"),
        raw_log_entry("2025-09-24T11:00:00Z", "elsewhere", target="x", action="ban"),
    )
    assert post.status == "active"
    found = rows(parse(as_moderator.get("/forum/log/"))) + rows(parse(as_moderator.get("/forum/log/?until=2025-09-25")))
    assert [(row.by_class("badge")[0].text, len(row.all("form"))) for row in found] == [
        ("Restore", 1),
        ("Ban", 0),
        ("warn", 0),
        ("Ban", 1),
    ]


def test_entries_of_one_job_show_their_number(as_moderator: Client) -> None:
    put_entries()
    found = rows(parse(as_moderator.get("/forum/log/?until=2025-09-24")))
    assert ["2 in one bulk action" in row.text for row in found] == [False, True, True, False, False]


# --- Day by day ----------------------------------------------------------------------------------
def test_the_log_by_day_is_complete_across_pages(table: str, as_moderator: Client) -> None:
    """Pages end in the middle of a day, at its end, and between empty days."""
    start = utc("2025-09-01T00:00:00")
    times = [start + timedelta(hours=5 * n) for n in range(130)]
    put_all(raw_log_entry(at, f"n{n:03}") for n, at in enumerate(times))
    put(raw_log_entry("2025-01-02T00:00:00Z", "long-before"), raw_log_entry("2024-12-31T23:59:59Z", "last-year"))
    everything = [f"n{n:03}" for n in reversed(range(130))] + ["long-before", "last-year"]
    with frozen(utc("2025-10-05T00:00:00")):
        assert listed_ids(as_moderator, "/forum/log/") == everything
        assert listed_ids(as_moderator, "/forum/log/?since=2025-01-01") == everything[:-1]
        assert listed_ids(as_moderator, "/forum/log/?until=2025-09-03") == everything[130 - 15 :]


def test_a_day_is_a_day_in_the_readers_time_zone(table: str) -> None:
    put(
        raw_log_entry("2025-09-21T04:59:59Z", "before"),
        raw_log_entry("2025-09-21T05:00:00Z", "first"),
        raw_log_entry("2025-09-22T04:59:59.5Z", "last"),
        raw_log_entry("2025-09-22T05:00:00Z", "after"),
    )
    with timezone.override("America/Bogota"):
        form = LogForm({"since": "2025-09-21", "until": "2025-09-21"})
        assert form.is_valid()
        found = ask(form.log_filter)
    assert [entry.key_parts["action"] for entry in found.items] == ["last", "first"]


def test_a_search_through_empty_days_stops_and_says_how_far_it_searched(as_moderator: Client) -> None:
    put(raw_log_entry("2019-05-05T10:00:00Z", "ages-ago"))
    with frozen(NOON):
        response = as_moderator.get("/forum/log/?since=2010-01-01")
        log, page = calls_of(response), parse(response)
        assert (len(log.calls), log.trips) == (1 + BY_DAY, 2)
        line = page.by_class("more-line")[0]
        assert "Nothing found yet · searched back to" in line.text
        assert line.one("time").attrs["datetime"].startswith("2025-09-18")
        # The next search skips the days that are known to be empty.
        more = line.one("a")
        assert more.text == "Search more"
        assert shown_ids(parse(as_moderator.get(more.attrs["href"]))) == ["ages-ago"]
        # If there is no older entry, the page says so.
        response = as_moderator.get("/forum/log/?since=2020-01-01")
        assert "Nothing matches" in parse(response).text
        assert len(calls_of(response).calls) == 1 + BY_DAY


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_page_costs_the_same_with_600_and_with_4000_entries_in_a_day(table: str, as_moderator: Client) -> None:
    questions = {
        "all": ("", BY_DAY),
        "days": ("?since=2025-09-01&until=2025-09-24", BY_DAY),
        "moderator": ("?moderator=m1@example.com", 2),
        "author": ("?author=a1", 2),
        "action": ("?action=ban", 2),
        "two at once": ("?action=ban&author=a1", 2),
    }

    def add(numbers: range) -> None:
        put_all(
            raw_log_entry(
                utc("2025-09-24T00:00:00") + timedelta(seconds=8 * n),
                f"n{n:05}",
                admin=f"m{n % 2}@example.com",
                author=f"a{n % 2}",
            )
            for n in numbers
        )

    def measure_costs() -> dict[str, tuple[int, int, float, int]]:
        found = {}
        for name, (query, _) in questions.items():
            response = as_moderator.get(f"/forum/log/{query}")
            log = calls_of(response)
            found[name] = (len(log.calls), log.trips, log.units, len(rows(parse(response))))
        return found

    with frozen(utc("2025-09-24T23:59:59")):
        add(range(600))
        few = measure_costs()
        add(range(600, 4_000))
        many = measure_costs()
        assert many == few
        for name, (_, calls) in questions.items():
            assert many[name][:2] == (1 + calls, 2) and many[name][3] == PAGE, name
        # After a full day, the next page reads fewer days at a time.
        more = parse(as_moderator.get("/forum/log/")).by_class("more-line")[0].one("a")
        response = as_moderator.get(more.attrs["href"])
        assert len(calls_of(response).calls) == 1 + 1 + 2 + len(Action)


# --- Invalid filters and permissions -------------------------------------------------------------
INVALID_FILTERS = {
    "since=yesterday": ("since", "year-month-day"),
    "until=9999-12-31": ("until", "Choose a year"),
    "since=2025-09-22&until=2025-09-21": ("until", "before the start date"),
    "action=<b>": ("action", "Choose one"),
    f"moderator={'x' * 300}": ("moderator", "at most 254"),
    f"target={'x' * 500}": ("target", "at most 400"),
    f"operation={'x' * 500}": ("operation", "at most 400"),
    "author=a%00b": ("author", "Null characters"),
}


@pytest.mark.parametrize("query", INVALID_FILTERS)
def test_an_invalid_filter_shows_an_error_and_reads_nothing(as_moderator: Client, query: str) -> None:
    name, error = INVALID_FILTERS[query]
    response = as_moderator.get(f"/forum/log/?{query}")
    assert response.status_code == 200
    assert error in parse(response).one("div", data_filter=name).by_class("error")[0].text
    assert [call.operation for call in calls_of(response).calls] == ["BatchGetItem"], "the log is not read"
    assert as_moderator.get(f"/forum/log/export/?{query}").status_code == 303


def test_a_cursor_is_valid_for_one_person_and_one_filter(
    people_by_role: dict[str, Person], as_moderator: Client
) -> None:
    put_all(raw_log_entry(NOON - timedelta(minutes=n), f"n{n:03}") for n in range(60))
    with frozen(NOON):
        more = parse(as_moderator.get("/forum/log/")).by_class("more-line")[0].one("a").attrs["href"]
        assert as_moderator.get(more).status_code == 200
        assert sign_in(people_by_role["admin"]).get(more).status_code == 400
        assert as_moderator.get(f"{more}&author=ana@example.com").status_code == 400
        assert as_moderator.get("/forum/log/?cursor=forged").status_code == 400


def test_only_moderators_and_admins_can_read_the_log(people_by_role: dict[str, Person]) -> None:
    for role, status in {"admin": 200, "moderator": 200, "staff": 403, "owner": 403}.items():
        browser = sign_in(people_by_role[role])
        for url in ("/forum/log/", "/forum/log/export/"):
            assert browser.get(url).status_code == status, (role, url)
    assert {
        getattr(sign_in(people_by_role["admin"]), how)("/forum/log/").status_code for how in ("post", "put", "delete")
    } == {405}


def test_an_empty_log_shows_a_hint(as_moderator: Client) -> None:
    assert "No entries yet" in parse(as_moderator.get("/forum/log/")).by_class("empty")[0].text


def test_incomplete_entries_of_outside_writers_are_shown(as_moderator: Client) -> None:
    for key in ("zebra", "2025-09-24T10:00:00Z#x#y", "a#b#c"):
        put({"PK": {"S": "MODLOG#2025-09-24"}, "SK": {"S": key}, "metadata": {"M": {"revision": {"S": "x"}}}})
    put({"PK": {"S": "MODLOG#2025-09-24"}, "SK": {"S": "2025-09-24T11:00:00Z#m#i"}, "metadata": {"S": "?"}})
    response = as_moderator.get("/forum/log/?until=2025-09-24")
    assert response.status_code == 200 and len(rows(parse(response))) == 2
    with frozen(NOON):
        response = as_moderator.get("/forum/log/")
    assert response.status_code == 200 and len(rows(parse(response))) == 4
    assert all(not row.all("form") for row in rows(parse(response)))

"""The exported log contains what its page shows, and no text that a spreadsheet executes."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.platform.accounts.items import Person
from forum.actions import Action
from forum.export import COLUMNS
from tests.audit.entries import exported_rows, text_of
from tests.conftest import sign_in
from tests.forum.factories import MARCO, TEXT_TO_BAN, TEXT_TO_REVIEW, create_comment, create_post, decide
from tests.forum.logs import FILTER_ID, listed_ids, put, put_all, raw_log_entry, utc
from tests.ui.walk import calls_of

START = utc("2025-09-21T00:00:00")
FILTERS = [
    "",
    "since=2025-09-23",
    "since=2025-09-22&until=2025-09-23",
    "moderator=marco@example.com",
    "moderator=profanity@",
    "action=ban&author=a1",
    "target=t-n003",
    "operation=bulk&action=ban",
    "since=2020-01-01&until=2020-12-31",
]


@pytest.fixture
def as_moderator(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["moderator"])


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_file_has_the_same_entries_as_the_list_for_each_filter(
    table: str, as_moderator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forum.export.AT_ONCE", 7)
    admins = ["marco@example.com", "lucia@example.com", FILTER_ID]
    put_all(
        raw_log_entry(
            START + timedelta(hours=2 * n),
            f"n{n:03}",
            admin=admins[n % 3],
            action="restore" if n % 3 == 1 else "ban",
            author=f"a{n % 2}",
            operation="bulk" if n % 5 == 0 else "",
        )
        for n in range(70)
    )
    sizes = set()
    with frozen(utc("2025-10-01T00:00:00")):
        for query in FILTERS:
            rows = exported_rows(as_moderator, f"/forum/log/export/?{query}")
            in_file = [row["content"].removeprefix("text-") for row in rows]
            assert in_file == listed_ids(as_moderator, f"/forum/log/?{query}"), query
            sizes.add(len(in_file))
    assert {0, 70} <= sizes and len(sizes) > 5


def test_secrets_in_the_metadata_of_an_outside_writer_are_masked(as_moderator: Client) -> None:
    put(raw_log_entry(START, "n1", accessToken="sekret-1", request={"authorization": "sekret-2", "page": "3"}))
    (row,) = exported_rows(as_moderator, "/forum/log/export/?since=2025-09-20&until=2025-09-30")
    assert "sekret" not in str(row) and json.loads(row["metadata"])["request"]["page"] == "3"


def test_the_columns_of_the_file(as_moderator: Client) -> None:
    post = create_post(TEXT_TO_REVIEW)
    comment = create_comment(post, TEXT_TO_BAN)
    decide(post, Action.BAN, "spam")
    filtered, banned = sorted(exported_rows(as_moderator, "/forum/log/export/"), key=lambda row: row["target_type"])
    assert tuple(banned) == COLUMNS
    assert (banned["action"], banned["moderator"], banned["moderator_name"]) == (
        "ban",
        "marco@example.com",
        "Marco Peña",
    )
    assert (banned["target_type"], banned["target_id"]) == ("post", post.key_parts["post"])
    assert (banned["author"], banned["author_name"]) == ("ana@example.com", "Ana Soto")
    assert (banned["content"], banned["reason"], banned["reason_id"]) == (TEXT_TO_REVIEW, "Spam or advertising", "spam")
    assert json.loads(banned["metadata"])["revision"] == 2
    assert banned["entry"].startswith(f"{banned['time']}_{MARCO.email}_")
    assert (filtered["moderator"], filtered["moderator_name"]) == ("profanity@v00000000", "Filter v0")
    assert filtered["post_id"] == post.key_parts["post"] and filtered["target_id"] == comment.key_parts["comment"]
    response = as_moderator.get("/forum/log/export/?since=2025-09-01")
    assert 'filename="moderation-log-2025-09-01-to-' in response.headers["Content-Disposition"]


def test_formulas_are_escaped(as_moderator: Client) -> None:
    put(raw_log_entry("2025-09-21T10:00:00Z", "x", content="=1+1", name="@SUM(A1)", reason="+2", reason_id=""))
    (row,) = exported_rows(as_moderator, "/forum/log/export/?until=2025-09-30")
    assert (row["content"], row["moderator_name"], row["reason"]) == ("'=1+1", "'@SUM(A1)", "'+2")


def test_the_file_is_streamed_in_parts(as_moderator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forum.export.AT_ONCE", 10)
    put_all(raw_log_entry(START + timedelta(minutes=n), f"n{n:03}") for n in range(35))
    with frozen(START + timedelta(hours=1)):
        response = as_moderator.get("/forum/log/export/?action=ban")
        parts = [part.count(b"\r\n") for part in response.streaming_content]  # type: ignore[attr-defined]
    assert parts == [11, 10, 10, 5]
    # The session, the search for the first day, and the event of the security log.
    assert len(calls_of(response).calls) == 3 + len(parts)


def test_an_empty_file_has_a_header(as_moderator: Client) -> None:
    assert text_of(as_moderator.get("/forum/log/export/")).removeprefix("\ufeff").strip() == ",".join(COLUMNS)

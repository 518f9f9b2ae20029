"""Simulated traffic: it follows the posting rules and survives errors of the table."""

from __future__ import annotations

import io
import signal
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from dashboard.core.errors import NotFound, Unavailable
from dashboard.table import keys, read
from dashboard.table.connection import client
from dashboard.table.connection import table as connected
from forum.demo import script
from forum.items import Comment, Post
from forum.queries import posting_rules
from forum.queries.posts import posts_by_status
from forum.services import counters
from forum.services import posts as post_services
from forum.traffic import Second, Traffic, play
from tests.forum.factories import TEXT_TO_BAN, create_post
from tests.forum.filter_pages import SEED, put_filter


class Clock:
    """A clock that advances with `sleep`, and a little with each read."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        self.time += 0.001
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


def play_traffic(seconds: float = 5, rate: float = 10, **options: Any) -> list[Second]:
    clock = Clock()
    people = Traffic(options.get("people", 5), options.get("rude", 0.2), options.get("seed", 1))
    people.load_posts()
    return list(play(people, rate, seconds, clock=clock, sleep=clock.sleep))


def total(seconds: list[Second]) -> Second:
    return sum(seconds, Second())


def simulate(**options: Any) -> str:
    out = io.StringIO()
    call_command("simulate", stdout=out, **{"table": settings.DYNAMODB_TABLE, **options})
    return out.getvalue()


def test_the_traffic_has_the_requested_rate_and_is_stored(table: str) -> None:
    put_filter(**SEED)
    counts = play_traffic(seconds=3, rate=8)
    assert len(counts) == 3
    done = total(counts)
    assert 20 <= done.done.total() <= 26 and done.refused == done.errors == 0
    posts = posts_by_status("active", limit=100).items + posts_by_status("banned", limit=100).items
    assert len(posts) == done.done["posts"]
    assert sum(int(post.likes or 0) for post in posts) == done.done["likes"]
    assert sum(int(post.comments_count or 0) for post in posts) == done.done["comments"]


def test_the_same_seed_gives_the_same_texts(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    output: list[list[str]] = []
    for _ in range(2):
        output.append([])

        def record_text(author: str, content: str, *, into: list[str] = output[-1], **_more: Any) -> Post:
            into.append(f"{author} {content}")
            post = Post.new(post=f"p{len(into)}")
            post.status = "active"
            return post

        with monkeypatch.context() as patch:
            patch.setattr(post_services, "write_post", record_text)
            patch.setattr(
                post_services, "write_comment", lambda target, author, content, **more: record_text(author, content)
            )
            patch.setattr(counters, "like", lambda *_args, **_more: None)
            play_traffic(seed=7)
    assert output[0] == output[1] and len(output[0]) > 10


def test_bans_by_the_filter_are_counted(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "texts", lambda: [TEXT_TO_BAN, "hola"])
    counts = total(play_traffic(rude=1, seconds=2))
    assert counts.banned == counts.done["posts"] > 5, "banned posts get no comments and no likes"
    assert total(play_traffic(rude=0, seconds=2)).banned == 0


def test_a_table_that_is_unavailable_for_some_calls_is_counted_as_errors(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_filter(**SEED)
    create_post("hola")
    calls = iter(range(1000))
    original = counters.like

    def fail_three_times(*args: Any, **more: Any) -> None:
        if next(calls) < 3:
            raise Unavailable
        original(*args, **more)

    monkeypatch.setattr(counters, "like", fail_three_times)
    counts = total(play_traffic(rude=0))
    assert counts.errors == 3 and counts.done["likes"] > 3


def test_a_second_without_a_readable_filter_is_one_error(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put_filter(**SEED)
    original, calls = posting_rules.load_posting_rules, iter(range(1000))

    def fail_once(*beside: Any) -> Any:
        if next(calls) == 0:
            raise Unavailable
        return original(*beside)

    monkeypatch.setattr(posting_rules, "load_posting_rules", fail_once)
    first, *others = play_traffic(seconds=3)
    assert (first.errors, first.done.total()) == (1, 0)
    assert total(others).done.total() > 10


def test_a_missing_post_is_counted_as_refused(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put_filter(**SEED)

    def raise_not_found(*_args: Any, **_more: Any) -> Comment:
        raise NotFound

    monkeypatch.setattr(post_services, "write_comment", raise_not_found)
    counts = total(play_traffic(rude=0))
    assert counts.refused > 3 and counts.errors == 0 and counts.done["posts"] > 3


def test_people_of_other_domains_are_refused(table: str) -> None:
    key = keys.CONFIG.key(name="domains")
    connected().put_item(key.pk, key.sk, attributes={"whitelist": {"L": [{"S": "else.example"}]}})
    counts = total(play_traffic(seconds=1))
    assert counts.done.total() == 0 and counts.refused > 5


def test_a_slow_table_gets_fewer_events() -> None:
    clock = Clock()

    class Slow(Traffic):
        def play_event(self, second: Second) -> None:
            clock.sleep(0.5)
            second.done["likes"] += 1

    slow = Slow(1, 0, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(posting_rules, "load_posting_rules", lambda *_: (None, []))
        counts = list(play(slow, 100, 4, clock=clock, sleep=clock.sleep))
    assert 0 < total(counts).done.total() <= 9


# --- The command ---------------------------------------------------------------------------------
def test_the_output_has_a_line_each_second_and_a_total(table: str) -> None:
    put_filter(**SEED)
    output = simulate(seconds=1, rate=20, seed=1).splitlines()
    assert output[0].startswith("In ") and "banned by the filter" in output[1] and output[-1].startswith("In all: ")


def test_sigterm_stops_it_and_prints_the_total(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put_filter(**SEED)
    before = signal.getsignal(signal.SIGTERM)
    calls = iter(range(1000))
    original = Traffic.play_event

    def stop_at_fourth_event(self: Traffic, second: Second) -> None:
        if next(calls) == 3:
            signal.raise_signal(signal.SIGTERM)
        original(self, second)

    monkeypatch.setattr(Traffic, "play_event", stop_at_fourth_event)
    output = simulate(rate=50)
    assert "Stopped." in output and "In all: 3 done" in output
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_missing_table_is_an_error_that_names_create_table(table: str) -> None:
    client().delete_table(TableName=connected().table_name)
    with pytest.raises(CommandError, match="create_table"):
        simulate(seconds=1)


def test_on_aws_the_table_must_be_named(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """moto answers at AWS's own address, as with the AWS configuration of a person's machine."""
    monkeypatch.setattr(client().meta, "_endpoint_url", "https://dynamodb.us-east-1.amazonaws.com")
    with pytest.raises(CommandError, match="--table"):
        simulate(seconds=0.1, table=None)
    with pytest.raises(CommandError, match="--table"):
        simulate(seconds=0.1, table="another")
    assert "In all" in simulate(seconds=0.1, table=settings.DYNAMODB_TABLE)


@pytest.mark.parametrize(
    "options",
    [{"rate": 0}, {"rate": 1001}, {"rate": float("nan")}, {"seconds": -1}, {"people": 0}, {"rude": 1.5}],
)
def test_invalid_options_are_refused(table: str, options: dict[str, Any]) -> None:
    with pytest.raises(CommandError):
        simulate(**options)
    assert not read.page(keys.POSTS_BY_STATUS.collection(status="active"), Post).items

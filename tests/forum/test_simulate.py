"""Live traffic: through the rules, second by second, and through whatever the table does meanwhile."""

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
from forum.services import posts as writing
from forum.traffic import Second, Traffic, play
from tests.forum.factories import TEXT_TO_BAN, a_post
from tests.forum.filter_pages import SEED, put_filter


class Clock:
    """Time that passes only while someone sleeps, and a little with each look at it."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        self.time += 0.001
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


def played(seconds: float = 5, rate: float = 10, **options: Any) -> list[Second]:
    clock = Clock()
    people = Traffic(options.get("people", 5), options.get("rude", 0.2), options.get("seed", 1))
    people.load_posts()
    return list(play(people, rate, seconds, clock=clock, sleep=clock.sleep))


def whole(seconds: list[Second]) -> Second:
    return sum(seconds, Second())


def simulate(**options: Any) -> str:
    out = io.StringIO()
    call_command("simulate", stdout=out, **{"table": settings.DYNAMODB_TABLE, **options})
    return out.getvalue()


def test_as_much_happens_as_was_asked_for_and_stays(table: str) -> None:
    put_filter(**SEED)
    told = played(seconds=3, rate=8)
    assert len(told) == 3
    done = whole(told)
    assert 20 <= done.done.total() <= 26 and done.refused == done.errors == 0
    posts = posts_by_status("active", limit=100).items + posts_by_status("banned", limit=100).items
    assert len(posts) == done.done["posts"]
    assert sum(int(post.likes or 0) for post in posts) == done.done["likes"]
    assert sum(int(post.comments_count or 0) for post in posts) == done.done["comments"]


def test_the_same_seed_says_the_same(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[list[str]] = []
    for _ in range(2):
        said.append([])

        def note(author: str, content: str, *, into: list[str] = said[-1], **_more: Any) -> Post:
            into.append(f"{author} {content}")
            post = Post.new(post=f"p{len(into)}")
            post.status = "active"
            return post

        with monkeypatch.context() as noted:
            noted.setattr(writing, "write_post", note)
            noted.setattr(writing, "write_comment", lambda target, author, content, **more: note(author, content))
            noted.setattr(counters, "like", lambda *_args, **_more: None)
            played(seed=7)
    assert said[0] == said[1] and len(said[0]) > 10


def test_what_the_filter_bans_is_counted(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "texts", lambda: [TEXT_TO_BAN, "hola"])
    told = whole(played(rude=1, seconds=2))
    assert told.banned == told.done["posts"] > 5, "who is banned is not talked about"
    assert whole(played(rude=0, seconds=2)).banned == 0


def test_a_table_that_is_away_for_a_while_is_survived(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put_filter(**SEED)
    a_post("hola")
    calls = iter(range(1000))
    plain = counters.like

    def sometimes(*args: Any, **more: Any) -> None:
        if next(calls) < 3:
            raise Unavailable
        plain(*args, **more)

    monkeypatch.setattr(counters, "like", sometimes)
    told = whole(played(rude=0))
    assert told.errors == 3 and told.done["likes"] > 3


def test_a_filter_that_cannot_be_read_costs_its_second(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put_filter(**SEED)
    plain, calls = posting_rules.load_posting_rules, iter(range(1000))

    def away(*beside: Any) -> Any:
        if next(calls) == 0:
            raise Unavailable
        return plain(*beside)

    monkeypatch.setattr(posting_rules, "load_posting_rules", away)
    first, *others = played(seconds=3)
    assert (first.errors, first.done.total()) == (1, 0)
    assert whole(others).done.total() > 10


def test_what_is_gone_is_refused_and_left_alone(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put_filter(**SEED)

    def gone(*_args: Any, **_more: Any) -> Comment:
        raise NotFound

    monkeypatch.setattr(writing, "write_comment", gone)
    told = whole(played(rude=0))
    assert told.refused > 3 and told.errors == 0 and told.done["posts"] > 3


def test_only_domains_that_are_let_in(table: str) -> None:
    key = keys.CONFIG.key(name="domains")
    connected().put_item(key.pk, key.sk, attributes={"whitelist": {"L": [{"S": "else.example"}]}})
    told = whole(played(seconds=1))
    assert told.done.total() == 0 and told.refused > 5


def test_a_slow_table_gets_fewer_and_no_crowd_afterwards() -> None:
    clock = Clock()

    class Slow(Traffic):
        def happens(self, second: Second) -> None:
            clock.sleep(0.5)
            second.done["likes"] += 1

    slow = Slow(1, 0, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "load_posting_rules", lambda *_: (None, []))
        told = list(play(slow, 100, 4, clock=clock, sleep=clock.sleep))
    assert whole(told).done.total() <= 9


# --- The command ---------------------------------------------------------------------------------
def test_a_line_a_second_and_the_whole(table: str) -> None:
    put_filter(**SEED)
    said = simulate(seconds=1, rate=20, seed=1).splitlines()
    assert said[0].startswith("In ") and "banned by the filter" in said[1] and said[-1].startswith("In all: ")


def test_ctrl_c_ends_it_with_the_sum(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put_filter(**SEED)
    before = signal.getsignal(signal.SIGTERM)
    calls = iter(range(1000))
    plain = Traffic.play_event

    def pressed(self: Traffic, second: Second) -> None:
        if next(calls) == 3:
            signal.raise_signal(signal.SIGTERM)
        plain(self, second)

    monkeypatch.setattr(Traffic, "play_event", pressed)
    said = simulate(rate=50)
    assert "Stopped." in said and "In all: 3 done" in said
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_missing_table_is_a_sentence(table: str) -> None:
    client().delete_table(TableName=connected().table_name)
    with pytest.raises(CommandError, match="create_table"):
        simulate(seconds=1)


def test_on_aws_the_table_must_be_named(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """moto answers at AWS's own address: what a person has configured without thinking of it."""
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
def test_what_makes_no_sense_is_refused(table: str, options: dict[str, Any]) -> None:
    with pytest.raises(CommandError):
        simulate(**options)
    assert not read.page(keys.POSTS_BY_STATUS.collection(status="active"), Post).items

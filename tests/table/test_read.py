"""Reads: several items at once, pages, counts, and reads side by side."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from dashboard.core import clock
from dashboard.core.errors import Unavailable
from dashboard.table import connection, oplog, read, registry
from dashboard.table.items import Item, PlainItem, Raw
from dashboard.table.keypattern import Collection, Key
from tests.conftest import every_engine
from tests.faults import Network, bad_network, broken, error_reply, gateway_error, lose_request, throttle
from tests.table.notes import NOON, NOTE, SHELF, Note, add, key, note_at, on_dynoxide, put, put_note

PAST = {"N": str(int((clock.now() - timedelta(hours=1)).timestamp()))}
FUTURE = {"N": str(int((clock.now() + timedelta(hours=1)).timestamp()))}
ANA = NOTE.collection(note="ana")


@pytest.fixture
def network(table: str) -> Iterator[Network]:
    with bad_network() as network:
        yield network


def pages_of(found: read.Page[Any]) -> list[int]:
    return [int(item.sk[-8:]) for item in found.items]


def at_shelf(title: str) -> Raw:
    return {"GSIStatusPK": {"S": "SHELF#sky"}, "GSIStatusSK": {"S": title}}


def fill(count: int, **wire: dict[str, Any]) -> None:
    """Pages of Ana's notebook, as another service wrote them: many at once."""
    client, name = connection.client(), connection.table().table_name
    items = []
    for number in range(1, count + 1):
        at = key("ana", number)
        title = f"ana {number:04}"
        items.append({"PK": {"S": at.pk}, "SK": {"S": at.sk}, "title": {"S": title}, **at_shelf(title), **wire})
    for start in range(0, count, 25):
        batch = [{"PutRequest": {"Item": item}} for item in items[start : start + 25]]
        assert not client.batch_write_item(RequestItems={name: batch}).get("UnprocessedItems")


# --- One item, several items ---------------------------------------------------------------------
@every_engine
def test_items_come_in_the_order_asked_for(table: str) -> None:
    add("ana", 1)
    add("bea", 1)
    put({"PK": {"S": "WEATHER#today"}, "SK": {"S": "WEATHER"}, "degrees": {"N": "21"}})
    put_note("old", ttl=PAST)
    put_note("new", ttl=FUTURE)
    wanted = [key("bea"), Key("WEATHER#today", "WEATHER"), key("none"), key("old"), key("ana"), key("new"), key("bea")]
    bea, weather, none, old, ana, new, again = read.get_many(wanted)
    assert isinstance(bea, Note)
    assert isinstance(ana, Note)
    assert isinstance(weather, PlainItem)
    assert isinstance(again, Note)
    assert [bea.key, ana.key, again.key] == [key("bea"), key("ana"), key("bea")]
    assert weather.attributes["degrees"] == 21
    assert none is None
    assert old is None, "an item past its ttl is gone, whether or not the engine has deleted it"
    assert new is not None


@on_dynoxide
def test_several_items_are_one_call_and_consistent(network: Network) -> None:
    read.get_many([key("ana", number) for number in range(1, 6)])
    (asked,) = network.calls("BatchGetItem")
    ((request),) = asked["RequestItems"].values()
    assert request["ConsistentRead"] is True
    assert len(request["Keys"]) == 5


def test_nothing_asked_is_no_call(table: str) -> None:
    with oplog.recording() as log:
        assert read.get_many([]) == []
    assert log.calls == []


def test_one_item_past_its_ttl_is_gone(table: str) -> None:
    put_note("old", ttl=PAST)
    put_note("new", ttl=FUTURE)
    assert note_at("old") is None
    assert note_at("none") is None
    new = note_at("new")
    assert new is not None
    with clock.shifted(timedelta(hours=2)):
        assert note_at("new") is None


def _unprocessed(*left: Key) -> Any:
    """An answer that leaves these keys for later, and says nothing of the others."""
    keys = [{"PK": {"S": at.pk}, "SK": {"S": at.sk}} for at in left]
    name = connection.table().table_name
    found = {"Responses": {name: []}, "UnprocessedKeys": {name: {"Keys": keys, "ConsistentRead": True}}}

    def fault(_: Any, request: Any) -> Any:
        import json

        from tests.faults import build_reply

        return build_reply(request, 200, json.dumps(found).encode())

    return fault


@on_dynoxide
def test_keys_left_unprocessed_are_asked_for_again(table: str, network: Network) -> None:
    add("ana")
    network.next("BatchGetItem", _unprocessed(key("ana"), key("bea")), _unprocessed(key("ana")))
    ana, bea = read.get_many([key("ana"), key("bea")])
    assert ana is not None
    assert bea is None
    asked = [next(iter(body["RequestItems"].values()))["Keys"] for body in network.calls("BatchGetItem")]
    assert [len(each) for each in asked] == [2, 2, 1]


@on_dynoxide
def test_keys_that_stay_unprocessed_end_as_unavailable(table: str, network: Network) -> None:
    network.next("BatchGetItem", *[_unprocessed(key("ana"))] * 50)
    with pytest.raises(Unavailable):
        read.get_many([key("ana")])
    assert 2 < len(network.calls("BatchGetItem")) < 20


@on_dynoxide
@pytest.mark.parametrize("fault", [lose_request, throttle, broken, gateway_error])
def test_a_table_that_does_not_answer_is_unavailable(table: str, network: Network, fault: Any) -> None:
    """One sentence for the person, whatever it was."""
    network.add_random_fault(1.0, fault)
    for ask in (lambda: note_at("ana"), lambda: read.get_many([key("ana")]), lambda: read.page(ANA)):
        with pytest.raises(Unavailable):
            ask()
    assert len(network.log) == 9, "three tries each"


@on_dynoxide
def test_one_bad_moment_of_the_network_is_not_noticed(table: str, network: Network) -> None:
    add("ana")
    network.next("GetItem", lose_request, throttle)
    assert note_at("ana") is not None


@on_dynoxide
def test_a_mistake_of_ours_is_no_bad_weather(table: str, network: Network) -> None:
    """What no waiting would cure is not called unavailable."""
    network.next("GetItem", error_reply(400, "ValidationException"))
    with pytest.raises(Exception, match="ValidationException"):
        note_at("ana")


# --- Pages ---------------------------------------------------------------------------------------
@every_engine
def test_pages_follow_each_other_without_gap_or_repeat(table: str) -> None:
    fill(7)
    first = read.page(ANA, Note, limit=3)
    second = read.page(ANA, Note, limit=3, start_key=first.next_start_key)
    third = read.page(ANA, Note, limit=3, start_key=second.next_start_key)
    assert [pages_of(each) for each in (first, second, third)] == [[1, 2, 3], [4, 5, 6], [7]]
    assert third.next_start_key is None
    newest = read.page(ANA, Note, limit=3, newest_first=True)
    following = read.page(ANA, Note, limit=5, newest_first=True, start_key=newest.next_start_key)
    assert [pages_of(newest), pages_of(following)] == [[7, 6, 5], [4, 3, 2, 1]]


@every_engine
def test_a_full_last_page_offers_no_more(table: str) -> None:
    fill(4)
    assert read.page(ANA, Note, limit=4).next_start_key is None
    assert read.page(SHELF.collection(shelf="sky"), Note, limit=4).next_start_key is None
    first = read.page(SHELF.collection(shelf="sky"), Note, limit=2)
    second = read.page(SHELF.collection(shelf="sky"), Note, limit=2, start_key=first.next_start_key)
    assert [pages_of(first), pages_of(second), second.next_start_key] == [[1, 2], [3, 4], None]


@every_engine
def test_pages_of_an_index_follow_each_other_too(table: str) -> None:
    """Also where several items stand at one place of it."""
    fill(5)
    put({"PK": {"S": "NOTE#bea"}, "SK": {"S": "NOTE#9"}, **at_shelf("ana 0002")})
    shelf = SHELF.collection(shelf="sky")
    found, start_key = [], None
    for _ in range(3):
        page = read.page(shelf, Note, limit=2, start_key=start_key, newest_first=True)
        found += [item.gsistatussk for item in page.items]
        start_key = page.next_start_key
    assert found == ["ana 0005", "ana 0004", "ana 0003", "ana 0002", "ana 0002", "ana 0001"]


def test_a_prefix_narrows_a_page(table: str) -> None:
    fill(12)
    assert pages_of(read.page(ANA, Note, starts_with="0000001")) == [10, 11, 12]
    shelf = SHELF.collection(shelf="sky")
    assert pages_of(read.page(shelf, Note, starts_with="ana 001")) == [10, 11, 12]
    assert read.page(shelf, Note, starts_with="bea").items == []


def test_a_stretch_has_both_its_ends(table: str) -> None:
    fill(6)
    since, until = "00000002", "00000004"
    assert pages_of(read.page(ANA, Note, since=since, until=until)) == [2, 3, 4]
    assert pages_of(read.page(ANA, Note, since=since)) == [2, 3, 4, 5, 6]
    assert pages_of(read.page(ANA, Note, until=until)) == [1, 2, 3, 4]


def test_a_stretch_until_a_day_has_the_whole_day(table: str) -> None:
    """Its end is the beginning of a sort key, as a date is of a moment."""
    fill(12)
    assert pages_of(read.page(ANA, Note, since="0000000", until="0000000")) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert pages_of(read.page(ANA, Note, since="0000001", until="00000011")) == [10, 11]


def test_a_stretch_stays_within_its_kind(table: str) -> None:
    """Other kinds of the same partition lie before and after it."""
    fill(2)
    for sort_key in ("A", "NOTE", "NOTF#1", "Z"):
        put({"PK": {"S": "NOTE#ana"}, "SK": {"S": sort_key}})
    for options in ({}, {"since": "0"}, {"until": "9"}, {"since": "0", "until": "9"}):
        assert pages_of(read.page(ANA, Note, **options)) == [1, 2]


def test_a_mixed_partition_is_read_as_what_each_item_is(table: str) -> None:
    fill(1)
    put({"PK": {"S": "NOTE#ana"}, "SK": {"S": "WEATHER"}, "degrees": {"N": "21"}})
    mixed = read.page(Collection(None, "NOTE#ana", ""))
    assert [type(each) for each in mixed.items] == [Note, PlainItem]


@on_dynoxide
def test_a_list_fetches_only_what_it_shows(table: str, network: Network) -> None:
    """And the keys and the ttl, which say what it is, where it stands and whether it still is."""
    fill(2, text={"S": "a very long body"}, ttl=FUTURE)
    found = read.page(SHELF.collection(shelf="sky"), Note, attributes=["title"], limit=2)
    (asked,) = network.calls("Query")
    fetched = {asked["ExpressionAttributeNames"][name] for name in asked["ProjectionExpression"].split(", ")}
    assert fetched == {"PK", "SK", "ttl", "GSIStatusPK", "GSIStatusSK", "title"}
    assert asked["Limit"] == 3  # One more, to know whether there is more.
    assert asked["ScanIndexForward"] is True
    assert [each.title for each in found.items] == ["ana 0001", "ana 0002"]
    assert not any(each.text for each in found.items)
    assert all(each.partial for each in found.items)


@on_dynoxide
def test_a_whole_page_projects_nothing_away(table: str, network: Network) -> None:
    fill(1, text={"S": "body"})
    (item,) = read.page(ANA, Note, consistent=True).items
    assert (item.text, item.partial) == ("body", False)
    (asked,) = network.calls("Query")
    assert "ProjectionExpression" not in asked
    assert asked["ConsistentRead"] is True


@on_dynoxide
def test_a_page_is_filled_past_what_has_expired(table: str, network: Network) -> None:
    fill(9)
    for number in (1, 2, 4, 5):
        put_note("ana", number, ttl=PAST)
    found = read.page(ANA, Note, limit=4)
    assert pages_of(found) == [3, 6, 7, 8]
    assert [body["Limit"] for body in network.calls("Query")] == [5, 4]
    assert pages_of(read.page(ANA, Note, limit=4, start_key=found.next_start_key)) == [9]


@on_dynoxide
def test_a_page_stops_looking_after_a_few_requests(table: str, network: Network) -> None:
    """What it found is shown, and the next page starts where it stopped: nothing is skipped."""
    fill(12, ttl=PAST)
    put_note("ana", 13, ttl=FUTURE)
    found = read.page(ANA, Note, limit=2)
    assert found.items == []
    assert found.next_start_key is not None
    assert len(network.calls("Query")) == read.MAX_REQUESTS_PER_PAGE
    assert pages_of(read.page(ANA, Note, limit=9, start_key=found.next_start_key)) == [13]


@every_engine
def test_a_count_stops_at_a_hundred(table: str) -> None:
    fill(103)
    assert read.count(ANA) == read.COUNT_LIMIT == 100
    assert read.count(SHELF.collection(shelf="sky")) == 100
    assert read.count(ANA, starts_with="0000000") == 9
    assert read.count(NOTE.collection(note="nobody")) == 0


@on_dynoxide
def test_a_count_reads_no_more_than_it_says(table: str, network: Network) -> None:
    fill(5)
    assert read.count(ANA) == 5
    (asked,) = network.calls("Query")
    assert (asked["Select"], asked["Limit"]) == ("COUNT", 100)


def test_a_count_leaves_out_what_has_expired(table: str) -> None:
    fill(5)
    put_note("ana", 2, ttl=PAST)
    put_note("ana", 3, ttl=FUTURE)
    assert read.count(ANA) == 4


@on_dynoxide
def test_a_count_of_big_items_goes_on_where_dynamodb_pauses(table: str, network: Network) -> None:
    """A request ends at 1 MB: six items of 300 KB are more than one."""
    for number in range(1, 7):
        put_note("ana", number, text={"S": "x" * 300_000})
    assert read.count(ANA) == 6


# --- Side by side --------------------------------------------------------------------------------
def test_reads_side_by_side_are_one_trip(table: str) -> None:
    with oplog.recording() as log:
        note_at("ana")
        read.gather_all([partial(note_at, "ana", n) for n in range(1, 5)])
        read.gather_all([lambda: note_at("bea")])
    assert len(log.calls) == 6
    assert log.trips == 3


def test_they_really_go_out_together() -> None:
    """Each waits for the other: one after the other they would never end."""
    both = threading.Barrier(2, timeout=5)
    assert read.gather_all([both.wait, both.wait]) in ([0, 1], [1, 0])


def test_side_by_side_speaks_the_language_and_keeps_the_clocks_of_whoever_asks(table: str) -> None:
    def here() -> tuple[str | None, str]:
        return translation.get_language(), timezone.get_current_timezone_name()

    with translation.override("es"), timezone.override(ZoneInfo("America/Bogota")):
        assert read.gather_all([here, here]) == [("es", "America/Bogota")] * 2
        assert read.in_background(here).result() == ("es", "America/Bogota")


def test_answers_come_in_the_order_of_the_questions() -> None:
    def slow(value: int, seconds: float) -> int:
        time.sleep(seconds)
        return value

    assert read.gather_all([lambda: slow(1, 0.05), lambda: slow(2, 0), lambda: slow(3, 0.02)]) == [1, 2, 3]


def test_a_failure_of_one_read_is_the_failure_of_all() -> None:
    def fails() -> None:
        raise Unavailable

    with pytest.raises(Unavailable):
        read.gather_all([lambda: None, fails])


business: ContextVar[str] = ContextVar("tenant", default="nobody's")


def test_what_is_bound_to_the_request_reaches_the_threads(table: str) -> None:
    """The tenant, the pattern, the frozen clock and the op log are context variables."""
    token = business.set("andina")
    with clock.frozen(NOON), oplog.recording() as log:
        found = read.gather_all([lambda: (business.get(), clock.now(), threading.get_ident())] * 3)
        read.gather_all([lambda: note_at("ana")] * 2)
    business.reset(token)
    assert {each[:2] for each in found} == {("andina", NOON)}
    assert threading.get_ident() not in {each[2] for each in found}
    assert len(log.calls) == 2


def test_a_thread_leaves_nothing_behind_for_the_next_request() -> None:
    def bind() -> str:
        before = business.get()
        business.set("harbour")
        return before

    for _ in range(30):
        assert read.gather_all([bind, bind]) == ["nobody's"] * 2


def test_work_begun_aside_goes_out_with_what_follows(table: str) -> None:
    token = business.set("andina")
    with oplog.recording() as log:
        note_at("ana")
        begun = read.in_background(lambda: (business.get(), note_at("bea")))
        note_at("carla")
        assert begun.result() == ("andina", None)
    business.reset(token)
    assert len(log.calls) == 3
    assert log.trips == 2


def test_each_read_carries_its_own_pattern(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PATTERNS", {})

    @registry.access_pattern("Where is this note?", NOTE)
    def find() -> Item | None:
        return note_at("ana")

    @registry.access_pattern("What is on this shelf?", SHELF)
    def shelf() -> read.Page[Note]:
        return read.page(SHELF.collection(shelf="sky"), Note)

    with oplog.recording() as log:
        read.gather_all([find, shelf])
        note_at("ana")
    assert sorted((call.pattern.rpartition(".")[2], call.index) for call in log.calls) == [
        ("", None),
        ("find", None),
        ("shelf", "GSI_Status"),
    ]


def test_more_than_a_hundred_keys_are_asked_for_in_hundreds(table: str) -> None:
    put_note("ana", 1)
    put_note("ana", 205)
    with oplog.recording() as log:
        found = read.get_many([key("ana", page) for page in range(1, 206)])
    assert [number for number, each in enumerate(found, 1) if each is not None] == [1, 205]
    assert [call.operation for call in log.calls] == ["BatchGetItem"] * 3

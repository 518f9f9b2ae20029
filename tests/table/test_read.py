"""Reads: several items at once, pages, counts, and reads in parallel."""

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
from tests.table.notes import NOON, NOTE, SHELF, Note, add_note, key, load_note, on_dynoxide, put, put_note

PAST = {"N": str(int((clock.now() - timedelta(hours=1)).timestamp()))}
FUTURE = {"N": str(int((clock.now() + timedelta(hours=1)).timestamp()))}
ANA = NOTE.collection(note="ana")


@pytest.fixture
def network(table: str) -> Iterator[Network]:
    with bad_network() as network:
        yield network


def page_numbers(found: read.Page[Any]) -> list[int]:
    return [int(item.sk[-8:]) for item in found.items]


def shelf_keys(title: str) -> Raw:
    return {"GSIStatusPK": {"S": "SHELF#sky"}, "GSIStatusSK": {"S": title}}


def put_pages(count: int, **wire: dict[str, Any]) -> None:
    """Write many pages of Ana's note in batches, as an outside writer does."""
    client, name = connection.client(), connection.table().table_name
    items = []
    for number in range(1, count + 1):
        at = key("ana", number)
        title = f"ana {number:04}"
        items.append({"PK": {"S": at.pk}, "SK": {"S": at.sk}, "title": {"S": title}, **shelf_keys(title), **wire})
    for start in range(0, count, 25):
        batch = [{"PutRequest": {"Item": item}} for item in items[start : start + 25]]
        assert not client.batch_write_item(RequestItems={name: batch}).get("UnprocessedItems")


# --- One item, several items ---------------------------------------------------------------------
@every_engine
def test_items_are_returned_in_the_order_of_the_keys(table: str) -> None:
    add_note("ana", 1)
    add_note("bea", 1)
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
    assert old is None, "an expired item is not returned, even if the engine has not deleted it"
    assert new is not None


@on_dynoxide
def test_several_items_are_read_in_one_consistent_call(network: Network) -> None:
    read.get_many([key("ana", number) for number in range(1, 6)])
    (request_body,) = network.calls("BatchGetItem")
    ((request),) = request_body["RequestItems"].values()
    assert request["ConsistentRead"] is True
    assert len(request["Keys"]) == 5


def test_without_keys_no_call_is_made(table: str) -> None:
    with oplog.recording() as log:
        assert read.get_many([]) == []
    assert log.calls == []


def test_an_expired_item_is_not_returned(table: str) -> None:
    put_note("old", ttl=PAST)
    put_note("new", ttl=FUTURE)
    assert load_note("old") is None
    assert load_note("none") is None
    new = load_note("new")
    assert new is not None
    with clock.shifted(timedelta(hours=2)):
        assert load_note("new") is None


def _unprocessed(*unprocessed: Key) -> Any:
    """An answer that has these keys as unprocessed, and no items."""
    keys = [{"PK": {"S": at.pk}, "SK": {"S": at.sk}} for at in unprocessed]
    name = connection.table().table_name
    found = {"Responses": {name: []}, "UnprocessedKeys": {name: {"Keys": keys, "ConsistentRead": True}}}

    def fault(_: Any, request: Any) -> Any:
        import json

        from tests.faults import build_reply

        return build_reply(request, 200, json.dumps(found).encode())

    return fault


@on_dynoxide
def test_unprocessed_keys_are_requested_again(table: str, network: Network) -> None:
    add_note("ana")
    network.next("BatchGetItem", _unprocessed(key("ana"), key("bea")), _unprocessed(key("ana")))
    ana, bea = read.get_many([key("ana"), key("bea")])
    assert ana is not None
    assert bea is None
    request_body = [next(iter(body["RequestItems"].values()))["Keys"] for body in network.calls("BatchGetItem")]
    assert [len(each) for each in request_body] == [2, 2, 1]


@on_dynoxide
def test_keys_that_stay_unprocessed_raise_unavailable(table: str, network: Network) -> None:
    network.next("BatchGetItem", *[_unprocessed(key("ana"))] * 50)
    with pytest.raises(Unavailable):
        read.get_many([key("ana")])
    assert 2 < len(network.calls("BatchGetItem")) < 20


@on_dynoxide
@pytest.mark.parametrize("fault", [lose_request, throttle, broken, gateway_error])
def test_a_table_that_does_not_answer_raises_unavailable(table: str, network: Network, fault: Any) -> None:
    """All kinds of failures give the same error."""
    network.add_random_fault(1.0, fault)
    for ask in (lambda: load_note("ana"), lambda: read.get_many([key("ana")]), lambda: read.page(ANA)):
        with pytest.raises(Unavailable):
            ask()
    assert len(network.log) == 9, "three tries each"


@on_dynoxide
def test_two_network_errors_are_retried(table: str, network: Network) -> None:
    add_note("ana")
    network.next("GetItem", lose_request, throttle)
    assert load_note("ana") is not None


@on_dynoxide
def test_a_validation_error_is_not_unavailable(table: str, network: Network) -> None:
    """An error that a retry cannot solve is raised as it is."""
    network.next("GetItem", error_reply(400, "ValidationException"))
    with pytest.raises(Exception, match="ValidationException"):
        load_note("ana")


# --- Pages ---------------------------------------------------------------------------------------
@every_engine
def test_pages_have_no_gaps_and_no_duplicates(table: str) -> None:
    put_pages(7)
    first = read.page(ANA, Note, limit=3)
    second = read.page(ANA, Note, limit=3, start_key=first.next_start_key)
    third = read.page(ANA, Note, limit=3, start_key=second.next_start_key)
    assert [page_numbers(each) for each in (first, second, third)] == [[1, 2, 3], [4, 5, 6], [7]]
    assert third.next_start_key is None
    newest = read.page(ANA, Note, limit=3, newest_first=True)
    following = read.page(ANA, Note, limit=5, newest_first=True, start_key=newest.next_start_key)
    assert [page_numbers(newest), page_numbers(following)] == [[7, 6, 5], [4, 3, 2, 1]]


@every_engine
def test_a_full_last_page_has_no_next_page(table: str) -> None:
    put_pages(4)
    assert read.page(ANA, Note, limit=4).next_start_key is None
    assert read.page(SHELF.collection(shelf="sky"), Note, limit=4).next_start_key is None
    first = read.page(SHELF.collection(shelf="sky"), Note, limit=2)
    second = read.page(SHELF.collection(shelf="sky"), Note, limit=2, start_key=first.next_start_key)
    assert [page_numbers(first), page_numbers(second), second.next_start_key] == [[1, 2], [3, 4], None]


@every_engine
def test_pages_of_an_index_have_no_gaps_and_no_duplicates(table: str) -> None:
    """Also if several items have the same index key."""
    put_pages(5)
    put({"PK": {"S": "NOTE#bea"}, "SK": {"S": "NOTE#9"}, **shelf_keys("ana 0002")})
    shelf = SHELF.collection(shelf="sky")
    found, start_key = [], None
    for _ in range(3):
        page = read.page(shelf, Note, limit=2, start_key=start_key, newest_first=True)
        found += [item.gsistatussk for item in page.items]
        start_key = page.next_start_key
    assert found == ["ana 0005", "ana 0004", "ana 0003", "ana 0002", "ana 0002", "ana 0001"]


def test_a_prefix_limits_a_page(table: str) -> None:
    put_pages(12)
    assert page_numbers(read.page(ANA, Note, starts_with="0000001")) == [10, 11, 12]
    shelf = SHELF.collection(shelf="sky")
    assert page_numbers(read.page(shelf, Note, starts_with="ana 001")) == [10, 11, 12]
    assert read.page(shelf, Note, starts_with="bea").items == []


def test_a_range_includes_both_ends(table: str) -> None:
    put_pages(6)
    since, until = "00000002", "00000004"
    assert page_numbers(read.page(ANA, Note, since=since, until=until)) == [2, 3, 4]
    assert page_numbers(read.page(ANA, Note, since=since)) == [2, 3, 4, 5, 6]
    assert page_numbers(read.page(ANA, Note, until=until)) == [1, 2, 3, 4]


def test_the_end_of_a_range_can_be_a_prefix(table: str) -> None:
    """All sort keys with this prefix are included, as all times of a day."""
    put_pages(12)
    assert page_numbers(read.page(ANA, Note, since="0000000", until="0000000")) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert page_numbers(read.page(ANA, Note, since="0000001", until="00000011")) == [10, 11]


def test_a_range_has_only_items_of_its_kind(table: str) -> None:
    """Items of other kinds are before and after the range in the same partition."""
    put_pages(2)
    for sort_key in ("A", "NOTE", "NOTF#1", "Z"):
        put({"PK": {"S": "NOTE#ana"}, "SK": {"S": sort_key}})
    for options in ({}, {"since": "0"}, {"until": "9"}, {"since": "0", "until": "9"}):
        assert page_numbers(read.page(ANA, Note, **options)) == [1, 2]


def test_each_item_of_a_mixed_partition_has_its_class(table: str) -> None:
    put_pages(1)
    put({"PK": {"S": "NOTE#ana"}, "SK": {"S": "WEATHER"}, "degrees": {"N": "21"}})
    mixed = read.page(Collection(None, "NOTE#ana", ""))
    assert [type(each) for each in mixed.items] == [Note, PlainItem]


@on_dynoxide
def test_a_list_reads_only_the_attributes_that_it_shows(table: str, network: Network) -> None:
    """It also reads the keys and the ttl."""
    put_pages(2, text={"S": "a very long body"}, ttl=FUTURE)
    found = read.page(SHELF.collection(shelf="sky"), Note, attributes=["title"], limit=2)
    (request_body,) = network.calls("Query")
    fetched = {
        request_body["ExpressionAttributeNames"][name] for name in request_body["ProjectionExpression"].split(", ")
    }
    assert fetched == {"PK", "SK", "ttl", "GSIStatusPK", "GSIStatusSK", "title"}
    assert request_body["Limit"] == 3  # One more, to know whether there is another page.
    assert request_body["ScanIndexForward"] is True
    assert [each.title for each in found.items] == ["ana 0001", "ana 0002"]
    assert not any(each.text for each in found.items)
    assert all(each.partial for each in found.items)


@on_dynoxide
def test_without_a_list_of_attributes_all_are_read(table: str, network: Network) -> None:
    put_pages(1, text={"S": "body"})
    (item,) = read.page(ANA, Note, consistent=True).items
    assert (item.text, item.partial) == ("body", False)
    (request_body,) = network.calls("Query")
    assert "ProjectionExpression" not in request_body
    assert request_body["ConsistentRead"] is True


@on_dynoxide
def test_a_page_skips_expired_items_and_is_still_full(table: str, network: Network) -> None:
    put_pages(9)
    for number in (1, 2, 4, 5):
        put_note("ana", number, ttl=PAST)
    found = read.page(ANA, Note, limit=4)
    assert page_numbers(found) == [3, 6, 7, 8]
    assert [body["Limit"] for body in network.calls("Query")] == [5, 4]
    assert page_numbers(read.page(ANA, Note, limit=4, start_key=found.next_start_key)) == [9]


@on_dynoxide
def test_a_page_of_expired_items_stops_after_a_few_requests(table: str, network: Network) -> None:
    """The next page starts where it stopped, so that no item is skipped."""
    put_pages(12, ttl=PAST)
    put_note("ana", 13, ttl=FUTURE)
    found = read.page(ANA, Note, limit=2)
    assert found.items == []
    assert found.next_start_key is not None
    assert len(network.calls("Query")) == read.MAX_REQUESTS_PER_PAGE
    assert page_numbers(read.page(ANA, Note, limit=9, start_key=found.next_start_key)) == [13]


@every_engine
def test_a_count_stops_at_a_hundred(table: str) -> None:
    put_pages(103)
    assert read.count(ANA) == read.COUNT_LIMIT == 100
    assert read.count(SHELF.collection(shelf="sky")) == 100
    assert read.count(ANA, starts_with="0000000") == 9
    assert read.count(NOTE.collection(note="nobody")) == 0


@on_dynoxide
def test_a_count_makes_one_count_query(table: str, network: Network) -> None:
    put_pages(5)
    assert read.count(ANA) == 5
    (request_body,) = network.calls("Query")
    assert (request_body["Select"], request_body["Limit"]) == ("COUNT", 100)


def test_a_count_excludes_expired_items(table: str) -> None:
    put_pages(5)
    put_note("ana", 2, ttl=PAST)
    put_note("ana", 3, ttl=FUTURE)
    assert read.count(ANA) == 4


@on_dynoxide
def test_a_count_of_large_items_continues_after_1_mb(table: str, network: Network) -> None:
    """DynamoDB ends a request at 1 MB; six items of 300 KB are more."""
    for number in range(1, 7):
        put_note("ana", number, text={"S": "x" * 300_000})
    assert read.count(ANA) == 6


# --- Reads in parallel ---------------------------------------------------------------------------
def test_reads_in_parallel_are_one_trip(table: str) -> None:
    with oplog.recording() as log:
        load_note("ana")
        read.gather_all([partial(load_note, "ana", n) for n in range(1, 5)])
        read.gather_all([lambda: load_note("bea")])
    assert len(log.calls) == 6
    assert log.trips == 3


def test_reads_in_parallel_run_at_the_same_time() -> None:
    """Each read waits for the other one, so in sequence they would not end."""
    barrier = threading.Barrier(2, timeout=5)
    assert read.gather_all([barrier.wait, barrier.wait]) in ([0, 1], [1, 0])


def test_reads_in_parallel_use_the_language_and_time_zone_of_the_caller(table: str) -> None:
    def language_and_zone() -> tuple[str | None, str]:
        return translation.get_language(), timezone.get_current_timezone_name()

    with translation.override("es"), timezone.override(ZoneInfo("America/Bogota")):
        assert read.gather_all([language_and_zone, language_and_zone]) == [("es", "America/Bogota")] * 2
        assert read.in_background(language_and_zone).result() == ("es", "America/Bogota")


def test_results_are_in_the_order_of_the_reads() -> None:
    def slow(value: int, seconds: float) -> int:
        time.sleep(seconds)
        return value

    assert read.gather_all([lambda: slow(1, 0.05), lambda: slow(2, 0), lambda: slow(3, 0.02)]) == [1, 2, 3]


def test_an_error_in_one_read_is_raised() -> None:
    def fails() -> None:
        raise Unavailable

    with pytest.raises(Unavailable):
        read.gather_all([lambda: None, fails])


business: ContextVar[str] = ContextVar("tenant", default="nobody's")


def test_context_variables_are_available_in_the_threads(table: str) -> None:
    """The tenant, the pattern, the frozen clock and the op log are context variables."""
    token = business.set("andina")
    with clock.frozen(NOON), oplog.recording() as log:
        found = read.gather_all([lambda: (business.get(), clock.now(), threading.get_ident())] * 3)
        read.gather_all([lambda: load_note("ana")] * 2)
    business.reset(token)
    assert {each[:2] for each in found} == {("andina", NOON)}
    assert threading.get_ident() not in {each[2] for each in found}
    assert len(log.calls) == 2


def test_context_variables_set_in_a_thread_are_reset() -> None:
    def bind() -> str:
        before = business.get()
        business.set("harbour")
        return before

    for _ in range(30):
        assert read.gather_all([bind, bind]) == ["nobody's"] * 2


def test_a_background_read_is_one_trip_with_the_next_read(table: str) -> None:
    token = business.set("andina")
    with oplog.recording() as log:
        load_note("ana")
        future = read.in_background(lambda: (business.get(), load_note("bea")))
        load_note("carla")
        assert future.result() == ("andina", None)
    business.reset(token)
    assert len(log.calls) == 3
    assert log.trips == 2


def test_each_read_is_logged_with_its_access_pattern(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PATTERNS", {})

    @registry.access_pattern("Where is this note?", NOTE)
    def find() -> Item | None:
        return load_note("ana")

    @registry.access_pattern("What is on this shelf?", SHELF)
    def shelf() -> read.Page[Note]:
        return read.page(SHELF.collection(shelf="sky"), Note)

    with oplog.recording() as log:
        read.gather_all([find, shelf])
        load_note("ana")
    assert sorted((call.pattern.rpartition(".")[2], call.index) for call in log.calls) == [
        ("", None),
        ("find", None),
        ("shelf", "GSI_Status"),
    ]


def test_more_than_a_hundred_keys_are_read_in_batches_of_a_hundred(table: str) -> None:
    put_note("ana", 1)
    put_note("ana", 205)
    with oplog.recording() as log:
        found = read.get_many([key("ana", page) for page in range(1, 206)])
    assert [number for number, each in enumerate(found, 1) if each is not None] == [1, 205]
    assert [call.operation for call in log.calls] == ["BatchGetItem"] * 3

"""Parallel requests, an index that lags and lost replies: the limit holds, and a revoked key stays revoked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, datetime

import pytest

from dashboard.core.clock import frozen
from dashboard.platform.apikeys import queries, services
from dashboard.platform.apikeys.items import ApiKey
from dashboard.table.commands import new_command
from tests.apikeys.factories import OLIVIA, ask, create_key, history_of_key, revoke
from tests.conftest import add_business, real_engines
from tests.faults import Network, bad_network, lose_reply, lose_request
from tests.table.notes import on_dynoxide

START = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
THREADS = 16


@pytest.fixture(autouse=True)
def andina(table: str) -> Iterator[None]:
    add_business("andina", "Coca-Cola Andina")
    with frozen(START):
        yield


def at_once(work: Callable[[], int], times: int) -> Counter[int]:
    with ThreadPoolExecutor(THREADS) as threads:
        begun = [threads.submit(copy_context().run, work) for _ in range(times)]
        return Counter(each.result() for each in begun)


@real_engines
def test_sixteen_at_once_get_through_as_often_as_the_limit_says(table: str) -> None:
    _, secret = create_key("andina", limit=20)
    statuses = at_once(lambda: int(ask(secret).status_code), times=48)
    assert statuses == {200: 20, 429: 28}


@real_engines
def test_lost_replies_let_fewer_through_and_never_more(table: str) -> None:
    """A count whose reply is lost is made again: it counts twice."""
    _, secret = create_key("andina", limit=20)
    with bad_network() as network:
        network.add_random_fault(0.15, lose_reply)
        statuses = at_once(lambda: int(ask(secret).status_code), times=48)
        network.stop_faults()
        assert network.faults > 5, "replies were lost, or this proves nothing"
    assert 0 < statuses[200] <= 20
    assert set(statuses) <= {200, 429, 503}, "an answer each time"


@on_dynoxide
def test_a_count_that_was_lost_on_the_way_back_counts_twice(table: str) -> None:
    key, secret = create_key("andina", limit=2)
    with bad_network() as network:
        assert ask(secret).headers["RateLimit-Remaining"] == "1"  # Notes the use too: the next request only counts.
        network.next("UpdateItem", lose_reply)
        over = ask(secret)
        assert (over.status_code, over.headers["RateLimit-Remaining"]) == (429, "0")
    assert queries.load_key("andina", key.id).last_used_at == START


@on_dynoxide
def test_a_count_that_cannot_be_made_lets_nobody_in(table: str) -> None:
    _, secret = create_key("andina")
    with bad_network() as network:
        ask(secret)
        network.next("UpdateItem", lose_request, lose_request, lose_request)
        answered = ask(secret)
    assert (answered.status_code, answered.json()["error"]) == (503, "unavailable")
    assert answered.headers["Retry-After"] == "5"


@on_dynoxide
def test_a_use_that_cannot_be_noted_keeps_nobody_out(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The note goes out before the count: it meets the fault."""
    key, secret = create_key("andina")
    with bad_network() as network:
        network.add_random_fault(1, _lose_notes)
        assert ask(secret).status_code == 200
        network.stop_faults()
        assert queries.load_key("andina", key.id).last_used_at is None
        assert ask(secret).status_code == 200
    assert queries.load_key("andina", key.id).last_used_at == START


def _lose_notes(send, request):  # type: ignore[no-untyped-def]
    return (lose_request if b"lastUsedAt" in request.body and b"UpdateExpression" in request.body else _pass)(
        send, request
    )


def _pass(send, request):  # type: ignore[no-untyped-def]
    return send(request)


@pytest.fixture
def lagging(table: str) -> Iterator[Network]:
    with bad_network() as network:
        network.freeze_indexes()
        yield network


@on_dynoxide
def test_revoking_stops_the_next_request_though_the_index_lags(table: str, lagging: Network) -> None:
    key, secret = create_key("andina")
    assert ask(secret).status_code == 200
    revoked = revoke(key)
    assert ask(secret).json()["error"] == "revoked_key"
    services.restore("andina", key.id, revision=revoked.revision, command=new_command(OLIVIA))
    assert ask(secret).status_code == 200
    assert len([body for body in lagging.calls("Query") if body.get("IndexName") == "GSI1"]) == 3


@on_dynoxide
def test_a_new_limit_and_new_origins_hold_from_the_next_request_on(table: str, lagging: Network) -> None:
    key, secret = create_key("andina", limit=1)
    site = {"Origin": "https://www.andina.cl"}
    assert [ask(secret).status_code, ask(secret).status_code] == [200, 429]
    services.edit(
        "andina",
        key.id,
        name="x",
        origins=["https://www.andina.cl"],
        rate_limit=50,
        revision=key.revision,
        command=new_command(OLIVIA),
    )
    assert ask(secret, headers=site).status_code == 200


@on_dynoxide
def test_a_key_that_the_index_does_not_have_yet_is_late_and_not_wrong(table: str, lagging: Network) -> None:
    command = new_command(OLIVIA)
    secret = services._secret(command)
    assert ask(secret).status_code == 401
    services.create("andina", name="New", origins=[], rate_limit=100, command=command)
    assert ask(secret).status_code == 401, "the index lags, or this proves nothing"
    lagging.thaw_indexes()
    assert ask(secret).status_code == 200


@real_engines
def test_a_form_sent_by_sixteen_clicks_at_once_issues_one_key(table: str) -> None:
    command = new_command(OLIVIA)

    def click() -> int:
        key = services.create("andina", name="Once", origins=[], rate_limit=5, command=command)
        assert services.secret_of(key, command) is not None
        return key.revision

    with bad_network(seed=3) as network:
        network.next("TransactWriteItems", lose_reply)
        assert at_once(click, times=THREADS) == {1: THREADS}
        network.stop_faults()
    (only,) = queries.keys_of("andina").items
    assert [entry.action for entry in history_of_key(only)] == ["apikey.issue"]


@real_engines
def test_two_who_revoke_at_once_revoke_once(table: str) -> None:
    key, _ = create_key("andina")
    done: list[ApiKey] = []

    def press() -> int:
        try:
            done.append(revoke(key))
        except Exception as error:
            return getattr(error, "status", 500)
        return 200

    assert at_once(press, times=4) == {200: 1, 409: 3}
    assert [entry.action for entry in history_of_key(key)] == ["apikey.revoke", "apikey.issue"]

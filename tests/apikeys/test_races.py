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
from tests.apikeys.factories import OLIVIA, call_api, create_key, history_of_key, revoke
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


def run_in_parallel(work: Callable[[], int], times: int) -> Counter[int]:
    with ThreadPoolExecutor(THREADS) as threads:
        futures = [threads.submit(copy_context().run, work) for _ in range(times)]
        return Counter(each.result() for each in futures)


@real_engines
def test_parallel_requests_never_exceed_the_rate_limit(table: str) -> None:
    _, secret = create_key("andina", limit=20)
    statuses = run_in_parallel(lambda: int(call_api(secret).status_code), times=48)
    assert statuses == {200: 20, 429: 28}


@real_engines
def test_lost_replies_never_let_more_requests_through_than_the_limit(table: str) -> None:
    """A count whose reply is lost is sent again and counts twice."""
    _, secret = create_key("andina", limit=20)
    with bad_network() as network:
        network.add_random_fault(0.15, lose_reply)
        statuses = run_in_parallel(lambda: int(call_api(secret).status_code), times=48)
        network.stop_faults()
        assert network.faults > 5, "the test needs lost replies"
    assert 0 < statuses[200] <= 20
    assert set(statuses) <= {200, 429, 503}, "every request gets an answer"


@on_dynoxide
def test_a_request_whose_count_reply_is_lost_counts_twice(table: str) -> None:
    key, secret = create_key("andina", limit=2)
    with bad_network() as network:
        assert (
            call_api(secret).headers["RateLimit-Remaining"] == "1"
        )  # It also records the use. The next request only counts.
        network.next("UpdateItem", lose_reply)
        over = call_api(secret)
        assert (over.status_code, over.headers["RateLimit-Remaining"]) == (429, "0")
    assert queries.load_key("andina", key.id).last_used_at == START


@on_dynoxide
def test_a_request_that_cannot_be_counted_is_refused(table: str) -> None:
    _, secret = create_key("andina")
    with bad_network() as network:
        call_api(secret)
        network.next("UpdateItem", lose_request, lose_request, lose_request)
        response = call_api(secret)
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert response.headers["Retry-After"] == "5"


@on_dynoxide
def test_a_request_whose_use_cannot_be_recorded_is_answered(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The use is recorded before the request is counted, so the fault hits it."""
    key, secret = create_key("andina")
    with bad_network() as network:
        network.add_random_fault(1, _lose_use_record)
        assert call_api(secret).status_code == 200
        network.stop_faults()
        assert queries.load_key("andina", key.id).last_used_at is None
        assert call_api(secret).status_code == 200
    assert queries.load_key("andina", key.id).last_used_at == START


def _lose_use_record(send, request):  # type: ignore[no-untyped-def]
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
def test_a_revoked_key_is_refused_at_once_although_the_index_lags(table: str, lagging: Network) -> None:
    key, secret = create_key("andina")
    assert call_api(secret).status_code == 200
    revoked = revoke(key)
    assert call_api(secret).json()["code"] == "revoked_key"
    services.restore("andina", key.id, revision=revoked.revision, command=new_command(OLIVIA))
    assert call_api(secret).status_code == 200
    assert len([body for body in lagging.calls("Query") if body.get("IndexName") == "GSI1"]) == 3


@on_dynoxide
def test_a_new_limit_and_new_origins_apply_to_the_next_request(table: str, lagging: Network) -> None:
    key, secret = create_key("andina", origins=["https://old.andina.cl"], limit=1)
    site = {"Origin": "https://www.andina.cl"}
    assert [call_api(secret).status_code, call_api(secret).status_code] == [200, 429]
    services.edit(
        "andina",
        key.id,
        name="x",
        origins=["https://www.andina.cl"],
        rate_limit=50,
        revision=key.revision,
        command=new_command(OLIVIA),
    )
    assert call_api(secret, headers=site).status_code == 200


@on_dynoxide
def test_a_new_key_works_as_soon_as_the_index_has_it(table: str, lagging: Network) -> None:
    command = new_command(OLIVIA)
    secret = services._secret(command)
    assert call_api(secret).status_code == 401
    services.create("andina", name="New", origins=[], rate_limit=100, command=command)
    assert call_api(secret).status_code == 401, "the test needs an index that lags"
    lagging.thaw_indexes()
    assert call_api(secret).status_code == 200


@real_engines
def test_a_form_sent_sixteen_times_at_once_creates_one_key(table: str) -> None:
    command = new_command(OLIVIA)

    def send_form() -> int:
        key = services.create("andina", name="Once", origins=[], rate_limit=5, command=command)
        assert services.secret_of(key, command) is not None
        return key.revision

    with bad_network(seed=3) as network:
        network.next("TransactWriteItems", lose_reply)
        assert run_in_parallel(send_form, times=THREADS) == {1: THREADS}
        network.stop_faults()
    (only,) = queries.keys_of("andina").items
    assert [entry.action for entry in history_of_key(only)] == ["apikey.issue"]


@real_engines
def test_of_four_parallel_revokes_one_succeeds(table: str) -> None:
    key, _ = create_key("andina")
    revoked: list[ApiKey] = []

    def click_revoke() -> int:
        try:
            revoked.append(revoke(key))
        except Exception as error:
            return getattr(error, "status", 500)
        return 200

    assert run_in_parallel(click_revoke, times=4) == {200: 1, 409: 3}
    assert [entry.action for entry in history_of_key(key)] == ["apikey.revoke", "apikey.issue"]

"""The waits between retries, and which errors count as unavailable."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, NoCredentialsError
from pynamodb.exceptions import GetError

from dashboard.core.errors import Conflict, Unavailable
from dashboard.table import connection, retries
from dashboard.table.retries import Backoff, code_of, retry_on, table_errors


def test_waits_are_random_grow_and_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=waits.append))
    limits = [0.02, 0.04, 0.08, 0.16, 0.32, 0.5, 0.5]
    all_waits: set[float] = set()
    for _ in range(20):
        backoff = Backoff(tries=8)
        tries = 1
        while backoff.wait():
            tries += 1
        assert tries == 8
        assert all(0 <= wait <= limit for wait, limit in zip(waits, limits, strict=True))
        all_waits |= set(waits)
        waits.clear()
    assert len(all_waits) > 100, "random waits prevent that two writers collide again"


@pytest.mark.parametrize("conflicts", [0, 1, 11, 12])
def test_a_conflict_is_retried_up_to_eleven_times(monkeypatch: pytest.MonkeyPatch, conflicts: int) -> None:
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=lambda _: None))
    answers = iter([*[Conflict] * conflicts, "done"])

    def attempt() -> str:
        answer = next(answers)
        if answer is Conflict:
            raise Conflict
        return str(answer)

    if conflicts < 12:
        assert retry_on(Conflict, attempt) == "done"
    else:
        with pytest.raises(Conflict):
            retry_on(Conflict, attempt)
    with pytest.raises(Unavailable):
        retry_on(Conflict, _raise_unavailable)


def _raise_unavailable() -> None:
    raise Unavailable


def client_error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, "GetItem")


@pytest.mark.parametrize(
    "error",
    [
        EndpointConnectionError(endpoint_url="http://nobody"),
        NoCredentialsError(),
        client_error("ProvisionedThroughputExceededException"),
        client_error("InternalServerError"),
        client_error("503"),
        client_error("ResourceNotFoundException"),
        client_error("ExpiredTokenException"),
        GetError("wrapped by PynamoDB", EndpointConnectionError(endpoint_url="http://nobody")),
        GetError("wrapped by PynamoDB", client_error("ThrottlingException")),
    ],
    ids=str,
)
def test_errors_of_the_network_or_the_service_become_unavailable(error: Exception) -> None:
    with pytest.raises(Unavailable) as caught, table_errors():
        raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize(
    "error",
    [client_error("ValidationException"), GetError("wrapped", client_error("ValidationException")), KeyError("a bug")],
)
def test_errors_of_the_code_are_not_changed(error: Exception) -> None:
    with pytest.raises(type(error)), table_errors():
        raise error


def test_the_code_of_an_error_is_the_one_of_dynamodb() -> None:
    assert code_of(client_error("ValidationException")) == "ValidationException"
    assert code_of(GetError("wrapped", client_error("Nope"))) == "Nope"
    assert code_of(EndpointConnectionError(endpoint_url="http://nobody")) is None


def test_the_timeouts_are_short() -> None:
    """One second to connect, three seconds to answer, three tries."""
    config: Any = connection.CONFIG
    assert config.connect_timeout <= 1
    assert config.read_timeout <= 3
    assert config.retries == {"mode": "standard", "total_max_attempts": 3}


def test_one_client_serves_all_threads(table: str) -> None:
    """Creating a client takes 0.1 seconds of CPU: threads that start together create only one."""
    connection.forget()
    shared = connection.table().connection
    with ThreadPoolExecutor(8) as pool:
        clients = set(pool.map(lambda _: id(shared.client), range(8)))
    assert len(clients) == 1

"""Waiting before another try, and which failures deserve one."""

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


def test_waits_are_random_grow_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=waits.append))
    limits = [0.02, 0.04, 0.08, 0.16, 0.32, 0.5, 0.5]
    seen: set[float] = set()
    for _ in range(20):
        backoff = Backoff(tries=8)
        tries = 1
        while backoff.wait():
            tries += 1
        assert tries == 8
        assert all(0 <= wait <= limit for wait, limit in zip(waits, limits, strict=True))
        seen |= set(waits)
        waits.clear()
    assert len(seen) > 100, "whoever collided once must not collide again in step"


@pytest.mark.parametrize("meetings", [0, 1, 11, 12])
def test_what_meets_another_is_tried_again_so_many_times(monkeypatch: pytest.MonkeyPatch, meetings: int) -> None:
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=lambda _: None))
    answers = iter([*[Conflict] * meetings, "done"])

    def attempt() -> str:
        answer = next(answers)
        if answer is Conflict:
            raise Conflict
        return str(answer)

    if meetings < 12:
        assert retry_on(Conflict, attempt) == "done"
    else:
        with pytest.raises(Conflict):
            retry_on(Conflict, attempt)
    with pytest.raises(Unavailable):
        retry_on(Conflict, _unavailable)


def _unavailable() -> None:
    raise Unavailable


def refusal(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, "GetItem")


@pytest.mark.parametrize(
    "error",
    [
        EndpointConnectionError(endpoint_url="http://nobody"),
        NoCredentialsError(),
        refusal("ProvisionedThroughputExceededException"),
        refusal("InternalServerError"),
        refusal("503"),
        refusal("ResourceNotFoundException"),
        refusal("ExpiredTokenException"),
        GetError("wrapped by PynamoDB", EndpointConnectionError(endpoint_url="http://nobody")),
        GetError("wrapped by PynamoDB", refusal("ThrottlingException")),
    ],
    ids=str,
)
def test_what_no_input_of_a_person_could_cause_is_unavailable(error: Exception) -> None:
    with pytest.raises(Unavailable) as caught, table_errors():
        raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize(
    "error", [refusal("ValidationException"), GetError("wrapped", refusal("ValidationException")), KeyError("a bug")]
)
def test_a_mistake_of_ours_stays_what_it_is(error: Exception) -> None:
    with pytest.raises(type(error)), table_errors():
        raise error


def test_a_failure_is_known_by_dynamodbs_name_for_it() -> None:
    assert code_of(refusal("ValidationException")) == "ValidationException"
    assert code_of(GetError("wrapped", refusal("Nope"))) == "Nope"
    assert code_of(EndpointConnectionError(endpoint_url="http://nobody")) is None


def test_people_are_not_kept_waiting() -> None:
    """About a second to connect, three to answer, three tries."""
    config: Any = connection.CONFIG
    assert config.connect_timeout <= 1
    assert config.read_timeout <= 3
    assert config.retries == {"mode": "standard", "total_max_attempts": 3}


def test_one_client_serves_all_threads(table: str) -> None:
    """Making one takes a tenth of a second of CPU: threads that start together make one."""
    connection.forget()
    shared = connection.table().connection
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: id(shared.client), range(8)))
    assert len(made) == 1

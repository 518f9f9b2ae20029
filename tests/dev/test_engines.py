"""Every engine starts, answers on the loopback address, and ends with its parent process."""

import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest

from dashboard.dev.engines import PROJECT, EngineFailed, free_port, start_engine
from tests.dev.clients import TABLE, client_for, create_table

START_AND_WAIT = """
import sys, time
from dashboard.dev.engines import start_engine
with start_engine(sys.argv[1]) as engine:
    print(engine.endpoint, flush=True)
    time.sleep(60)
"""


def listens(endpoint: str) -> bool:
    address = urlsplit(endpoint)
    with socket.socket() as probe:
        return probe.connect_ex((address.hostname or "", address.port or 0)) == 0


@pytest.mark.parametrize("fixture", ["dynoxide_endpoint", "dynamodb_local_endpoint", "moto_endpoint"])
def test_an_engine_answers(fixture: str, request: pytest.FixtureRequest) -> None:
    client = client_for(request.getfixturevalue(fixture))
    create_table(client)
    assert TABLE in client.list_tables()["TableNames"]
    client.delete_table(TableName=TABLE)


@pytest.mark.parametrize("name", ["dynoxide", "moto"])
def test_an_engine_ends_when_its_parent_is_killed(name: str, request: pytest.FixtureRequest) -> None:
    # The fixture is requested only to skip the test where the engine is not available.
    request.getfixturevalue(f"{name}_endpoint")
    parent = subprocess.Popen(
        [sys.executable, "-c", START_AND_WAIT, name], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout
    endpoint = parent.stdout.readline().strip()
    assert listens(endpoint)
    parent.kill()
    parent.communicate()
    deadline = time.monotonic() + 10
    while listens(endpoint) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not listens(endpoint)


def test_a_busy_port_is_an_error_with_the_reason() -> None:
    port = free_port()
    with (
        socket.create_server(("127.0.0.1", port)),
        pytest.raises(EngineFailed, match="moto did not start"),
        start_engine("moto", port=port),
    ):
        raise AssertionError("it started")

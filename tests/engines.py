"""The engines of the tests, in memory: each xdist worker starts an engine when its first test needs it."""

import os
from collections.abc import Iterator

import pytest

from dashboard.dev.engines import EngineName, start_engine
from dashboard.dev.packages import ToolUnavailable

# Dynoxide answers one request at a time anyway, and its idle threads took a fifth of its time.
os.environ["TOKIO_WORKER_THREADS"] = "1"


def _endpoint(name: EngineName) -> Iterator[str]:
    try:
        with start_engine(name) as engine:
            yield engine.endpoint
    except ToolUnavailable as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def dynoxide_endpoint() -> Iterator[str]:
    yield from _endpoint("dynoxide")


@pytest.fixture(scope="session")
def dynamodb_local_endpoint() -> Iterator[str]:
    yield from _endpoint("dynamodb-local")


@pytest.fixture(scope="session")
def moto_endpoint() -> Iterator[str]:
    yield from _endpoint("moto")

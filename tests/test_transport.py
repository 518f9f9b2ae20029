"""The HTTP session for the engines returns responses and raises errors like botocore's own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from botocore.awsrequest import AWSPreparedRequest, HeadersDict
from botocore.exceptions import ConnectionClosedError, EndpointConnectionError, ReadTimeoutError

from dashboard.dev.engines import free_port
from tests.transport import LoopbackSession

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Amzn-RequestId: r1\r\n\r\nhello"
CHUNKS = b"HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"


@contextmanager
def engine(*answers: bytes | None) -> Iterator[tuple[int, list[bytes]]]:
    """A server that sends these answers one after the other, in small pieces; for None it closes the connection."""
    received: list[bytes] = []
    stop = threading.Event()

    def serve(server: socket.socket) -> None:
        waiting = list(answers)
        while waiting and not stop.is_set():
            connection, _ = server.accept()
            with connection:
                while waiting and (data := connection.recv(65536)):
                    received.append(data)
                    answer = waiting.pop(0)
                    if answer is None:
                        break
                    for start in range(0, len(answer), 7):
                        connection.sendall(answer[start : start + 7])
                else:
                    stop.wait(2)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, args=[server], daemon=True)
        thread.start()
        yield server.getsockname()[1], received
        stop.set()


def request() -> AWSPreparedRequest:
    headers = HeadersDict({"X-Amz-Target": b"DynamoDB_20120810.GetItem"})
    return AWSPreparedRequest("POST", "http://127.0.0.1/", headers, b"{}", False)  # type: ignore[arg-type]


@pytest.mark.parametrize(("answer", "status"), [(ANSWER, 200), (CHUNKS, 400)])
def test_a_response_is_read_to_its_end(answer: bytes, status: int) -> None:
    with engine(answer, answer) as (port, received):
        session = LoopbackSession(port, 1, 1)
        for _ in range(2):
            response = session.send(request())
            assert (response.status_code, response.content) == (status, b"hello")
    assert received[0].startswith(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n")
    assert received[0].endswith(b"Content-Length: 2\r\n\r\n{}")


def test_header_names_are_case_insensitive() -> None:
    with engine(ANSWER) as (port, _):
        assert LoopbackSession(port, 1, 1).send(request()).headers["x-amzn-requestid"] == "r1"


def test_a_closed_connection_is_opened_again_for_the_next_request() -> None:
    with engine(ANSWER + b"", None, ANSWER) as (port, _):
        session = LoopbackSession(port, 1, 1)
        assert session.send(request()).status_code == 200
        with pytest.raises(ConnectionClosedError):
            session.send(request())
        assert session.send(request()).status_code == 200


@pytest.mark.parametrize(
    ("answers", "error"),
    [([None], ConnectionClosedError), ([ANSWER[:20]], ReadTimeoutError)],
)
def test_a_missing_response_raises_the_error_of_botocore(answers: list[bytes | None], error: type[Exception]) -> None:
    with engine(*answers) as (port, _), pytest.raises(error):
        LoopbackSession(port, 1, 0.2).send(request())


def test_a_refused_connection_raises_the_error_of_botocore() -> None:
    with pytest.raises(EndpointConnectionError):
        LoopbackSession(free_port(), 1, 1).send(request())

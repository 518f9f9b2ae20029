"""A server for moto's DynamoDB. It handles one request at a time and saves a snapshot about a second after a change."""

import argparse
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.core.request import Request as MotoRequest
from moto.dynamodb.models import DynamoDBBackend, dynamodb_backends
from moto.dynamodb.responses import DynamoHandler
from moto.dynamodbstreams.models import DynamoDBStreamsBackend, dynamodbstreams_backends
from moto.dynamodbstreams.responses import DynamoDBStreamsHandler
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Response

from dashboard.dev import moto_patch, snapshot
from dashboard.dev.environment import REGION

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

HOST = "127.0.0.1"
SETTLE_SECONDS = 0.7
# moto keeps every record and every iterator. DynamoDB keeps them for a day and for 15 minutes.
MAX_RECORDS, MAX_ITERATORS = 20_000, 1_000
STREAMS = "DynamoDBStreams_20120810"
READS = ("BatchGet", "Describe", "Get", "List", "Query", "Scan", "TransactGet")


def shared_backend() -> DynamoDBBackend:
    """The one set of tables, for all regions and access keys."""
    return dynamodb_backends[DEFAULT_ACCOUNT_ID][REGION]


class Request(MotoRequest):
    """A request that was received over HTTP."""

    from_wsgi_server = True


class Handler(DynamoHandler):
    """moto's handler, with the shared set of tables."""

    @property
    def dynamodb_backend(self) -> DynamoDBBackend:
        return shared_backend()


class StreamsHandler(DynamoDBStreamsHandler):
    """moto's handler for streams, with the shared set of tables."""

    @property
    def backend(self) -> DynamoDBStreamsBackend:
        return dynamodbstreams_backends[DEFAULT_ACCOUNT_ID][REGION]


def forget_old_records() -> None:
    """Remove the oldest records and iterators, so that this process does not grow."""
    for table in shared_backend().tables.values():
        shard = table.stream_shard
        if shard is not None and len(shard.items) > MAX_RECORDS:
            surplus = len(shard.items) - MAX_RECORDS // 2
            del shard.items[:surplus]
            shard.starting_sequence_number += surplus
    iterators = dynamodbstreams_backends[DEFAULT_ACCOUNT_ID][REGION].shard_iterators
    for name in list(iterators)[:-MAX_ITERATORS]:
        del iterators[name]


class Connection(WSGIRequestHandler):
    """A keep-alive connection without Nagle's delay and without a log line per request."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log(self, type: str, message: str, *args: Any) -> None:
        if type == "error":
            super().log(type, message, *args)


class Server:
    """The WSGI application and its snapshot file."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        # moto is not thread-safe: updates get lost.
        self.lock = threading.Lock()
        self.changed = threading.Event()
        # Only one thread writes the file at a time.
        self.saving = threading.Lock()
        if file:
            snapshot.load(shared_backend(), snapshot.read(file))

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        request = Request(environ)
        # Read the body before taking the lock, so that a slow client does not block others.
        request.get_data()
        service, _, operation = request.headers.get("X-Amz-Target", "").rpartition(".")
        if not operation:
            return Response("moto")(environ, start_response)
        handler = StreamsHandler if service == STREAMS else Handler
        with self.lock:
            status, headers, body = handler.dispatch(request, request.raw_url, request.headers)
            if not operation.startswith(READS):
                self.changed.set()
            forget_old_records()
        return Response(body, int(status), headers)(environ, start_response)

    def save(self) -> None:
        """Write the file if anything has changed since the last time."""
        with self.saving:
            with self.lock:
                if not self.file or not self.changed.is_set():
                    return
                self.changed.clear()
                # Garbage collection would make the copy slower while all requests wait for the lock.
                gc.disable()
                records = snapshot.dump(shared_backend())
                gc.enable()
            try:
                snapshot.write(self.file, records)
            except OSError as error:
                self.changed.set()  # The next round tries again.
                print(f"Could not save the data in {self.file.name}: {error.strerror}.", file=sys.stderr)

    def keep_saving(self) -> None:
        while True:
            self.changed.wait()
            time.sleep(SETTLE_SECONDS)
            self.save()


def end_when_orphaned(parent: int) -> None:
    """Stop this process after its parent has ended. Only Linux can send a signal for that."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m dashboard.dev.moto_server", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--snapshot", type=Path)
    options = parser.parse_args()

    def stop(*_: object) -> None:
        sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    moto_patch.apply()
    server = Server(options.snapshot)
    threading.Thread(target=server.keep_saving, daemon=True).start()
    threading.Thread(target=end_when_orphaned, args=(os.getppid(),), daemon=True).start()
    try:
        make_server(HOST, options.port, server, threaded=True, request_handler=Connection).serve_forever()
    finally:
        server.save()


if __name__ == "__main__":
    main()

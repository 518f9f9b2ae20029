"""The limits of the server. Each can be set in the environment: `SERVER_HEAD_SECONDS=5`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields

PREFIX = "SERVER_"
# These limits have other names in the environment.
OTHER_NAMES = {"slow_per_network": "PER_ADDRESS", "response_bytes": "STREAM_BYTES", "queue_length": "QUEUE"}


@dataclass(frozen=True)
class Limits:
    """All counts are per process."""

    # Seconds from the first byte of a request to the end of its headers.
    head_seconds: float = 10
    # Bytes of the request line and the headers together.
    head_bytes: int = 64 * 1024
    # Seconds without progress after which a body or a response is given up, and the rate that counts as progress.
    stall_seconds: float = 20
    bytes_per_second: float = 2048
    # Slow connections of one network (0: no limit), and the seconds of waiting that make a connection slow. A network
    # is an IPv4 address or a /64 of IPv6.
    slow_per_network: int = 50
    slow_seconds: float = 2
    # Bytes of request bodies that are not complete or not answered yet, in temporary files.
    incoming_bytes: int = 512 * 1024 * 1024
    # Bytes of responses that clients have not taken yet, in memory.
    outgoing_bytes: int = 64 * 1024 * 1024
    # Bytes of one response in memory. A thread that has more to send waits for its client.
    response_bytes: int = 1024 * 1024
    # Complete requests that wait for a thread, and how long one may wait.
    queue_length: int = 100
    queue_seconds: float = 5


def variable_of(limit: str) -> str:
    """The name of the environment variable that sets this limit."""
    return PREFIX + OTHER_NAMES.get(limit, limit.upper())


def read_limits(environment: Mapping[str, str] = os.environ) -> Limits:
    """The limits in the environment. Behind our own proxy all clients share its address, so it has no limit."""
    values: dict[str, float] = {}
    if environment.get("TRUSTED_PROXIES", "0").strip() not in {"", "0"}:
        values["slow_per_network"] = 0
    for field in fields(Limits):
        given = environment.get(variable_of(field.name))
        if given:
            values[field.name] = float(given) if field.type == "float" else int(given)
    return Limits(**values)  # type: ignore[arg-type]

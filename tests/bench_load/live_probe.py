"""Asks for /livez again and again, in a process of its own, so that the other clients do not slow it down."""

from __future__ import annotations

import http.client
import sys
import time

HOST, ADDRESS = "127.0.0.1", "127.0.0.3"


def main(port: int) -> None:
    """Print for each request whether it succeeded, and the seconds it took."""
    while True:
        started = time.perf_counter()
        connection = http.client.HTTPConnection(HOST, port, timeout=30, source_address=(ADDRESS, 0))
        try:
            connection.request("GET", "/livez")
            is_good = connection.getresponse().read() == b'{"status": "ok"}'
        except (OSError, http.client.HTTPException):
            is_good = False
        finally:
            connection.close()
        print(int(is_good), time.perf_counter() - started, flush=True)
        time.sleep(0.1)


if __name__ == "__main__":
    main(int(sys.argv[1]))

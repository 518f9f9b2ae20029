"""Tables beside the main one share its connection."""

from __future__ import annotations

import threading

from dashboard.table import connection


def test_threads_that_use_another_table_for_the_first_time_share_it(table: str) -> None:
    """A page reads a month's table in many threads at once."""
    for number in range(30):
        barrier, found = threading.Barrier(8), []

        def bind(name: str = f"other-{number}") -> None:
            barrier.wait()  # noqa: B023
            found.append(connection.table(name))  # noqa: B023

        threads = [threading.Thread(target=bind) for _ in range(8)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert len(found) == 8 and len(set(map(id, found))) == 1

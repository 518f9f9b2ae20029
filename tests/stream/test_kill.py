"""A follower that is killed continues after its last checkpoint: nothing is skipped."""

from __future__ import annotations

import signal
import time

import pytest

from tests.conftest import real_engines
from tests.stream.helpers import follower_state, post, post_key, wrong_keys
from tests.table.notes import load_raw, put
from tests.tables import SharedTable
from tests.transfer.helpers import start_process

KILLS = 5
PER_ROUND = 40


@real_engines
@pytest.mark.slow
def test_a_follower_killed_five_times_skips_nothing(table: str, stream_table: SharedTable) -> None:
    written: list[str] = []
    for number in range(KILLS + 1):
        process = start_process("follow_stream", "--idle=0.05", "--lease=1")
        is_last = number == KILLS
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not is_repaired(written[-1:]):
            time.sleep(0.05)
        for each in range(PER_ROUND):
            name = f"r{number}n{each}"
            put(post(name))
            written.append(name)
            if not is_last and each == PER_ROUND // 2:
                process.send_signal(signal.SIGKILL)
                process.communicate()
        if is_last:
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline and not is_repaired(written):
                time.sleep(0.1)
            process.terminate()
            _, errors = process.communicate(timeout=20)
            assert (process.returncode, errors) == (0, b"")
    assert [name for name in written if not is_repaired([name])] == []
    state = follower_state()
    assert (state.failed, state.kinds["post"]) == (0, len(written)), "each item is counted once"


def is_repaired(names: list[str]) -> bool:
    return all(not wrong_keys(load_raw(post_key(name)) or {}) for name in names)

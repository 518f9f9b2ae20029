"""Child processes that end with their parent, even if the parent is killed."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import IO

STOP_SECONDS = 8
_PR_SET_PDEATHSIG = 1
# Loaded here, because nothing may be imported between fork and exec. Only Linux has this call.
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def end_with_parent() -> None:
    """Ask the kernel to terminate this process when the thread that started it ends."""
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def start_child(
    command: list[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    output: int | IO[bytes] | None = None,
    keep_open: Collection[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a process that ends with this one, in its own group: Ctrl-C goes to the parent only."""
    parent = os.getpid()

    def before_exec() -> None:
        end_with_parent()
        if os.getppid() != parent:
            os._exit(1)

    return subprocess.Popen(
        command,
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
        pass_fds=tuple(keep_open),
        preexec_fn=before_exec,
    )


def stop_child(process: subprocess.Popen[bytes]) -> None:
    """Ask the process to end and wait for it; kill it after some seconds."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

"""`make run`: starts an engine, the table with demo data and the app on this machine, until Ctrl-C."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from dashboard.dev import packages
from dashboard.dev.command import command_environment
from dashboard.dev.engines import HOST, PROJECT, Engine, EngineFailed, EngineName, start_engine, wait_until_ready
from dashboard.dev.lifetime import end_with_parent, start_child, stop_child
from dashboard.dev.options import Options, RunError, read_options, require_free
from dashboard.platform.demos.logins import EMAILS, PASSWORD

DATA_FILES: dict[EngineName, str] = {"dynoxide": "dynoxide.db", "moto": "moto.json"}
# Due tasks run about every minute, and what other programs write to the table is repaired at once.
CLOCK, FOLLOWER = ["run_due", "--watch=60"], ["follow_stream"]
# Events are archived soon, so that a stopped copy has them all.
ARCHIVE = ["archive_activity", "--file-seconds=5"]
CLOCK_ENDED = "The process for due tasks ended. Due tasks run again after the next start."
FOLLOWER_ENDED = "The stream follower ended. Lists show what other programs write only after the next start."
ARCHIVE_ENDED = "The archive of activity ended. Reports of past days miss new events until the next start."
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(BaseException):
    """A signal asked this process to stop."""


def report(text: str) -> None:
    print(text, flush=True)


@contextmanager
def lock_data_folder(options: Options) -> Iterator[int]:
    """Hold two locks of the data folder: one of this process, and one that the child processes inherit."""
    options.data.mkdir(parents=True, exist_ok=True)
    with (
        (options.data / "run.lock").open("a+", encoding="utf-8") as run_lock,
        (options.data / "children.lock").open("a") as children_lock,
    ):
        if not wait_for_lock(run_lock.fileno(), seconds=2):
            run_lock.seek(0)
            raise RunError(f"Trastienda is already running from this folder at {run_lock.read()}. Stop it first.")
        run_lock.truncate(0)
        run_lock.write(options.address)
        run_lock.flush()
        # After a kill -9 the child processes end by themselves, but not immediately.
        if not wait_for_lock(children_lock.fileno(), seconds=10):
            raise RunError("A process of an earlier `make run` is still running from this folder. Stop it first.")
        yield children_lock.fileno()


def wait_for_lock(file: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.05)
        else:
            return True
    return False


def choose_engine(options: Options) -> EngineName:
    """The engine in ENGINE; without it Dynoxide, or moto where Dynoxide is not available."""
    if options.engine == "moto":
        return "moto"
    try:
        packages.dynoxide(before_fetching=lambda: report("Downloading the engine (only the first time)."))
    except packages.ToolUnavailable as reason:
        if options.engine:
            raise RunError(f"{reason} Without ENGINE, moto is used instead.") from None
        report(f"{reason} Using moto instead.")
        return "moto"
    return "dynoxide"


def data_file(options: Options, engine: EngineName) -> Path:
    """The data file of the engine. FRESH removes what is stored."""
    file = options.data / DATA_FILES[engine]
    if options.fresh:
        for leftover in options.data.glob(f"{file.name}*"):
            leftover.unlink()
    elif not file.exists():
        for other, name in DATA_FILES.items():
            if (options.data / name).exists():
                report(f"The data of {other} is kept. To use it: make run ENGINE={other}")
    return file


def app_environment(options: Options, engine: Engine) -> dict[str, str]:
    """The environment of the app: the local engine, and secrets that stay the same between starts."""
    environment = command_environment(options, engine.endpoint)
    for name in ("ASSETS_BUCKET", "GUNICORN_CMD_ARGS"):
        environment.pop(name, None)
    return environment | {
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "SITE_URL": f"http://{HOST}:{options.port}",
    }


def prepare(environment: dict[str, str], lock: int) -> None:
    child = start_child([sys.executable, "-m", "dashboard.dev.prepare"], env=environment, cwd=PROJECT, keep_open=[lock])
    try:
        if child.wait() != 0:
            raise RunError("Could not create the table or the demo data. The reason is above.")
    finally:
        stop_child(child)


@contextmanager
def serve(options: Options, environment: dict[str, str], lock: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run gunicorn for the length of a `with` block."""
    gunicorn = [sys.executable, "-m", "gunicorn", "dashboard.wsgi:application"]
    server_options = [
        "--config=python:dashboard.server.config",
        f"--bind={HOST}:{options.port}",
        "--workers=1",
        "--threads=8",
        "--graceful-timeout=3",
        "--log-level=warning",
    ]
    child = start_child([*gunicorn, *server_options], env=environment, cwd=PROJECT, keep_open=[lock])
    try:
        if not wait_until_ready(options.port, child, "/healthz"):
            raise RunError("The web server did not start. The reason is above.")
        yield child
    finally:
        stop_child(child)


@contextmanager
def run_command(environment: dict[str, str], lock: int, command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a management command for the length of a `with` block. Only failures are printed."""
    manage = [sys.executable, "manage.py", *command, "--verbosity=0"]
    child = start_child(manage, env=environment, cwd=PROJECT, keep_open=[lock])
    try:
        yield child
    finally:
        stop_child(child)


def watch(engine: Engine, server: subprocess.Popen[bytes], helpers: dict[str, subprocess.Popen[bytes]]) -> NoReturn:
    """Wait for Ctrl-C. Stop if the engine or the web server ends; only report it if another process does."""
    running = dict(helpers)
    while True:
        if engine.process.poll() is not None:
            raise RunError(f"The engine {engine.name} ended, so the app was stopped. Start again: make run")
        if server.poll() is not None:
            raise RunError("The web server ended, so the app was stopped. Start again: make run")
        for text, child in list(running.items()):
            if child.poll() is not None:
                del running[text]
                report(text)
        time.sleep(0.2)


def print_welcome(options: Options, engine: Engine, file: Path) -> None:
    people = "\n             ".join(EMAILS)
    report(f"""
Trastienda is running at {options.address}

  Sign in    {people}
  Password   {PASSWORD}
  Engine     {engine.name} at {engine.endpoint}, data in {os.path.relpath(file)}
  Commands   make command ENGINE_ENDPOINT={engine.endpoint} ARGS="simulate --seconds 60"
  Stop       Ctrl-C
""")


def run(options: Options) -> NoReturn:
    with lock_data_folder(options) as lock:
        require_free("PORT", options.port)
        if options.engine_port:
            require_free("ENGINE_PORT", options.engine_port)
        name = choose_engine(options)
        file = data_file(options, name)
        with start_engine(name, options.engine_port, file, keep_open=[lock]) as engine:
            environment = app_environment(options, engine)
            prepare(environment, lock)
            with (
                serve(options, environment, lock) as server,
                run_command(environment, lock, CLOCK) as clock,
                run_command(environment, lock, FOLLOWER) as follower,
                run_command(environment, lock, ARCHIVE) as archive,
            ):
                print_welcome(options, engine, file)
                watch(engine, server, {CLOCK_ENDED: clock, FOLLOWER_ENDED: follower, ARCHIVE_ENDED: archive})


def main() -> int:
    def stop(*_: object) -> NoReturn:
        for number in SIGNALS:
            # Ignore further signals while the child processes stop.
            signal.signal(number, signal.SIG_IGN)
        raise Stop

    for number in SIGNALS:
        signal.signal(number, stop)
    if "MAKELEVEL" in os.environ:
        end_with_parent()
    try:
        run(read_options())
    except Stop:
        report("Stopped.")
        return 0
    except (RunError, EngineFailed) as reason:
        print(reason, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

"""`make run`: an engine, the table, the demo data and the app, on this machine only, until Ctrl-C."""

import fcntl
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from dashboard.dev import packages
from dashboard.dev.engines import HOST, PROJECT, Engine, EngineFailed, EngineName, answers, start_engine
from dashboard.dev.environment import local_environment
from dashboard.dev.lifetime import end_with_parent, start_child, stop_child
from dashboard.dev.options import Options, Refused, read_options, require_free
from dashboard.platform.demos.logins import EMAILS, PASSWORD

DATA_FILES: dict[EngineName, str] = {"dynoxide": "dynoxide.db", "moto": "moto.json"}
CLOCK_SECONDS = 60
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(BaseException):
    """A signal asks `make run` to stop."""


def say(sentence: str) -> None:
    print(sentence, flush=True)


@contextmanager
def lock_folder(options: Options) -> Iterator[int]:
    """Lock the data folder twice: for this process, and for its children, which inherit the second lock."""
    options.data.mkdir(parents=True, exist_ok=True)
    with (
        (options.data / "run.lock").open("a+", encoding="utf-8") as run_lock,
        (options.data / "children.lock").open("a") as children_lock,
    ):
        if not acquire(run_lock.fileno(), seconds=2):
            run_lock.seek(0)
            raise Refused(f"Trastienda already runs from this folder at {run_lock.read()}. Stop that one first.")
        run_lock.truncate(0)
        run_lock.write(options.address)
        run_lock.flush()
        # After a kill -9 the children end a moment later.
        if not acquire(children_lock.fileno(), seconds=10):
            raise Refused("A process of a previous start still runs from this folder. Stop it first.")
        yield children_lock.fileno()


def acquire(file: int, seconds: float) -> bool:
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
    """Dynoxide if it is available, otherwise moto. Raises Refused if ENGINE names an engine that is not available."""
    if options.engine == "moto":
        return "moto"
    try:
        packages.dynoxide(before_fetching=lambda: say("Fetching the engine, once."))
    except packages.Unavailable as reason:
        if options.engine:
            raise Refused(f"{reason} Leave ENGINE out, and moto is used instead.") from None
        say(f"{reason} Using moto instead.")
        return "moto"
    return "dynoxide"


def data_file(options: Options, engine: EngineName) -> Path:
    """Where the engine keeps its data; empty at first, or again with FRESH."""
    file = options.data / DATA_FILES[engine]
    if options.fresh:
        for leftover in options.data.glob(f"{file.name}*"):
            leftover.unlink()
    elif not file.exists():
        for other, name in DATA_FILES.items():
            if (options.data / name).exists():
                say(f"Data of the engine {other} is kept. To use it: make run ENGINE={other}")
    return file


def app_environment(options: Options, engine: Engine) -> dict[str, str]:
    """The app's environment: this machine's engine, and secrets that stay the same between starts."""
    environment = local_environment(engine.endpoint)
    for name in ("ASSETS_BUCKET", "GUNICORN_CMD_ARGS"):
        environment.pop(name, None)
    return environment | {
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "TRASTIENDA_MODE": "local",
        "TRASTIENDA_DATA": str(options.data),
        "SECRET_KEY": load_or_create_secret(options.data / "secret_key"),
        "API_KEY_PEPPER": load_or_create_secret(options.data / "api_key_pepper"),
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
    }


def load_or_create_secret(file: Path) -> str:
    file.touch(mode=0o600)
    if not file.read_text():
        file.write_text(secrets.token_urlsafe(48))
    return file.read_text()


def prepare(environment: dict[str, str], lock: int) -> None:
    child = start_child([sys.executable, "-m", "dashboard.dev.prepare"], env=environment, cwd=PROJECT, keep_open=[lock])
    try:
        if child.wait() != 0:
            raise Refused("The table or the demo data could not be created. See the error above.")
    finally:
        stop_child(child)


@contextmanager
def serve(options: Options, environment: dict[str, str], lock: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run gunicorn for the length of a `with` block."""
    gunicorn = [sys.executable, "-m", "gunicorn", "dashboard.wsgi:application"]
    shape = [
        f"--bind={HOST}:{options.port}",
        "--workers=1",
        "--worker-class=gthread",
        "--threads=8",
        "--graceful-timeout=3",
    ]
    quiet = ["--no-control-socket", "--log-level=warning"]
    child = start_child([*gunicorn, *shape, *quiet], env=environment, cwd=PROJECT, keep_open=[lock])
    try:
        if not answers(options.port, child, "/healthz"):
            raise Refused("The web server did not start. See the error above.")
        yield child
    finally:
        stop_child(child)


@contextmanager
def run_due_tasks(environment: dict[str, str], lock: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run due tasks every minute for the length of a `with` block. Only failures are printed."""
    run_due = [sys.executable, "manage.py", "run_due", f"--watch={CLOCK_SECONDS}", "--verbosity=0"]
    child = start_child(run_due, env=environment, cwd=PROJECT, keep_open=[lock])
    try:
        yield child
    finally:
        stop_child(child)


def watch(engine: Engine, server: subprocess.Popen[bytes], clock: subprocess.Popen[bytes]) -> NoReturn:
    """Wait for Ctrl-C. If the engine or the server ends, everything stops."""
    is_clock_running = True
    while True:
        if engine.process.poll() is not None:
            raise Refused(f"The engine {engine.name} ended, so everything stops. Start again: make run")
        if server.poll() is not None:
            raise Refused("The web server ended, so everything stops. Start again: make run")
        if is_clock_running and clock.poll() is not None:
            is_clock_running = False
            say("The process for due tasks ended. They wait for the next start.")
        time.sleep(0.2)


def welcome(options: Options, engine: Engine, file: Path) -> None:
    people = "\n             ".join(EMAILS)
    say(f"""
Trastienda runs at {options.address}

  Sign in    {people}
  Password   {PASSWORD}
  Engine     {engine.name} at {engine.endpoint}, data in {os.path.relpath(file)}
  Stop       Ctrl-C
""")


def run(options: Options) -> NoReturn:
    with lock_folder(options) as lock:
        require_free("PORT", options.port)
        if options.engine_port:
            require_free("ENGINE_PORT", options.engine_port)
        name = choose_engine(options)
        file = data_file(options, name)
        with start_engine(name, options.engine_port, file, keep_open=[lock]) as engine:
            environment = app_environment(options, engine)
            prepare(environment, lock)
            with serve(options, environment, lock) as server, run_due_tasks(environment, lock) as clock:
                welcome(options, engine, file)
                watch(engine, server, clock)


def main() -> int:
    def stop(*_: object) -> NoReturn:
        for number in SIGNALS:
            # A second signal must not interrupt the stop.
            signal.signal(number, signal.SIG_IGN)
        raise Stop

    for number in SIGNALS:
        signal.signal(number, stop)
    if "MAKELEVEL" in os.environ:
        end_with_parent()
    try:
        run(read_options())
    except Stop:
        say("Stopped.")
        return 0
    except (Refused, EngineFailed) as reason:
        print(reason, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

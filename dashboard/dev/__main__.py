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
    """Somebody asked us to stop."""


def say(sentence: str) -> None:
    print(sentence, flush=True)


@contextmanager
def only_one_here(options: Options) -> Iterator[int]:
    """Hold two locks of the folder: ours, and one that the children inherit, free once all are gone."""
    options.data.mkdir(parents=True, exist_ok=True)
    with (
        (options.data / "run.lock").open("a+", encoding="utf-8") as ours,
        (options.data / "children.lock").open("a") as theirs,
    ):
        if not locked(ours.fileno(), seconds=2):
            ours.seek(0)
            raise Refused(f"Trastienda already runs from this folder at {ours.read()}. Stop that one first.")
        ours.truncate(0)
        ours.write(options.address)
        ours.flush()
        # After a kill -9 the children end by themselves, but not at once.
        if not locked(theirs.fileno(), seconds=10):
            raise Refused("Something of an earlier start still runs from this folder. Stop it first.")
        yield theirs.fileno()


def locked(file: int, seconds: float) -> bool:
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
    """Dynoxide where it can be had, else moto; what was asked for, or a sentence."""
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
                say(f"What was changed under {other} stays there: make run ENGINE={other}")
    return file


def app_environment(options: Options, engine: Engine) -> dict[str, str]:
    """The app's environment: this machine's engine, and secrets that stay the same between starts."""
    environment = local_environment(engine.endpoint)
    for stray in ("ASSETS_BUCKET", "GUNICORN_CMD_ARGS"):
        environment.pop(stray, None)
    return environment | {
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "TRASTIENDA_MODE": "local",
        "TRASTIENDA_DATA": str(options.data),
        "SECRET_KEY": kept_secret(options.data / "secret_key"),
        "API_KEY_PEPPER": kept_secret(options.data / "api_key_pepper"),
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
    }


def kept_secret(file: Path) -> str:
    file.touch(mode=0o600)
    if not file.read_text():
        file.write_text(secrets.token_urlsafe(48))
    return file.read_text()


def prepare(environment: dict[str, str], lock: int) -> None:
    child = start_child([sys.executable, "-m", "dashboard.dev.prepare"], env=environment, cwd=PROJECT, keep_open=[lock])
    try:
        if child.wait() != 0:
            raise Refused("The table or the demo data could not be made; the reason is above.")
    finally:
        stop_child(child)


@contextmanager
def serve(options: Options, environment: dict[str, str], lock: int) -> Iterator[subprocess.Popen[bytes]]:
    """gunicorn, for the length of a `with` block."""
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
            raise Refused("The web server did not start; the reason is above.")
        yield child
    finally:
        stop_child(child)


@contextmanager
def tick(environment: dict[str, str], lock: int) -> Iterator[subprocess.Popen[bytes]]:
    """The clock, for the length of a `with` block: what is due is done about every minute. Only failures are told."""
    run_due = [sys.executable, "manage.py", "run_due", f"--watch={CLOCK_SECONDS}", "--verbosity=0"]
    child = start_child(run_due, env=environment, cwd=PROJECT, keep_open=[lock])
    try:
        yield child
    finally:
        stop_child(child)


def watch(engine: Engine, server: subprocess.Popen[bytes], clock: subprocess.Popen[bytes]) -> NoReturn:
    """Wait for Ctrl-C; neither half is of use without the other."""
    ticks = True
    while True:
        if engine.process.poll() is not None:
            raise Refused(f"The engine {engine.name} ended, so everything stops. Start again: make run")
        if server.poll() is not None:
            raise Refused("The web server ended, so everything stops. Start again: make run")
        if ticks and clock.poll() is not None:
            ticks = False
            say("The clock ended: what is due now waits for the next start.")
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
    with only_one_here(options) as lock:
        require_free("PORT", options.port)
        if options.engine_port:
            require_free("ENGINE_PORT", options.engine_port)
        name = choose_engine(options)
        file = data_file(options, name)
        with start_engine(name, options.engine_port, file, keep_open=[lock]) as engine:
            environment = app_environment(options, engine)
            prepare(environment, lock)
            with serve(options, environment, lock) as server, tick(environment, lock) as clock:
                welcome(options, engine, file)
                watch(engine, server, clock)


def main() -> int:
    def stop(*_: object) -> NoReturn:
        for number in SIGNALS:
            # Once is enough: the children are being stopped.
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

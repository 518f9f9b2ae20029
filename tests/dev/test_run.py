"""`make run` as a process with its own folder: it survives kill -9, and refuses with one sentence."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboard.dev import snapshot
from dashboard.dev.engines import PROJECT, free_port
from tests.dev.clients import client_for, key

# A machine with other work takes several times as long as an idle one, which needs about ten seconds.
READY_SECONDS = 240
NOTE = key("NOTE#1", "NOTE") | {"text": {"S": "still here"}}


class Run:
    """One `python -m dashboard.dev`."""

    def __init__(self, data: Path, **variables: object) -> None:
        self.port = free_port()
        inherited = {name: os.environ[name] for name in ("PATH", "HOME", "TRASTIENDA_CACHE") if name in os.environ}
        stray = {"AWS_PROFILE": "production", "AWS_ENDPOINT_URL": "https://example.com"}
        chosen = {name: str(value) for name, value in {"PORT": self.port, **variables}.items()}
        self.output = data / "output.txt"
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "dashboard.dev"],
                cwd=PROJECT,
                env=inherited | stray | chosen | {"TRASTIENDA_DATA": str(data)},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def wait_until_ready(self) -> Any:
        """A client of the engine that the printed text names."""
        deadline = time.monotonic() + READY_SECONDS
        while "Stop" not in self.output.read_text():
            assert self.process.poll() is None, self.output.read_text()
            assert time.monotonic() < deadline, self.output.read_text()
            time.sleep(0.05)
        return client_for(self.endpoint())

    def endpoint(self) -> str:
        """The address of the engine that the printed text names."""
        found = re.search(r"Engine +\S+ at (http\S+\d)", self.output.read_text())
        assert found
        return found[1]

    def process_ids(self) -> list[int]:
        """The ids of the process and of its descendants."""
        found = [self.process.pid]
        for pid in found:
            found.extend(int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        return found

    def engine_process(self) -> int:
        return next(pid for pid in self.process_ids() if b"moto_server" in Path(f"/proc/{pid}/cmdline").read_bytes())

    def kill_all(self) -> None:
        for pid in self.process_ids():
            os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def wait_until_ended(self) -> tuple[int, str]:
        return self.process.wait(READY_SECONDS), self.output.read_text().strip()


def wait_until_saved(file: Path, item: Any) -> None:
    """The snapshot is written about a second after a change; with other work on the machine it takes longer."""
    deadline = time.monotonic() + READY_SECONDS
    while {"item": item} not in snapshot.read(file):
        assert time.monotonic() < deadline, "the snapshot does not have the item"
        time.sleep(0.2)


@pytest.fixture(scope="session")
def killed_run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a killed run on moto, with the demo and a note. One worker creates it for all."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "ran"
    done = folder / "done"
    try:
        folder.mkdir()
    except FileExistsError:
        deadline = time.monotonic() + 2 * READY_SECONDS
        while not done.exists():
            assert time.monotonic() < deadline, "the other worker did not finish"
            time.sleep(0.2)
        return folder
    run = Run(folder, ENGINE="moto")
    run.wait_until_ready().put_item(TableName="trastienda", Item=NOTE)
    wait_until_saved(folder / "moto.json", NOTE)
    run.kill_all()
    done.touch()
    return folder


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Any]:
    """Start runs in one data folder; all of them end with the test."""
    runs: list[Run] = []

    def start_one(**variables: object) -> Run:
        runs.append(Run(tmp_path, **variables))
        return runs[-1]

    yield start_one
    for run in runs:
        run.process.terminate()
        run.process.wait(30)


@pytest.fixture
def start_again(start: Any, killed_run_folder: Path, tmp_path: Path) -> Any:
    """The same in a folder with the demo, because creating it takes most of a first start."""
    shutil.copytree(killed_run_folder, tmp_path, dirs_exist_ok=True)
    return start


def find_note(run: Run) -> Any:
    return run.wait_until_ready().get_item(TableName="trastienda", Key=key("NOTE#1", "NOTE")).get("Item")


def wait_until_listed(client: Any) -> float:
    """Write a post as another program does; returns the seconds until it has its index keys."""
    raw = key("POST#outside", "POST#outside") | {"status": {"S": "active"}, "createdAt": {"S": "2025-09-21T10:00:00Z"}}
    client.put_item(TableName="trastienda", Item=raw)
    since = time.monotonic()
    while "GSI1PK" not in client.get_item(TableName="trastienda", Key=key("POST#outside", "POST#outside"))["Item"]:
        assert time.monotonic() < since + READY_SECONDS
        time.sleep(0.05)
    return time.monotonic() - since


def test_what_another_program_writes_is_listed_within_seconds(start_again: Any) -> None:
    run = start_again(ENGINE="moto")
    wait_until_listed(run.wait_until_ready())  # The process starts, on a busy machine slowly.
    assert wait_until_listed(client_for(run.endpoint())) < 5


def test_changes_survive_kill_9_on_moto(start_again: Any) -> None:
    run = start_again(ENGINE="moto")
    assert find_note(run) == NOTE
    run.process.send_signal(signal.SIGINT)
    assert run.wait_until_ended()[0] == 0


def test_changes_survive_kill_9_on_dynoxide_and_fresh_starts_over(start: Any, dynoxide_endpoint: str) -> None:
    first = start(ENGINE="dynoxide")
    client = first.wait_until_ready()
    client.put_item(TableName="trastienda", Item=NOTE)
    wait_until_listed(client)
    assert wait_until_listed(client) < 5, "the stream follower runs, too"
    first.kill_all()
    second = start(ENGINE="dynoxide")
    assert find_note(second) == NOTE
    second.process.send_signal(signal.SIGINT)
    assert second.wait_until_ended()[0] == 0
    assert find_note(start(ENGINE="dynoxide", FRESH=1)) is None


def test_the_output_has_addresses_password_and_accounts(start_again: Any) -> None:
    engine_port = free_port()
    run = start_again(ENGINE="moto", ENGINE_PORT=engine_port)
    run.wait_until_ready()
    printed = run.output.read_text()
    assert f"http://127.0.0.1:{run.port}" in printed
    assert f"moto at http://127.0.0.1:{engine_port}" in printed
    assert "trastienda-demo" in printed
    for name in ("admin", "moderator", "staff", "owner", "owner2", "receptionist"):
        assert f" {name}@trastienda.test" in printed


def test_the_app_stops_when_the_engine_ends(start_again: Any) -> None:
    run = start_again(ENGINE="moto")
    run.wait_until_ready()
    os.kill(run.engine_process(), signal.SIGKILL)
    status, printed = run.wait_until_ended()
    assert status == 1
    assert "The engine moto ended, so the app was stopped." in printed


def test_a_second_start_in_the_same_folder_names_the_first(start_again: Any) -> None:
    first = start_again(ENGINE="moto")
    first.wait_until_ready()
    status, printed = Run(first.output.parent, ENGINE="moto").wait_until_ended()
    assert status == 1
    assert printed == (
        f"Trastienda is already running from this folder at http://127.0.0.1:{first.port}. Stop it first."
    )


@pytest.mark.parametrize("name", ["PORT", "ENGINE_PORT"])
def test_a_busy_port_is_refused_with_one_sentence(start: Any, name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, printed = start(ENGINE="moto", **{name: port}).wait_until_ended()
    assert status == 1
    assert printed == f"Port {port} is in use. Use another port: make run {name}={port + 1}"


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"PORT": "web"}, "PORT must be a number from 1 to 65535, not web."),
        ({"ENGINE": "postgres"}, "ENGINE must be dynoxide or moto, not postgres."),
    ],
)
def test_an_invalid_variable_is_refused_with_one_sentence(start: Any, variables: dict[str, str], sentence: str) -> None:
    assert start(**variables).wait_until_ended() == (1, sentence)


def test_without_npm_moto_runs_and_the_reason_is_printed(start_again: Any, tmp_path: Path) -> None:
    run = start_again(PATH=tmp_path, TRASTIENDA_CACHE=tmp_path / "cache")
    run.wait_until_ready()
    assert "npm is not installed, so @dynoxide/linux-x64 cannot be fetched. Using moto" in run.output.read_text()


def test_simulate_runs_with_the_printed_values_and_the_demos_domains_admit_its_people(start_again: Any) -> None:
    run = start_again(ENGINE="moto")
    run.wait_until_ready()
    printed = re.search(r'Commands +make command ENGINE_ENDPOINT=(\S+) ARGS="simulate', run.output.read_text())
    assert printed and printed[1] == run.endpoint()
    command = [sys.executable, "-m", "dashboard.dev.command", "simulate", "--rate=5", "--seconds=2", "--seed=1"]
    environment = {"PATH": os.environ["PATH"], "TRASTIENDA_DATA": str(run.output.parent), "ENGINE_ENDPOINT": printed[1]}
    done = subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    total = done.stdout.rpartition("In all: ")[2]
    assert " 0 refused" in total and " 0 errors" in total and not total.startswith("0 done"), done.stdout

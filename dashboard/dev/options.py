"""The options of `make run`: environment variables, validated."""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dashboard.dev.engines import HOST, PROJECT


class RunError(Exception):
    """`make run` cannot start or continue. The message is printed."""


@dataclass(frozen=True)
class Options:
    """PORT, ENGINE, ENGINE_PORT, FRESH, and the data folder (TRASTIENDA_DATA)."""

    port: int
    engine: str
    engine_port: int | None
    fresh: bool
    data: Path

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}"


def read_options(environment: Mapping[str, str] = os.environ) -> Options:
    """Read the options from the environment. Raises RunError if one is invalid."""
    engine = environment.get("ENGINE", "")
    if engine not in {"", "dynoxide", "moto"}:
        raise RunError(f"ENGINE must be dynoxide or moto, not {engine}.")
    engine_port = environment.get("ENGINE_PORT")
    return Options(
        port=_port("PORT", environment.get("PORT") or "8000"),
        engine=engine,
        engine_port=_port("ENGINE_PORT", engine_port) if engine_port else None,
        fresh=environment.get("FRESH", "") not in {"", "0"},
        data=Path(environment.get("TRASTIENDA_DATA") or PROJECT / ".data").resolve(),
    )


def require_free(name: str, port: int) -> None:
    """Raise RunError if the port is in use. The message contains a command with another port."""
    with socket.socket() as probe:
        # A connection that has just ended does not block the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except PermissionError:
            raise RunError(f"Port {port} requires root permissions. Use another port: make run {name}=8001") from None
        except OSError:
            other = port + 1 if port < 65535 else 8001
            raise RunError(f"Port {port} is in use. Use another port: make run {name}={other}") from None


def _port(name: str, text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise RunError(f"{name} must be a number from 1 to 65535, not {text}.")
    return int(text)

"""Run a management command on the table of a running `make run`, with the settings that it uses.

`ENGINE_ENDPOINT=http://127.0.0.1:8123 python -m dashboard.dev.command simulate` needs the endpoint that `make run`
prints, and the same data folder.
"""

import os
import secrets
import subprocess
import sys
from pathlib import Path

from dashboard.dev.engines import PROJECT
from dashboard.dev.environment import local_environment
from dashboard.dev.options import Options, read_options


def command_environment(options: Options, endpoint: str) -> dict[str, str]:
    """The environment of management commands and of the app: the local engine, and the secrets of the data folder."""
    return local_environment(endpoint) | {
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "TRASTIENDA_MODE": "local",
        "TRASTIENDA_DATA": str(options.data),
        "SECRET_KEY": load_or_create_secret(options.data / "secret_key"),
        "API_KEY_PEPPER": load_or_create_secret(options.data / "api_key_pepper"),
    }


def load_or_create_secret(file: Path) -> str:
    """A secret of the app on this machine. It stays the same between starts."""
    file.touch(mode=0o600)
    if not file.read_text():
        file.write_text(secrets.token_urlsafe(48))
    return file.read_text()


def main() -> int:
    endpoint = os.environ.get("ENGINE_ENDPOINT", "")
    if not endpoint:
        print("Set ENGINE_ENDPOINT to the address of the engine, which `make run` prints.", file=sys.stderr)
        return 1
    environment = command_environment(read_options(), endpoint)
    command = [sys.executable, "manage.py", *sys.argv[1:]]
    return subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

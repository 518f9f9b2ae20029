"""Run a management command on the table of a running `make run`, with the settings that it uses.

`ENGINE_ENDPOINT=http://127.0.0.1:8123 python -m dashboard.dev.command simulate` needs the endpoint that `make run`
prints, and the same data folder.
"""

import os
import subprocess
import sys

from dashboard.dev.app_secrets import app_secrets
from dashboard.dev.engines import PROJECT
from dashboard.dev.environment import local_environment
from dashboard.dev.options import Options, read_options


def command_environment(options: Options, endpoint: str) -> dict[str, str]:
    """The environment of management commands and of the app: the local engine, and the secrets of the data folder."""
    return local_environment(endpoint) | {
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "TRASTIENDA_MODE": "local",
        "TRASTIENDA_DATA": str(options.data),
        **app_secrets(options.data),
    }


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

"""Checks the scripts and stylesheets: `python -m dashboard.dev.biome` (`--write` fixes and formats them).

The rules are in biome.jsonc. Where Biome cannot be fetched the check is skipped; with REQUIRE_ALL=1 it fails instead.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from dashboard.dev import packages

ROOT = Path(__file__).resolve().parent.parent.parent


def main(options: list[str]) -> int:
    try:
        binary = packages.biome()
    except packages.ToolUnavailable as error:
        required = os.environ.get("REQUIRE_ALL") == "1"
        result = "not checked, but REQUIRE_ALL=1 requires every check" if required else "skipped"
        sys.stderr.write(f"Scripts and stylesheets: {result}. {error}\n")
        return 1 if required else 0
    return subprocess.run([binary, "check", "--error-on-warnings", *options], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

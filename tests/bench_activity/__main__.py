"""`make bench ARGS=activity`. SECTIONS chooses some: `SECTIONS=ingestion,patterns`."""

import os
from importlib import import_module

from tests import demo as demo  # Sets Django up.

SECTIONS = ("ingestion", "archive", "patterns", "viewers", "warehouse")

if __name__ == "__main__":
    for name in os.environ.get("SECTIONS", ",".join(SECTIONS)).split(","):
        print(f"--- {name}", flush=True)
        import_module(f"tests.bench_activity.{name}").main()

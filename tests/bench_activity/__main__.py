"""`make bench ARGS=activity`. SECTIONS chooses some: `SECTIONS=ingestion,patterns`."""

import os
from importlib import import_module

from tests import demo as demo  # Sets Django up.

<<<<<<< HEAD
SECTIONS = ("ingestion", "archive", "patterns", "viewers")
=======
SECTIONS = ("ingestion", "patterns", "viewers", "warehouse")
>>>>>>> 082e0997b514b2dce51f5dedf7de282f7ab2be78

if __name__ == "__main__":
    for name in os.environ.get("SECTIONS", ",".join(SECTIONS)).split(","):
        print(f"--- {name}", flush=True)
        import_module(f"tests.bench_activity.{name}").main()

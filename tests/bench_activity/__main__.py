"""`make bench ARGS=activity`."""

from tests import demo as demo  # Sets Django up.

from tests.bench_activity import archive  # isort: skip

if __name__ == "__main__":
    archive.main()

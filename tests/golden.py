"""Golden files: stored items, URLs and pages, to compare before and after a refactoring.

`make golden` writes them below `.data/golden/`; `make golden-check` writes them again and shows the differences:

- `table.jsonl`: the demo's items as stored
- `urls.txt`: every URL with its permission (also committed as tests/ui/urls.txt, which a test compares)
- `pages/<role>/`: the response of every URL for each role

The clock is frozen and ids are the same in each run. Random values, such as tokens, are replaced by placeholders.
"""

from __future__ import annotations

import difflib
import hashlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

from django.core.management import call_command

from dashboard.core.clock import frozen
from dashboard.core.ids import predictable
from dashboard.dev.engines import start_engine
from tests.tables import SharedTable, fastest_engine
from tests.ui.walk import URLS, list_urls
from tests.ui.world import World, make_world

BASE = Path(__file__).resolve().parent.parent
GOLDEN = BASE / ".data" / "golden"
MOMENT = datetime(2026, 5, 4, 12, tzinfo=UTC)
ROLES = ("anonymous", "admin", "moderator", "staff", "owner", "neighbour")
# The number of lines of a difference that are shown for each file.
MAX_LINES = 40

# The values that differ in each run, and their placeholders.
_PLACEHOLDERS = {
    r'(name="csrfmiddlewaretoken" value=")[^"]+': r"\1CSRF",
    r'("X-CSRFToken": ")[^"]+': r"\1CSRF",
    # Signed values: a body, the time of signing, the signature.
    r"[\w.%-]+(:|%3A)[0-9A-Za-z]{6}\1[\w-]{27,43}": "SIGNED",
    r"(/join/|/share/)[\w.-]{30,}": r"\1TOKEN",
    r"[0-9a-f]{64}": "HASH",
    r"(<code>)[a-z0-9]{16}(</code>)": r"\1REQUEST\2",
    r"\b\d+(\.\d+)? ms\b": "# ms",
    # The secret of a second factor: as a link, as a picture and to type.
    r"secret=[A-Z2-7]{32}": "secret=SECRET",
    r'(<path stroke="#000" d=")[^"]+': r"\1QR",
    r"(data-copy-text>)[A-Z2-7 ]{39}<": r"\1SECRET<",
}


def main(command: str) -> int:
    if command == "write":
        write(GOLDEN)
        URLS.write_text(list_urls())
        sys.stdout.write(f"{sum(1 for path in GOLDEN.rglob('*') if path.is_file())} files in {GOLDEN}\n")
        return 0
    if command == "check":
        if not GOLDEN.is_dir():
            sys.stderr.write("There are no golden files yet: run `make golden` before you change anything.\n")
            return 2
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder))
            return report(list(differences(GOLDEN, Path(folder))))
    sys.stderr.write(f"{__doc__}\n")
    return 2


def report(found: list[str]) -> int:
    sys.stdout.write("".join(f"{each}\n" for each in found))
    sys.stdout.write(f"{len(found)} files differ.\n" if found else "Nothing differs.\n")
    return 1 if found else 0


def write(folder: Path) -> None:
    """Write all golden files into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "urls.txt").write_text(list_urls())
    with frozen(MOMENT):
        with new_table() as table, predictable("demo"):
            call_command("seed_demo", stdout=io.StringIO())
            (folder / "table.jsonl").write_text("".join(stored_items(table)))
        with new_table() as table, predictable("world"):
            world = make_world(table)
            table.save_baseline()
            for role in ROLES:
                write_pages(folder / "pages" / role, world.for_one_test(), role)
                table.restore()


@contextmanager
def new_table() -> Iterator[SharedTable]:
    name = fastest_engine()
    with start_engine(name) as running:
        table = SharedTable(name, running.endpoint).create()
        with table.in_use():
            yield table


def stored_items(table: SharedTable) -> Iterator[str]:
    """One line per item, sorted by key."""
    table.save_baseline()
    for _key, raw in sorted(table.items.items()):
        yield replace_random_values(json.dumps(raw, sort_keys=True, ensure_ascii=False, default=repr)) + "\n"


def write_pages(folder: Path, world: World, role: str) -> None:
    """Write the response of every URL for this role, one file each."""
    folder.mkdir(parents=True)
    browser = world.browser(role)
    for url in world.open_to(role):
        answer = browser.get(url)
        kind = answer.headers.get("Content-Type", "")
        body = b"".join(answer) if answer.streaming else answer.content
        text = text_of(body, kind)
        heading = f"{answer.status_code} {kind} {answer.headers.get('Location', '')}".strip()
        (folder / file_name(url)).write_text(replace_random_values(f"{heading}\n{text}"))


def text_of(body: bytes, kind: str) -> str:
    """The text of a response: JSON with sorted keys, the digest of pictures and archives."""
    if "json" in kind:
        return json.dumps(json.loads(body), indent=1, sort_keys=True, ensure_ascii=False)
    if "image" in kind or "zip" in kind:
        return hashlib.sha256(body).hexdigest()
    try:
        return body.decode()
    except UnicodeDecodeError:
        # A file, such as the table of a day's activity.
        return hashlib.sha256(body).hexdigest()


def file_name(url: str) -> str:
    """The file name for a URL; a long one is cut and ends with a digest."""
    name = re.sub(r"[^\w.=&?-]+", "_", replace_random_values(url).strip("/")) or "home"
    return name if len(name) < 150 else f"{name[:120]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def replace_random_values(text: str) -> str:
    for pattern, placeholder in _PLACEHOLDERS.items():
        text = re.sub(pattern, placeholder, text)
    return text


def differences(before: Path, after: Path) -> Iterator[str]:
    """For each file that differs, the first lines of its difference."""
    names = {path.relative_to(folder) for folder in (before, after) for path in folder.rglob("*") if path.is_file()}
    for name in sorted(names):
        old, new = (lines_of(folder / name) for folder in (before, after))
        changed = list(difflib.unified_diff(old, new, f"before/{name}", f"now/{name}", lineterm="", n=1))
        if changed:
            rest = len(changed) - MAX_LINES
            yield "\n".join([*changed[:MAX_LINES], *([f"… and {rest} more lines"] if rest > 0 else [])])


def lines_of(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1] if len(sys.argv) > 1 else ""))

"""Put the items of a file into the table."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.platform.transfer.layouts import CHECKS, LAYOUTS, ImportCheck, find_layout
from dashboard.platform.transfer.management.base import TransferCommand, checkpoint_path, ensure_different
from dashboard.platform.transfer.progress import Progress
from dashboard.platform.transfer.source import Source
from dashboard.platform.transfer.table_import import THREADS, Import
from dashboard.platform.transfer.tally import ErrorFile, Tally
from dashboard.platform.transfer.target import Target


class Command(TransferCommand):
    help = "Put the items of a file into the table: DynamoDB JSON as AWS exports it, or plain JSON, one item a line."
    writes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="plain or gzip")
        parser.add_argument("--from-table", default="", help="the table of another service that the file comes from")
        parser.add_argument("--dry-run", action="store_true", help="print what would be created, and change nothing")
        parser.add_argument("--as-is", action="store_true", help="add no index keys that items lack")
        parser.add_argument("--errors", type=Path, help="a file for every line that could not be imported")
        parser.add_argument("--threads", type=int, default=THREADS, help=f"writers side by side ({THREADS})")

    def work(self, target: Target, **options: Any) -> None:
        path: Path = options["file"]
        ensure_different(path, options["checkpoint"], options["errors"])
        if options["from_table"] and find_layout(options["from_table"]) is None:
            known = ", ".join(sorted(each.name for each in LAYOUTS))
            raise CommandError(f"The layout of this table is not known. Known tables: {known}.")
        checks = tuple(make_check() for make_check in CHECKS)
        with Source(path) as source:
            work = {
                "file": source.identity,
                **target.identity,
                "as_is": options["as_is"],
                "from": options["from_table"],
            }
            checkpoint = Checkpoint(options["checkpoint"] or checkpoint_path(path), work)
            tally = Tally.of(None if options["restart"] or options["dry_run"] else checkpoint.load())
            if tally.line:
                self.note(f"Continuing after line {tally.line:,}.")
            errors = ErrorFile(options["errors"], tally.errors_end) if options["errors"] else None
            with Progress(self.stderr, total=source.size, of="B", prints_lines=options["progress"]) as progress:
                progress.reach(0, f"{tally.written:,} items")
                Import(
                    source,
                    target,
                    checkpoint,
                    as_is=options["as_is"],
                    threads=max(1, options["threads"]),
                    errors=errors,
                    from_table=options["from_table"],
                    dry_run=options["dry_run"],
                    checks=checks,
                    on_round=lambda now: progress.reach(source.done, f"{now.written:,} items"),
                ).run(tally)
        if not options["dry_run"]:
            checkpoint.clear()
        if errors:
            errors.close()
        self.report(tally, "Would import" if options["dry_run"] else "Imported", checks)

    def report(self, tally: Tally, imported: str, checks: tuple[ImportCheck, ...]) -> None:
        self.say(f"{imported} {tally.written:,} items from {tally.line:,} lines.")
        for kind, number in Counter(tally.kinds).most_common():
            self.say(f"  {kind}: {number:,}")
        if tally.unknown:
            self.say(f"Of unknown kinds: {sum(tally.unknown.values()):,}.")
            for kind, number in Counter(tally.unknown).most_common():
                self.say(f"  {kind}: {number:,}")
        for text in (each for check in checks for each in check.report_lines()):
            self.say(text)
        if tally.replaced:
            self.say(f"Left out {tally.replaced:,} lines: a later line had the same key.")
        if tally.computed:
            self.say(f"Computed index keys on {tally.computed:,} items.")
        if tally.differing:
            self.say(f"Left as they are: index keys of {tally.differing:,} items that differ (see reindex).")
        if not tally.bad:
            return
        for line, reason in tally.problems:
            self.complain(f"Line {line:,}: {reason}")
        more = tally.bad - len(tally.problems)
        if more:
            self.complain(f"… and {more:,} more; --errors FILE keeps them all.")
        raise CommandError(f"{tally.bad:,} lines could not be imported.")

"""Correct the index keys of all items."""

from __future__ import annotations

import hashlib
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.platform.transfer.management.base import TransferCommand
from dashboard.platform.transfer.progress import Progress
from dashboard.platform.transfer.reindex import CHANGED, FAILED, UNCHANGED, UNKNOWN, Count, reindex, store_report
from dashboard.platform.transfer.target import Target


class Command(TransferCommand):
    help = "Repair every item as the stream follower does, and count the items by kind. Reads the whole table."
    writes = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--dry-run", action="store_true", help="print what would change, and change nothing")

    def work(self, target: Target, **options: Any) -> None:
        identity = target.identity
        name = hashlib.sha256(repr(sorted(identity.items())).encode()).hexdigest()[:12]
        path = options["checkpoint"] or settings.DATA_DIR / f"reindex-{name}.checkpoint"
        path.parent.mkdir(parents=True, exist_ok=True)
        checkpoint = Checkpoint(path, identity)
        if options["restart"]:
            checkpoint.clear()
        expected = target.description.get("ItemCount") or None
        with Progress(self.stderr, total=expected, of=" items", prints_lines=options["progress"]) as progress:
            count = reindex(
                target,
                checkpoint,
                dry_run=options["dry_run"],
                on_page=lambda now: progress.reach(now.items, f"{now.total(CHANGED):,} changed"),
            )
        if not options["dry_run"]:
            if target.name == settings.DYNAMODB_TABLE:
                store_report(target, count)
            checkpoint.clear()
        self.report(count, "Would change" if options["dry_run"] else "Changed")

    def report(self, count: Count, changed: str) -> None:
        self.say(f"{changed} {count.total(CHANGED):,} of {count.items:,} items.")
        for kind, number in count.most(CHANGED):
            self.say(f"  {kind}: {number:,}")
        self.say(f"Right already: {count.total(UNCHANGED):,}.")
        if count.total(UNKNOWN):
            self.say(f"Of kinds without a class, left alone: {count.total(UNKNOWN):,}.")
            for kind, number in count.most(UNKNOWN)[:20]:
                self.say(f"  {kind}: {number:,}")
        if not count.total(FAILED):
            return
        for note in count.failures:
            self.complain(note)
        raise CommandError(f"The index keys of {count.total(FAILED):,} items could not be computed.")

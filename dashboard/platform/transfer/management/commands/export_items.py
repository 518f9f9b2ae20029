"""Write the items of the table to a file."""

from __future__ import annotations

import fcntl
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.platform.transfer.management.base import TransferCommand, checkpoint_path, ensure_different
from dashboard.platform.transfer.private_files import open_private
from dashboard.platform.transfer.progress import Progress
from dashboard.platform.transfer.table_export import export_items
from dashboard.platform.transfer.target import Target


class Command(TransferCommand):
    help = "Write the items of the table to a file, in DynamoDB JSON as AWS exports it; gzip if it ends with .gz."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path)
        parser.add_argument("--force", action="store_true", help="replace a file that is there already")

    def work(self, target: Target, **options: Any) -> None:
        path: Path = options["file"]
        ensure_different(path, options["checkpoint"])
        if path.exists() and not options["force"]:
            raise CommandError(f"{path} is there already: name another file, or say --force.")
        partial_file = path.with_name(f"{path.name}.part")
        checkpoint = Checkpoint(options["checkpoint"] or checkpoint_path(path), target.identity)
        if options["restart"]:
            checkpoint.clear()
        expected = target.description.get("ItemCount") or None
        with (
            open_private(partial_file, "ab") as lock,
            Progress(self.stderr, total=expected, of=" items", prints_lines=options["progress"]) as progress,
        ):
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CommandError(f"Another export writes {path}.") from None
            items = export_items(
                target,
                partial_file,
                checkpoint,
                compressed=path.suffix == ".gz",
                note=self.note,
                on_page=lambda now: progress.reach(now, f"{now:,} items"),
            )
            partial_file.replace(path)
        checkpoint.clear()
        self.say(f"Exported {items:,} items to {path}.")

"""The base of the commands that process a whole table."""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dashboard.core.names import printable
from dashboard.platform.transfer.source import BrokenFile
from dashboard.platform.transfer.target import Stopped, Target
from dashboard.table import connection

CONTINUE_HINT = "What is done is kept: run the same command again to continue."


class TransferCommand(BaseCommand):
    """A command that processes a table, can be stopped at any time and continues where it stopped."""

    # A command that writes needs --table on AWS, so that nobody writes to a real table by accident.
    writes = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--table", help=f"another table than {settings.DYNAMODB_TABLE}; on AWS it must be named")
        parser.add_argument("--restart", action="store_true", help="start from the beginning")
        parser.add_argument("--checkpoint", type=Path, help="the file that stores the progress")
        parser.add_argument("--progress", action="store_true", help="print the progress, also without a terminal")

    def handle(self, *args: Any, **options: Any) -> None:
        target = Target(options["table"] or settings.DYNAMODB_TABLE, connection.client())
        if self.writes and target.on_aws and not options["table"]:
            raise CommandError(f"{target.endpoint} is AWS: name the table that you mean, with --table.")
        self.note(f"Table {target.name} at {target.endpoint}")
        try:
            with _without_call_log():
                self.work(target, **options)
        except CommandError as error:
            raise CommandError(printable(str(error)), returncode=error.returncode) from error
        except Stopped as reason:
            raise CommandError(f"{printable(str(reason))}\n{CONTINUE_HINT}") from reason
        except (ClientError, BotoCoreError) as reason:
            raise CommandError(f"The table refuses: {printable(str(reason))}\n{CONTINUE_HINT}") from reason
        except BrokenFile as reason:
            raise CommandError(printable(str(reason))) from reason
        except OSError as error:
            raise CommandError(printable(f"{error.strerror or error}: {error.filename}")) from error
        except KeyboardInterrupt:
            raise CommandError(f"Stopped. {CONTINUE_HINT}", returncode=130) from None

    def work(self, target: Target, **options: Any) -> None:
        raise NotImplementedError

    def say(self, text: str) -> None:
        self.stdout.write(printable(text))

    def note(self, text: str) -> None:
        """Print information to stderr."""
        self.stderr.write(printable(text), str)

    def complain(self, text: str) -> None:
        self.stderr.write(printable(text))


@contextmanager
def _without_call_log() -> Iterator[None]:
    """Turn off the log line for each call to the table."""
    logger = logging.getLogger("trastienda.table")
    before = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(before)


def ensure_different(path: Path, *others: Path | None) -> None:
    """Refuse options that name the same file twice."""
    if path.resolve() in {other.resolve() for other in others if other}:
        raise CommandError(f"{path} is named twice: it would be overwritten.")


def checkpoint_path(path: Path) -> Path:
    """The default path of the checkpoint of a file."""
    return path.with_name(f"{path.name}.checkpoint")

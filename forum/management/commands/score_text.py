"""Scores texts, one per line."""

from __future__ import annotations

import gc
import io
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from json.encoder import encode_basestring as quoted
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from forum.profanity import FilterConfig, starter

BLOCK = 1 << 16
CLEAN = '{"score": 0.0, "banned": false, "matches": []}\n'


class Command(BaseCommand):
    help = (
        "Read one text per line and write one JSON object per line: score, banned and matches, each with word, "
        "severity, start, end and text. Uses the starter list, or a config in the table's format. Needs no table."
    )
    # It needs neither settings nor a table.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="the texts, in UTF-8; standard input if not given")
        parser.add_argument("--config", type=Path, help="JSON with blacklist, severity, autoModerationThreshold, …")

    def handle(self, *args: Any, **options: Any) -> None:
        config = read_config(options["config"]) if options["config"] else starter()
        source: Path | None = options["file"]
        if sys.stdout is getattr(self.stdout, "_out", None) and isinstance(sys.stdout, io.TextIOWrapper):
            # JSON is always UTF-8. A lone surrogate, which a config may have, is escaped.
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
        # Exclude the loaded list from garbage collection, which would scan it every few thousand texts.
        gc.freeze()
        try:
            if source is None:
                self.score(sys.stdin.buffer, config)
                return
            with open_file(source) as file:
                self.score(file, config)
        except BrokenPipeError:
            # The reader closed the pipe. Without this, Python reports it again when it closes its output.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        finally:
            gc.unfreeze()

    def score(self, file: BinaryIO, config: FilterConfig) -> None:
        for texts in blocks(file):
            self.stdout.write("".join([verdict(config, text) for text in texts]), ending="")
            self.stdout.flush()


def verdict(config: FilterConfig, text: str) -> str:
    """A line of JSON. Built by hand: `json.dumps` takes as long as the matching."""
    judged = config.judge(text)
    if not judged.matches:
        return CLEAN
    matches = ", ".join(
        [
            f'{{"word": {quoted(match.word)}, "severity": "{match.severity.value}", "start": {match.start}, '
            f'"end": {match.end}, "text": {quoted(text[match.start : match.end])}}}'
            for match in judged.matches
        ]
    )
    banned = "true" if judged.banned else "false"
    return f'{{"score": {judged.score!r}, "banned": {banned}, "matches": [{matches}]}}\n'


def blocks(file: BinaryIO) -> Iterator[list[str]]:
    """The lines as soon as they can be read: a caller can send one line and wait for its result."""
    # `read1` returns what is available without waiting for a full block.
    read = getattr(file, "read1", file.read)
    unfinished: list[bytes] = []
    while chunk := read(BLOCK):
        lines, newline, rest = chunk.rpartition(b"\n")
        if newline:
            yield decode_lines(b"".join([*unfinished, lines]))
            unfinished = []
        if rest:
            unfinished.append(rest)
    if unfinished:
        yield decode_lines(b"".join(unfinished))


def decode_lines(lines: bytes) -> list[str]:
    """The lines without line ends; bytes that are not UTF-8 are replaced."""
    texts = lines.decode("utf-8", "replace").split("\n")
    return [text[:-1] if text.endswith("\r") else text for text in texts]


def open_file(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None


def read_config(path: Path) -> FilterConfig:
    """Read a config with the same tolerance as from the table; a file that is no config is an error."""
    try:
        with open_file(path) as file:
            body = json.load(file)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not valid JSON: {error}.") from None
    if not isinstance(body, dict) or not isinstance(body.get("blacklist"), list):
        raise CommandError(f"{path} is not a config: an object with a list named blacklist is required.")
    return FilterConfig.from_body(body)

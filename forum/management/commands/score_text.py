"""Score texts, one a line."""

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
        "Read one text a line and write one JSON object a line: score, banned and matches, each with word, severity, "
        "start, end and text. By the starter list, or a config in the table's shape. Needs no table."
    )
    # It answers for a text alone: neither settings nor a table matter to it.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, help="the texts, in UTF-8; standard input if not given")
        parser.add_argument("--config", type=Path, help="JSON with blacklist, severity, autoModerationThreshold, …")

    def handle(self, *args: Any, **options: Any) -> None:
        config = read_config(options["config"]) if options["config"] else starter()
        source: Path | None = options["file"]
        if sys.stdout is getattr(self.stdout, "_out", None) and isinstance(sys.stdout, io.TextIOWrapper):
            # JSON is UTF-8 wherever it is written; half a character, which a config may have, becomes its escape.
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
        # What is loaded by now stays: nothing to look through again every few thousand texts.
        gc.freeze()
        try:
            if source is None:
                self.score(sys.stdin.buffer, config)
                return
            with opened(source) as file:
                self.score(file, config)
        except BrokenPipeError:
            # Whoever reads has had enough. Python would complain once more when it closes its output.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        finally:
            gc.unfreeze()

    def score(self, file: BinaryIO, config: FilterConfig) -> None:
        for texts in blocks(file):
            self.stdout.write("".join([verdict(config, text) for text in texts]), ending="")
            self.stdout.flush()


def verdict(config: FilterConfig, text: str) -> str:
    """A line of JSON, written by hand: it takes as long as the matching otherwise."""
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
    """The lines that are there to read, as soon as they are: whoever asks for one need not send a thousand."""
    # A pipe gives what it has; so does a file.
    read = getattr(file, "read1", file.read)
    begun: list[bytes] = []
    while chunk := read(BLOCK):
        lines, newline, rest = chunk.rpartition(b"\n")
        if newline:
            yield decoded(b"".join([*begun, lines]))
            begun = []
        if rest:
            begun.append(rest)
    if begun:
        yield decoded(b"".join(begun))


def decoded(lines: bytes) -> list[str]:
    """Each line as it is, without its end; bytes that are no UTF-8 are replaced."""
    texts = lines.decode("utf-8", "replace").split("\n")
    return [text[:-1] if text.endswith("\r") else text for text in texts]


def opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None


def read_config(path: Path) -> FilterConfig:
    """Of a file, as tolerant as of the table, but not silent about one that is no config at all."""
    try:
        with opened(path) as file:
            body = json.load(file)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is no JSON: {error}.") from None
    if not isinstance(body, dict) or not isinstance(body.get("blacklist"), list):
        raise CommandError(f"{path} is no config: it is an object with a list named blacklist.")
    return FilterConfig.from_body(body)

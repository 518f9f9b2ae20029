"""The starter list: Spanish with regional words, and English."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from forum.profanity.config import THRESHOLD, FilterConfig
from forum.profanity.types import Matching, Severity, Word

HERE = Path(__file__).parent


@cache
def starter() -> FilterConfig:
    """Words from starter.csv, allowed words from innocent.txt."""
    with (HERE / "starter.csv").open(encoding="utf-8", newline="") as file:
        words = tuple(
            Word(row["word"], Severity(row["severity"]), Matching(row["matching"])) for row in csv.DictReader(file)
        )
    lines = (HERE / "innocent.txt").read_text(encoding="utf-8").splitlines()
    return FilterConfig(words, tuple(line.strip() for line in lines if line.strip()), THRESHOLD)

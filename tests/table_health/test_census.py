"""The problems of items, and what `reindex` counts and stores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dashboard.platform.table_health import census as counting
from dashboard.platform.table_health import queries
from dashboard.platform.table_health.census import Census
from dashboard.platform.table_health.items import ReindexReport
from dashboard.platform.table_health.problems import ProblemReason, files_of, problems_of
from dashboard.platform.transfer import reindex as reindexing
from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.platform.transfer.target import Stopped
from dashboard.table import keys
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from tests.conftest import every_engine
from tests.table_health import outside_items as outside
from tests.transfer.helpers import run, stored_items


@pytest.mark.parametrize(
    ("raw", "reason", "detail"),
    [
        (outside.MALFORMED, ProblemReason.MALFORMED_KEY, "theme: THEME#<version>"),
        (outside.MISTYPED, ProblemReason.MISTYPED, "title"),
        (outside.WITHOUT_KEYS, ProblemReason.MISSING_KEYS, "GSI1PK, GSI1SK"),
        (outside.WRONG_KEYS, ProblemReason.WRONG_KEYS, "GSI1PK"),
        (outside.INVALID_PART, ProblemReason.INVALID_PART, "GSI1"),
    ],
)
def test_each_problem_has_a_reason_and_a_detail(raw: Raw, reason: ProblemReason, detail: str) -> None:
    assert [(each.reason, each.detail) for each in problems_of(raw)] == [(reason, detail)]


def test_an_unknown_kind_and_a_complete_item_have_no_problem() -> None:
    complete = outside.WRONG_KEYS | {"GSI1PK": {"S": "TENANT#andina#CATEGORY#spa"}}
    assert list(problems_of(outside.UNKNOWN)) == [] == list(problems_of(complete))


def test_a_file_with_its_own_address_is_not_looked_up() -> None:
    assert list(files_of(outside.UNKNOWN_FILE)) == ["andina-missing"]
    link: Raw = {"PK": {"S": "BUS#andina"}, "SK": {"S": "ASSET#andina-1"}}
    assert list(files_of(link)) == ["andina-1"]


@pytest.mark.parametrize(
    ("pk", "sk", "name"),
    [
        ("TENANT#andina", "POLL#p1", "TENANT / POLL"),
        ("SYSTEM", "CDN_PENDING", "SYSTEM / CDN_PENDING"),
        ("WEATHER#today", "X", "WEATHER"),
        ("0f9a77b1", "CATEGORY#x", "… / CATEGORY"),
        ("#", "#", "?"),
        ("TENANT#andina", "#", "TENANT / ?"),
    ],
)
def test_an_unknown_kind_is_named_by_the_words_of_its_keys(pk: str, sk: str, name: str) -> None:
    assert keys.name_of_unknown_kind(Key(pk, sk)) == name


def load_report() -> ReindexReport:
    report = queries.last_report()
    assert report is not None
    return report


@every_engine
def test_reindex_stores_its_counts(table: str, tmp_path: Path) -> None:
    outside.put_all()
    assert run("reindex", checkpoint=tmp_path / "checkpoint").ok
    report = load_report()
    assert report.item_count == len(outside.ALL)
    assert report.kinds == {"signal": 1, "service": 3, "theme": 1}
    assert {name: each["count"] for name, each in report.unknown_kinds.items()} == {
        "TENANT / POLL": 1,
        "BUS / THEME": 1,
    }
    assert (report.unknown_kinds["TENANT / POLL"]["pk"], report.unknown_kinds["TENANT / POLL"]["sk"]) == (
        "TENANT#andina",
        "POLL#p1",
    )
    assert {reason: each["count"] for reason, each in report.problems.items()} == {
        "malformed_key": 1,
        "mistyped": 1,
        "missing_keys": 1,
        "wrong_keys": 1,
        "invalid_part": 1,
        "unknown_file": 1,
    }
    (example,) = report.problems["unknown_file"]["examples"]
    assert example == {"pk": "BUS#andina", "sk": "THEME#00000003", "detail": "andina-missing"}

    assert run("reindex", checkpoint=tmp_path / "checkpoint").ok
    assert "reindex report" not in load_report().kinds, "the report does not count itself"
    assert "missing_keys" not in load_report().problems and "wrong_keys" not in load_report().problems


def test_a_dry_run_stores_no_report(table: str, tmp_path: Path) -> None:
    outside.put_all()
    assert run("reindex", checkpoint=tmp_path / "checkpoint", dry_run=True).ok
    assert queries.last_report() is None
    assert len(stored_items(with_report=True)) == len(outside.ALL)


def test_a_continued_run_keeps_its_counts(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside.put_all()
    monkeypatch.setattr(reindexing, "PAGE", 2)
    save = Checkpoint.save

    def stop(self: Checkpoint, state: dict[str, Any]) -> None:
        save(self, state)
        raise Stopped("The table does not answer.")

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "save", stop)
        assert not run("reindex", checkpoint=tmp_path / "checkpoint").ok
    assert queries.last_report() is None
    assert run("reindex", checkpoint=tmp_path / "checkpoint").ok
    assert load_report().item_count == len(outside.ALL)


def test_examples_and_unknown_kinds_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MAX_UNKNOWN_KINDS", 3)
    census = Census()
    for number in range(30):
        census.add({"PK": {"S": "BUS#andina"}, "SK": {"S": f"THEME#x{number}"}})
        census.add({"PK": {"S": f"KIND{number}#1"}, "SK": {"S": "X"}})
    census.add({"PK": {"S": "BUS#andina"}, "SK": {"S": "THEME#" + "x" * 900}})
    assert census.total == 61
    assert len(census.unknown_kinds) == 4 and census.unknown_kinds["…"]["count"] == 28
    problem = census.problems["malformed_key"]
    assert (problem["count"], len(problem["examples"])) == (31, 10)

"""manage.py score_text, also run as a separate process with an empty environment."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from forum.management.commands.score_text import blocks
from forum.profanity import FilterConfig, Matching, Severity, Word, starter

ROOT = Path(__file__).parents[2]
CONFIG = FilterConfig((Word("puta", Severity.HIGH), Word("culo", Severity.LOW, Matching.INSIDE)), ("artículo",), 0.8)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG.to_body()), encoding="utf-8")
    return path


def run(*arguments: object, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command with an empty environment: no table, no AWS, no settings."""
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "score_text", *map(str, arguments)],
        input=given,
        capture_output=True,
        env={"PATH": os.environ["PATH"], **environment},
        timeout=60,
    )


def score_texts(tmp_path: Path, text: bytes, config: Path) -> list[dict[str, Any]]:
    path, out = tmp_path / "texts.txt", io.StringIO()
    path.write_bytes(text)
    call_command("score_text", str(path), config=config, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_without_options_the_starter_list_is_used() -> None:
    done = run(given=b"hola\neres una puta\n")
    assert done.returncode == 0, done.stderr
    clean, bad = map(json.loads, done.stdout.decode().splitlines())
    assert clean == {"score": 0.0, "banned": False, "matches": []}
    expected = starter().judge("eres una puta")
    assert (bad["score"], bad["banned"]) == (expected.score, expected.banned)
    assert done.stderr == b""


def test_the_output_is_utf8_with_any_terminal_encoding(config: Path) -> None:
    done = run("--config", config, given="una putá".encode(), PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout.decode("utf-8"))["matches"][0]["text"] == "putá"


def test_the_output_has_the_matches_and_their_positions(tmp_path: Path, config: Path) -> None:
    [line] = score_texts(tmp_path, "Eres PUTÁ, un artículo y un culo".encode(), config)
    assert line == {
        "score": 0.84,
        "banned": True,
        "matches": [
            {"word": "puta", "severity": "high", "start": 5, "end": 9, "text": "PUTÁ"},
            {"word": "culo", "severity": "low", "start": 28, "end": 32, "text": "culo"},
        ],
    }


def test_each_line_has_one_answer_and_only_newlines_end_a_line(tmp_path: Path, config: Path) -> None:
    lines = score_texts(tmp_path, b"\n  puta  \r\n\n\tculo\x0b\x1cputa\xc2\x85\xe2\x80\xa8puta\nx", config)
    assert [[(match["start"], match["text"]) for match in line["matches"]] for line in lines] == [
        [],
        [(2, "puta")],
        [],
        [(1, "culo"), (7, "puta"), (13, "puta")],
        [],
    ]


def test_an_empty_file_has_no_answer(tmp_path: Path, config: Path) -> None:
    assert score_texts(tmp_path, b"", config) == []
    assert len(score_texts(tmp_path, b"\n", config)) == 1


def test_invalid_bytes_are_replaced(tmp_path: Path, config: Path) -> None:
    lines = score_texts(tmp_path, b"\xff\xfe puta\n\xc3\nputa\xf0\x9f", config)
    assert [len(line["matches"]) for line in lines] == [1, 0, 1]


def test_the_output_is_json_for_any_matched_characters(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    words = ['"', "\\", "\ud800", "\u2028", "<b>", "\x00"]
    path.write_text(json.dumps({"blacklist": [*words, 'x "\\y'], "autoModerationThreshold": 0}))
    done = run("--config", path, given=b'a "x "\\y" \\ \xe2\x80\xa8 <b>\n')
    found = json.loads(done.stdout)["matches"]
    assert [match["text"] for match in found] == ['"', 'x "\\y', '"', "\\", "<b>"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("{", "is not valid JSON"),
        ("", "is not valid JSON"),
        ("[]", "is not a config"),
        ('"puta"', "is not a config"),
        ('{"blacklist": "puta"}', "is not a config"),
        ("[" * 100_000, "is not valid JSON"),
    ],
)
def test_an_invalid_config_is_an_error(tmp_path: Path, body: str, message: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(body)
    with pytest.raises(CommandError, match=message):
        call_command("score_text", config=path)


def test_a_config_that_is_not_text_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="is not valid JSON"):
        call_command("score_text", config=path)


@pytest.mark.parametrize("missing", ["file", "config"])
def test_a_missing_file_is_an_error(tmp_path: Path, missing: str) -> None:
    for path in (tmp_path / "none", tmp_path):
        done = run(path) if missing == "file" else run("--config", path)
        assert done.returncode == 1
        assert done.stderr.decode().startswith(f"CommandError: {path} cannot be read")
        assert done.stdout == b""


def test_a_pipe_closed_early_is_not_an_error(tmp_path: Path, config: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("puta\n" * 200_000)
    command = f'"{sys.executable}" manage.py score_text --config "{config}" "{path}" | head -n 1'
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, cwd=ROOT, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout.splitlines()) == 1


def test_each_line_is_answered_immediately(config: Path) -> None:
    command = [sys.executable, str(ROOT / "manage.py"), "score_text", "--config", str(config)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for text, banned in (("puta", True), ("hola", False)):
            process.stdin.write(f"{text}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["banned"] is banned
        process.stdin.close()
    assert process.returncode == 0


class SlowPipe(io.BytesIO):
    """Returns three bytes at a time, like a slow pipe."""

    def read1(self, size: int | None = -1) -> bytes:
        return self.read(3)


@pytest.mark.parametrize("text", ["", "a", "a\n", "\n\n", "ñandú\nñ\n\nlargo larguísimo\nx"])
def test_lines_that_arrive_in_parts_are_joined(text: str) -> None:
    lines = [line for block in blocks(SlowPipe(text.encode())) for line in block]
    assert lines == text.removesuffix("\n").split("\n") * bool(text)

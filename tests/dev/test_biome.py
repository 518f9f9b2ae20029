"""The linter for scripts and stylesheets is skipped where it cannot be fetched, unless every check is required."""

from pathlib import Path

import pytest

from dashboard.dev import biome, packages


@pytest.fixture
def no_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("TRASTIENDA_CACHE", str(tmp_path))
    monkeypatch.setattr(packages, "_is_linux_x64", lambda: True)


@pytest.mark.parametrize(("required", "code", "text"), [("", 0, "skipped"), ("1", 1, "not checked")])
def test_without_npm_the_check_is_skipped_or_fails(
    no_npm: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    required: str,
    code: int,
    text: str,
) -> None:
    monkeypatch.setenv("REQUIRE_ALL", required)
    assert biome.main([]) == code
    message = capsys.readouterr().err
    assert text in message
    assert "npm is not installed" in message


def test_the_result_of_biome_is_the_result_of_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = tmp_path / "biome"
    binary.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/options\nexit 3\n')
    binary.chmod(0o755)
    monkeypatch.setattr(packages, "biome", lambda: binary)
    assert biome.main(["--write"]) == 3
    assert (tmp_path / "options").read_text() == "check --error-on-warnings --write\n"

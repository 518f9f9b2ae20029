"""Fetching packages: checksum, cache, concurrent fetches, and errors in one sentence."""

import base64
import hashlib
import io
import os
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dashboard.dev import packages
from dashboard.dev.packages import NpmPackage, ToolUnavailable


def tarball(entries: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in entries.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o755
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


GOOD = tarball({"package/tool": b"#!/bin/sh\n", "package/package.json": b"{}"})


def package(content: bytes) -> NpmPackage:
    integrity = base64.b64encode(hashlib.sha512(content).digest()).decode()
    return NpmPackage("@example/tool", "1.0.0", f"sha512-{integrity}")


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fake npm that packs `served.tgz` and records each call; returns its folder."""
    script = tmp_path / "bin" / "npm"
    script.parent.mkdir()
    script.write_text(
        f"""#!/bin/sh
echo "$@" >> {tmp_path}/calls
for word in "$@"; do case "$word" in --pack-destination=*) to="${{word#*=}}";; esac; done
sleep 0.1
cp {tmp_path}/served.tgz "$to/example-tool-1.0.0.tgz"
"""
    )
    script.chmod(0o755)
    (tmp_path / "served.tgz").write_bytes(GOOD)
    monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TRASTIENDA_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_a_package_is_fetched_once_and_cached(npm: Path) -> None:
    folder = packages.fetch(package(GOOD))
    assert os.access(folder / "tool", os.X_OK)
    assert packages.fetch(package(GOOD)) == folder
    calls = (npm / "calls").read_text().splitlines()
    assert len(calls) == 1
    assert calls[0].startswith("pack @example/tool@1.0.0 ")
    assert [entry.name for entry in (npm / "cache").iterdir()] == [folder.name]


def test_a_wrong_checksum_is_refused_and_nothing_is_cached(npm: Path) -> None:
    with pytest.raises(ToolUnavailable, match="unexpected checksum"):
        packages.fetch(package(b"something else"))
    assert list((npm / "cache").iterdir()) == []


def test_concurrent_fetches_of_one_package_succeed(npm: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        folders = list(pool.map(packages.fetch, [package(GOOD)] * 4))
    assert len(set(folders)) == 1
    assert (folders[0] / "tool").exists()
    assert len(list((npm / "cache").iterdir())) == 1


def test_a_path_that_leaves_the_folder_is_not_written(npm: Path) -> None:
    unsafe = tarball({"package/tool": b"", "../../escaped": b"out"})
    (npm / "served.tgz").write_bytes(unsafe)
    with pytest.raises(ToolUnavailable, match="unsafe path"):
        packages.fetch(package(unsafe))
    assert not list(npm.glob("**/escaped"))


def test_without_npm_the_reason_is_one_sentence(npm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(npm / "nowhere"))
    with pytest.raises(ToolUnavailable, match=r"^npm is not installed, so @example/tool cannot be fetched\.$"):
        packages.fetch(package(GOOD))


def test_when_npm_fails_the_reason_is_one_sentence(npm: Path) -> None:
    (npm / "served.tgz").unlink()
    with pytest.raises(ToolUnavailable, match=r"^npm could not fetch @example/tool 1\.0\.0"):
        packages.fetch(package(GOOD))


def test_when_the_cache_cannot_be_written_the_reason_is_one_sentence(
    npm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRASTIENDA_CACHE", str(npm / "served.tgz"))
    with pytest.raises(ToolUnavailable, match="could not be saved"):
        packages.fetch(package(GOOD))


def test_dynoxide_names_the_platform_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    with pytest.raises(ToolUnavailable, match="Linux on x86-64 only"):
        packages.dynoxide()

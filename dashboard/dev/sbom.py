"""`make sbom`: the pinned packages with their licences, as CycloneDX (`.data/sbom.json`) and as `docs/licences.md`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "licences.md"
SBOM = ROOT / ".data" / "sbom.json"
_PINNED = re.compile(r"^([a-z0-9._-]+)==([^\s;\\]+)([^\\\n]*)((?:\\\n +--hash=sha256:[0-9a-f]+ ?)*)", re.M)
# An SPDX expression, such as `MIT` or `Apache-2.0 OR BSD-3-Clause`.
_SPDX = re.compile(r"(MIT|ISC|[A-Za-z]+-[A-Za-z0-9.-]+)( (AND|OR) (MIT|ISC|[A-Za-z]+-[A-Za-z0-9.-]+))*")
# How authors write the same licence.
_SPELLINGS = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "MIT License": "MIT",
    "Modified BSD License": "BSD-3-Clause",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "BSD": "BSD License",
}
_INTRODUCTION = """# Licences

Written by `make sbom`, which also writes a CycloneDX bill of materials with the checksums of every package to
`.data/sbom.json`. A licence is what the package says of itself. The icons in `static/icons.svg` are from Lucide (ISC).
Packages that only Windows needs are left out.
"""


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    hashes: tuple[str, ...]
    is_in_production: bool

    @property
    def licence(self) -> str:
        found = metadata.metadata(self.name)
        declared = found["License-Expression"] or found["License"] or ""
        classifiers = [each.rpartition(" :: ")[2] for each in found.get_all("Classifier") or [] if "License ::" in each]
        spelled = [_SPELLINGS.get(each, each) for each in (declared, *classifiers) if each]
        exact = [each for each in spelled if _SPDX.fullmatch(each)]
        if exact and (spelled[0] == exact[0] or len(classifiers) < 2):
            return str(exact[0])
        return " / ".join(_SPELLINGS.get(each, each) for each in classifiers) or self._first_line_of_licence()

    def _first_line_of_licence(self) -> str:
        files = [each for each in metadata.files(self.name) or [] if "LICENSE" in each.name.upper()]
        first = files[0].read_text().strip().partition("\n")[0].strip() if files else "not declared"
        return _SPELLINGS.get(first, first)

    def as_component(self) -> dict[str, Any]:
        licence, purl = self.licence, f"pkg:pypi/{self.name}@{self.version}"
        return {
            "type": "library",
            "bom-ref": purl,
            "name": self.name,
            "version": self.version,
            "scope": "required" if self.is_in_production else "excluded",
            "purl": purl,
            "licenses": [{"expression": licence} if _SPDX.fullmatch(licence) else {"license": {"name": licence}}],
            "hashes": [{"alg": "SHA-256", "content": each} for each in self.hashes],
        }


def pinned_packages() -> list[Package]:
    """The packages of production, then those of development and tests."""
    production = {(name, version) for name, version, _marker, _hashes in _read("app")}
    found = [
        Package(name, version, tuple(re.findall("[0-9a-f]{64}", hashes)), (name, version) in production)
        for name, version, marker, hashes in _read("dev")
        if "win32" not in marker
    ]
    return sorted(found, key=lambda package: (not package.is_in_production, package.name, package.version))


def _read(name: str) -> list[tuple[str, str, str, str]]:
    return _PINNED.findall((ROOT / "requirements" / f"{name}.txt").read_text())


def icons_component() -> dict[str, Any]:
    """The icons, the only files of others in this repository. htmx is part of the package django-htmx."""
    version = re.findall(r"Lucide ([0-9.]+),", (ROOT / "static" / "icons.svg").read_text())[0]
    purl = f"pkg:npm/lucide-static@{version}"
    licences = [{"expression": "ISC"}]
    return {"type": "library", "bom-ref": purl, "name": "lucide", "version": version, "scope": "required"} | {
        "purl": purl,
        "licenses": licences,
    }


def build_sbom() -> dict[str, Any]:
    product = {"type": "application", "bom-ref": "trastienda", "name": "trastienda"}
    components = [*(package.as_component() for package in pinned_packages()), icons_component()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": product},
        "components": components,
    }


def build_page() -> str:
    lines = [_INTRODUCTION]
    for title, is_in_production in (("In production", True), ("For development and tests", False)):
        packages = [each for each in pinned_packages() if each.is_in_production == is_in_production]
        lines.append(f"## {title}\n| licence | packages |\n|---|---|")
        for licence in sorted({each.licence for each in packages}):
            names = ", ".join(f"{each.name} {each.version}" for each in packages if each.licence == licence)
            lines.append(f"| {licence} | {names} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    SBOM.parent.mkdir(exist_ok=True)
    SBOM.write_text(json.dumps(build_sbom(), indent=1) + "\n")
    PAGE.write_text(build_page())
    print(f"Written: {SBOM.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}.")

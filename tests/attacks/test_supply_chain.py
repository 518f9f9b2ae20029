"""The bill of materials lists every pinned package with its licence and checksums."""

from __future__ import annotations

import json
import re

from dashboard.dev import sbom
from tests.project_copy import ROOT


def pinned(name: str) -> set[str]:
    lines = (ROOT / "requirements" / f"{name}.txt").read_text().splitlines()
    found = [re.match(r"([^=\s]+==[^\s]+)(?!.*win32)", line) for line in lines if not line.startswith(" ")]
    return {match[1] for match in found if match and "win32" not in match.string}


def test_every_pinned_package_is_in_the_bill_of_materials() -> None:
    bill = sbom.build_sbom()
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    *components, icons = bill["components"]
    in_production = {f"{each['name']}=={each['version']}" for each in components if each["scope"] == "required"}
    everything = {f"{each['name']}=={each['version']}" for each in components}
    assert in_production == pinned("app") and everything == pinned("dev")
    assert len({each["bom-ref"] for each in components}) == len(components)
    for each in components:
        assert each["purl"] == f"pkg:pypi/{each['name']}@{each['version']}"
        assert each["hashes"] and all(len(digest["content"]) == 64 for digest in each["hashes"])
    assert "://" not in json.dumps(bill)
    assert f"Lucide {icons['version']}, ISC" in (ROOT / "static" / "icons.svg").read_text()


def test_every_licence_is_known() -> None:
    unknown = [each.name for each in sbom.pinned_packages() if each.licence in {"", "not declared"}]
    assert unknown == []
    assert [each.name for each in sbom.pinned_packages() if len(each.licence) > 60] == [], "a name, not a text"


def test_no_package_of_production_has_a_licence_that_extends_to_the_product() -> None:
    licences = {each.licence for each in sbom.pinned_packages() if each.is_in_production}
    assert [each for each in licences if re.search(r"\bA?GPL", each)] == []


def test_the_list_of_licences_is_up_to_date() -> None:
    assert sbom.PAGE.read_text() == sbom.build_page(), "run `make sbom`"

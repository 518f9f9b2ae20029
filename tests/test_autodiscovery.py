"""Modules that are found by their name are there: `autodiscover_modules` skips a renamed one without an error."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

# Which apps have a module of which name. `queries` is found by `manage.py access_patterns`, in subpackages too.
FOUND_BY_NAME = {
    "items": [
        "activity",
        "bookings",
        "branding",
        "content",
        "dashboard.platform.accounts",
        "dashboard.platform.apikeys",
        "dashboard.platform.audit",
        "dashboard.platform.businesses",
        "dashboard.platform.configs",
        "dashboard.platform.jobs",
        "dashboard.table",
        "forum",
        "franchises",
        "rooms",
    ],
    "audit_labels": [
        "bookings",
        "branding",
        "dashboard.platform.accounts",
        "dashboard.platform.apikeys",
        "dashboard.platform.audit",
        "dashboard.platform.businesses",
        "forum",
        "rooms",
    ],
    "permissions": [
        "bookings",
        "branding",
        "dashboard.platform.accounts",
        "dashboard.platform.apikeys",
        "dashboard.platform.audit",
        "dashboard.platform.businesses",
        "dashboard.platform.jobs",
        "dashboard.shell",
        "forum",
        "rooms",
    ],
    "navigation": [
        "bookings",
        "branding",
        "dashboard.platform.accounts",
        "dashboard.platform.apikeys",
        "dashboard.platform.audit",
        "dashboard.platform.businesses",
        "dashboard.platform.jobs",
        "dashboard.shell",
        "forum",
        "rooms",
    ],
    "jobs": ["dashboard.platform.accounts", "forum", "rooms"],
    "demo": [
        "bookings",
        "branding",
        "dashboard.platform.accounts",
        "dashboard.platform.apikeys",
        "dashboard.platform.businesses",
        "forum",
        "rooms",
    ],
    "due": ["bookings", "branding", "dashboard.platform.audit", "forum", "rooms"],
    "queries": [
        "bookings",
        "branding",
        "dashboard.platform.accounts",
        "dashboard.platform.apikeys",
        "dashboard.platform.audit",
        "dashboard.platform.audit.seals",
        "dashboard.platform.businesses",
        "dashboard.platform.configs",
        "dashboard.platform.due",
        "dashboard.platform.jobs",
        "dashboard.table",
        "forum",
        "forum.statistics",
        "rooms",
    ],
}
MODULES = [f"{package}.{name}" for name, packages in FOUND_BY_NAME.items() for package in packages]


@pytest.mark.parametrize("module", MODULES)
def test_the_module_is_there(module: str) -> None:
    package, _, name = module.rpartition(".")
    assert importlib.util.find_spec(module), (
        f"{module} is missing: nothing that it registers would be found. If it was renamed, rename '{name}' where it "
        f"is looked for too; if {package} has none any more, take it off the list in {Path(__file__).name}."
    )
    importlib.import_module(module)


def test_every_name_that_is_looked_for_is_in_the_list() -> None:
    text = "".join(path.read_text() for path in Path(settings.BASE_DIR, "dashboard").rglob("*.py"))
    found = set(re.findall(r'(?:autodiscover_modules\(|module_has_submodule\(app.module, )"(\w+)"\)', text))
    assert found == FOUND_BY_NAME.keys() - {"queries"}


def test_every_module_that_would_be_found_is_in_the_list() -> None:
    ours = [each for each in apps.get_app_configs() if Path(each.path).parent in own_folders()]
    found = [f"{each.name}.{name}" for each in ours for name in FOUND_BY_NAME if has_module(f"{each.name}.{name}")]
    assert len(found) > 30
    assert sorted(set(found) - set(MODULES)) == []


def own_folders() -> set[Path]:
    base = Path(settings.BASE_DIR)
    return {base, base / "dashboard", base / "dashboard" / "platform"}


def has_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None

"""Every module that is found by its name exists: `autodiscover_modules` ignores a renamed one without an error."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

# For each module name, the apps that have it. `manage.py access_patterns` finds `queries`, also in subpackages.
FOUND_BY_NAME = {
    "items": [
        "activity",
        "bookings",
        "branding",
        "content",
        "dashboard.platform.accounts",
        "dashboard.platform.adoption",
        "dashboard.platform.apikeys",
        "dashboard.platform.audit",
        "dashboard.platform.businesses",
        "dashboard.platform.configs",
        "dashboard.platform.jobs",
        "dashboard.platform.mail",
        "dashboard.platform.outbox",
        "dashboard.platform.security_log",
        "dashboard.platform.stream",
        "dashboard.platform.table_health",
        "dashboard.platform.usage",
        "dashboard.platform.webhooks",
        "dashboard.table",
        "forum",
        "franchises",
        "rooms",
    ],
    "audit_labels": [
        "bookings",
        "branding",
        "content",
        "dashboard.platform.accounts",
        "dashboard.platform.adoption",
        "dashboard.platform.apikeys",
        "dashboard.platform.audit",
        "dashboard.platform.businesses",
        "dashboard.platform.mail",
        "dashboard.platform.table_health",
        "dashboard.platform.webhooks",
        "forum",
        "franchises",
        "rooms",
    ],
    "mails": [
        "bookings",
        "content",
        "dashboard.platform.accounts",
    ],
    "permissions": [
        "activity",
        "bookings",
        "branding",
        "content",
        "dashboard.platform.accounts",
        "dashboard.platform.apikeys",
        "dashboard.platform.audit",
        "dashboard.platform.businesses",
        "dashboard.platform.jobs",
        "dashboard.platform.mail",
        "dashboard.platform.security_log",
        "dashboard.platform.table_health",
        "dashboard.platform.usage",
        "dashboard.platform.webhooks",
        "dashboard.shell",
        "forum",
        "franchises",
        "rooms",
    ],
    "navigation": [
        "activity",
        "bookings",
        "branding",
        "content",
        "dashboard.platform.accounts",
        "dashboard.platform.adoption",
        "dashboard.platform.apikeys",
        "dashboard.platform.audit",
        "dashboard.platform.businesses",
        "dashboard.platform.jobs",
        "dashboard.platform.mail",
        "dashboard.platform.security_log",
        "dashboard.platform.table_health",
        "dashboard.platform.usage",
        "dashboard.platform.webhooks",
        "dashboard.shell",
        "forum",
        "franchises",
        "rooms",
    ],
    "jobs": [
        "activity",
        "content",
        "dashboard.platform.accounts",
        "dashboard.platform.adoption",
        "forum",
        "franchises",
        "rooms",
    ],
    "demo": [
        "activity",
        "bookings",
        "branding",
        "content",
        "dashboard.platform.accounts",
        "dashboard.platform.adoption",
        "dashboard.platform.apikeys",
        "dashboard.platform.businesses",
        "dashboard.platform.security_log",
        "dashboard.platform.table_health",
        "dashboard.platform.usage",
        "dashboard.platform.webhooks",
        "forum",
        "franchises",
        "rooms",
    ],
    "home": [
        "activity",
        "bookings",
        "branding",
        "content",
        "dashboard.platform.apikeys",
        "dashboard.platform.businesses",
        "dashboard.platform.jobs",
        "dashboard.platform.mail",
        "dashboard.platform.security_log",
        "dashboard.platform.table_health",
        "dashboard.platform.usage",
        "dashboard.platform.webhooks",
        "forum",
        "franchises",
        "rooms",
    ],
    "finders": [
        "content",
        "dashboard.shell",
        "franchises",
    ],
    "due": [
        "activity",
        "bookings",
        "branding",
        "content",
        "dashboard.platform.audit",
        "dashboard.platform.mail",
        "dashboard.platform.outbox",
        "dashboard.platform.webhooks",
        "forum",
        "rooms",
    ],
    "layouts": [
        "bookings",
        "dashboard.platform.transfer",
        "franchises",
    ],
    "repairs": [
        "bookings",
        "branding",
        "content",
        "dashboard.platform.accounts",
        "dashboard.platform.adoption",
        "dashboard.platform.businesses",
        "dashboard.platform.configs",
        "dashboard.platform.stream",
        "forum",
        "franchises",
        "rooms",
    ],
    "api": [
        "activity",
        "bookings",
        "branding",
        "content",
        "dashboard.platform.apikeys",
        "dashboard.web",
        "forum",
        "rooms",
    ],
    "follow_ups": [
        "content",
        "dashboard.platform.mail",
        "dashboard.platform.webhooks",
    ],
    "observers": [
        "activity",
        "dashboard.platform.stream",
    ],
    "traffic": [
        "activity",
        "forum",
    ],
    "key_sections": [
        "bookings",
    ],
    "webhooks": [
        "bookings",
        "branding",
        "content",
        "forum",
        "franchises",
    ],
    "queries": [
        "activity",
        "bookings",
        "branding",
        "content",
        "dashboard.platform.accounts",
        "dashboard.platform.adoption",
        "dashboard.platform.apikeys",
        "dashboard.platform.audit",
        "dashboard.platform.audit.seals",
        "dashboard.platform.businesses",
        "dashboard.platform.configs",
        "dashboard.platform.due",
        "dashboard.platform.jobs",
        "dashboard.platform.mail",
        "dashboard.platform.security_log",
        "dashboard.platform.stream",
        "dashboard.platform.table_health",
        "dashboard.platform.usage",
        "dashboard.platform.webhooks",
        "dashboard.table",
        "forum",
        "forum.statistics",
        "franchises",
        "rooms",
    ],
}
MODULES = [f"{package}.{name}" for name, packages in FOUND_BY_NAME.items() for package in packages]


@pytest.mark.parametrize("module", MODULES)
def test_each_listed_module_exists(module: str) -> None:
    package, _, name = module.rpartition(".")
    assert importlib.util.find_spec(module), (
        f"{module} does not exist, so nothing that it registers is found. If you renamed it, change the name '{name}' "
        f"where it is searched too; if you removed it from {package}, remove it from the list in {Path(__file__).name}."
    )
    importlib.import_module(module)


def test_every_autodiscovered_name_is_listed() -> None:
    text = "".join(path.read_text() for path in Path(settings.BASE_DIR, "dashboard").rglob("*.py"))
    calls = re.findall(r'(?:autodiscover_modules\(|module_has_submodule\(app.module, )((?:"\w+"(?:, )?)+)\)', text)
    found = set(re.findall(r"\w+", " ".join(calls)))
    assert found == FOUND_BY_NAME.keys() - {"queries"}


def test_every_autodiscovered_module_is_listed() -> None:
    own_apps = [each for each in apps.get_app_configs() if Path(each.path).parent in own_folders()]
    found = [f"{each.name}.{name}" for each in own_apps for name in FOUND_BY_NAME if has_module(f"{each.name}.{name}")]
    assert len(found) > 30
    assert sorted(set(found) - set(MODULES)) == []


def own_folders() -> set[Path]:
    base = Path(settings.BASE_DIR)
    return {base, base / "dashboard", base / "dashboard" / "platform"}


def has_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None

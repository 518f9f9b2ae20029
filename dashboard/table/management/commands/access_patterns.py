"""Write docs/access-patterns.md from the registry."""

import importlib
import pkgutil
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand

from dashboard.table.registry import as_markdown


def load_queries() -> None:
    """Import every app's queries, so that the registry is whole."""
    for config in apps.get_app_configs():
        if Path(config.path).is_relative_to(settings.BASE_DIR) and ".venv" not in config.path:
            for module in pkgutil.walk_packages([config.path], f"{config.name}."):
                if module.name.split(".")[-1] == "queries":
                    importlib.import_module(module.name)


class Command(BaseCommand):
    help = "Write docs/access-patterns.md from the registry."

    def handle(self, *args: Any, **options: Any) -> None:
        load_queries()
        Path(settings.BASE_DIR, "docs", "access-patterns.md").write_text(as_markdown())

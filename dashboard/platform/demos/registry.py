"""Demo data: an app adds its own in the function `seed_demo` of its module `demo`.

Demos run in the order of INSTALLED_APPS: businesses need people, bookings need businesses.
"""

from __future__ import annotations

from importlib import import_module

from django.apps import apps
from django.utils.module_loading import module_has_submodule

from dashboard.platform.outbox.registry import without_follow_ups


def seed_all(size: int) -> list[str]:
    """Add the missing demo data of every app, `size` times the usual amount; returns a text for each app."""
    names = [app.name for app in apps.get_app_configs() if app.module and module_has_submodule(app.module, "demo")]
    with without_follow_ups():
        return [import_module(f"{name}.demo").seed_demo(size) for name in names]

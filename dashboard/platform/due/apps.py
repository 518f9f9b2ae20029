"""Work for later: every app's handlers stand in its `due.py`, and are registered when the apps are loaded."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class DueConfig(AppConfig):
    name = "dashboard.platform.due"

    def ready(self) -> None:
        autodiscover_modules("due")

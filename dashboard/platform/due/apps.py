"""Due tasks: every app registers its handlers in its module `due`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class DueConfig(AppConfig):
    name = "dashboard.platform.due"

    def ready(self) -> None:
        autodiscover_modules("due")

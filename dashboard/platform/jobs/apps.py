"""Long work: each app says what kinds it has in its `work.py`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class OperationsConfig(AppConfig):
    name = "dashboard.platform.jobs"

    def ready(self) -> None:
        autodiscover_modules("work")

"""Import, export and reindex: every app declares the layouts of other services in its module `layouts`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class TransferConfig(AppConfig):
    name = "dashboard.platform.transfer"

    def ready(self) -> None:
        autodiscover_modules("layouts")

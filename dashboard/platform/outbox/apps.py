"""What follows from changes: every app registers it in its module `follow_ups`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class OutboxConfig(AppConfig):
    name = "dashboard.platform.outbox"

    def ready(self) -> None:
        autodiscover_modules("follow_ups")

"""The stream follower: apps register repairs in their module `repairs`, and observers in their module `observers`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class StreamConfig(AppConfig):
    name = "dashboard.platform.stream"

    def ready(self) -> None:
        autodiscover_modules("repairs", "observers")

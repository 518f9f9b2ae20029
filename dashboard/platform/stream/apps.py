"""The stream follower: every app registers the repairs of its kinds of item in its module `repairs`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class StreamConfig(AppConfig):
    name = "dashboard.platform.stream"

    def ready(self) -> None:
        autodiscover_modules("repairs")

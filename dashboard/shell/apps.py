"""The shell's app: every app registers its navigation entries in `navigation` and its home lines in `home`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class ShellConfig(AppConfig):
    name = "dashboard.shell"

    def ready(self) -> None:
        autodiscover_modules("navigation")
        autodiscover_modules("home")

"""The shell's app: apps register navigation entries in `navigation`, home lines in `home`, searches in `finders`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class ShellConfig(AppConfig):
    name = "dashboard.shell"

    def ready(self) -> None:
        autodiscover_modules("navigation")
        autodiscover_modules("home")
        autodiscover_modules("finders")

"""Jobs: every app registers its kinds of job in its module `jobs`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "dashboard.platform.jobs"

    def ready(self) -> None:
        autodiscover_modules("jobs")

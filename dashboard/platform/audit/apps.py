"""The trail's app: it speaks every app's words."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class AuditConfig(AppConfig):
    name = "dashboard.platform.audit"

    def ready(self) -> None:
        autodiscover_modules("words")

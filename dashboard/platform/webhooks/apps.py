"""Webhooks: every app declares its events in its module `webhooks`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class WebhooksConfig(AppConfig):
    name = "dashboard.platform.webhooks"

    def ready(self) -> None:
        autodiscover_modules("webhooks")

"""The app of API keys. It checks that the pepper is long enough."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Error, register
from django.utils.module_loading import autodiscover_modules

MIN_PEPPER = 32


class ApiKeysConfig(AppConfig):
    name = "dashboard.platform.apikeys"

    def ready(self) -> None:
        register(check_pepper, deploy=True)
        autodiscover_modules("api")
        autodiscover_modules("key_sections")


def check_pepper(**_: Any) -> list[Error]:
    # A previous pepper may be short: it cannot be changed any more.
    if len(settings.API_KEY_PEPPER) >= MIN_PEPPER:
        return []
    return [Error(f"API_KEY_PEPPER is short: use {MIN_PEPPER} random characters or more.", id="trastienda.E002")]

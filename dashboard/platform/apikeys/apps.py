"""The keys' app: what protects them has to be long."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Error, register

SHORTEST = 32


class ApiKeysConfig(AppConfig):
    name = "dashboard.platform.apikeys"

    def ready(self) -> None:
        register(pepper_is_long, deploy=True)


def pepper_is_long(**_: Any) -> list[Error]:
    if len(settings.API_KEY_PEPPER) >= SHORTEST:
        return []
    return [Error(f"API_KEY_PEPPER is short: use {SHORTEST} random characters or more.", id="trastienda.E002")]

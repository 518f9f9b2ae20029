"""The accounts' app: every app registers its permissions in its module `permissions`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class AccountsConfig(AppConfig):
    name = "dashboard.platform.accounts"

    def ready(self) -> None:
        autodiscover_modules("permissions")

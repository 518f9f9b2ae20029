"""Outgoing mail: every app registers its kinds of mail in its module `mails`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class MailConfig(AppConfig):
    name = "dashboard.platform.mail"

    def ready(self) -> None:
        autodiscover_modules("mails")

"""Usage: what each API key and the people of a business use."""

from django.apps import AppConfig


class UsageConfig(AppConfig):
    name = "dashboard.platform.usage"

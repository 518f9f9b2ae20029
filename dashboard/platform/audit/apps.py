"""The audit trail's app: every app registers its labels in its module `audit_labels`."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class AuditConfig(AppConfig):
    name = "dashboard.platform.audit"

    def ready(self) -> None:
        autodiscover_modules("audit_labels")

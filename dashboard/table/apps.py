"""The table's app: loads all item classes, and checks the region before a deployment."""

from typing import Any

from django.apps import AppConfig
from django.core.checks import Error, register
from django.utils.module_loading import autodiscover_modules

from dashboard.table import connection


class TableConfig(AppConfig):
    name = "dashboard.table"

    def ready(self) -> None:
        # An item's class is looked up by its kind, so all classes must be imported.
        autodiscover_modules("items")
        register(region_is_known, deploy=True)


def region_is_known(**_: Any) -> list[Error]:
    if connection.region():
        return []
    return [Error("Set AWS_DEFAULT_REGION: the region of the table.", id="trastienda.E001")]

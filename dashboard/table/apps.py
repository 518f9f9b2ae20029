"""The table's app: before serving, the AWS SDK must know where to go."""

from typing import Any

from django.apps import AppConfig
from django.core.checks import Error, register

from dashboard.table import connection


class TableConfig(AppConfig):
    name = "dashboard.table"

    def ready(self) -> None:
        register(region_is_known, deploy=True)


def region_is_known(**_: Any) -> list[Error]:
    if connection.region():
        return []
    return [Error("Set AWS_DEFAULT_REGION: the region of the table.", id="trastienda.E001")]

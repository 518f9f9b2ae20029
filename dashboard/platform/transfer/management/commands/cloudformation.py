"""Print a CloudFormation template of the tables and the rights on them."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand

from dashboard.platform.transfer.cloudformation import template


class Command(BaseCommand):
    help = "Print a CloudFormation template of the tables and the rights on them, in JSON."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(template(), indent=2))

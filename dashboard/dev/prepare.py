"""Prepares the table, the demo data and the static files. One process, because each start takes time."""

import os
import sys
from io import StringIO

import django
from botocore.exceptions import BotoCoreError, ClientError
from django.core.management import CommandError, call_command


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    django.setup()
    quiet = {"verbosity": 0, "stdout": StringIO()}
    try:
        call_command("create_table", **quiet)
        call_command("seed_demo", **quiet)
        call_command("collectstatic", interactive=False, **quiet)
    except (CommandError, BotoCoreError, ClientError) as error:
        print(f"The app could not be prepared: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

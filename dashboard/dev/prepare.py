"""What the app needs before it serves: table, demo data, static files (in one process, as starts add up)."""

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

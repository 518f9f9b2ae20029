#!/usr/bin/env python
"""Django's command line."""

import os
import sys

# Commands that need neither the table nor the settings of production.
STANDALONE = {"score_text"}


def main() -> None:
    if sys.argv[1:2] and sys.argv[1] in STANDALONE:
        os.environ.setdefault("TRASTIENDA_MODE", "local")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as missing:
        # A setting is missing: a sentence helps more than where it was noticed.
        sys.exit(str(missing))


if __name__ == "__main__":
    main()

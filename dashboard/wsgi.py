"""The WSGI application that gunicorn serves."""

import os
from contextlib import suppress

from botocore.exceptions import BotoCoreError
from django.core.wsgi import get_wsgi_application

from dashboard.table.connection import client

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")

application = get_wsgi_application()

# Made now rather than while the first person waits for their first page.
with suppress(BotoCoreError):
    client()

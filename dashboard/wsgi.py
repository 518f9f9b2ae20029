"""The WSGI application that gunicorn serves."""

import os
from contextlib import suppress

from botocore.exceptions import BotoCoreError
from django.core.wsgi import get_wsgi_application

from dashboard.core.stack import with_deep_stack
from dashboard.table.connection import client

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")

application = with_deep_stack(get_wsgi_application())

# Created at start, so that the first request does not wait for it.
with suppress(BotoCoreError):
    client()

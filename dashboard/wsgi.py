"""The WSGI application that gunicorn serves."""

import os
from contextlib import suppress
from typing import Any

from botocore.exceptions import BotoCoreError
from django.core.wsgi import get_wsgi_application

from dashboard.core.stack import with_deep_stack
from dashboard.table.connection import client

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")

application: Any = with_deep_stack(get_wsgi_application())

# Created at start, so that the first request does not wait for it.
with suppress(BotoCoreError):
    client()

# Asked by our server (dashboard/server/), which reads requests before a thread is free. Other servers ignore them.
from dashboard.web.busy import body_limit, busy_page, warm_up  # noqa: E402 -- needs Django

application.body_limit, application.busy_page = body_limit, busy_page
warm_up()

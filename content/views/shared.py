"""Helpers for the views of sites."""

from __future__ import annotations

from django.utils.translation import gettext as _

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import bind

MAX_QUERY = 200


def query_param(request: Request, name: str = "q", most: int = MAX_QUERY) -> str:
    return request.GET.get(name, "").strip()[:most]


def required_revision(request: Request) -> int:
    """The revision that a button sent."""
    form = bind(request, RevisionForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    return form.number

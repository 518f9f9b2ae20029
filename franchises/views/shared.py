"""Helpers for the views of stores."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import bind, see_other
from dashboard.web.toasts import toast
from franchises.services.audit import StoreItem

MAX_QUERY = 100


def query_param(request: Request, name: str = "q", most: int = MAX_QUERY) -> str:
    return request.GET.get(name, "").strip()[:most]


def required_revision(request: Request) -> int:
    """The revision that a button sent."""
    form = bind(request, RevisionForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    return form.number


def respond_saved(request: Request, saved: StoreItem, url: str) -> HttpResponse:
    """Show a page after an edit, with a toast whose Undo sends the fields that changed."""
    before, after = saved.outcome.result.get("before", {}), saved.outcome.result.get("after", {})
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    undo: dict[str, Any] = {name: before.get(name, "") for name in changed}
    undo_form = (request.path, undo | {"revision": saved.revision})
    toast(request, _("Changes to %(name)s saved.") % {"name": saved.title}, undo=undo_form, of=saved)
    return see_other(request, url)

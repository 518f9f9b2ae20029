"""The versions of a page, and restoring one."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from content.permissions import Permission
from content.presenters import VersionRow
from content.queries.pages import load_page
from content.queries.versions import PAGE, load_versions
from content.services import versions as services
from content.services.versions import KEPT_SLUG
from content.views.pages import TAB
from content.views.shared import query_param, required_revision
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.commands import command_of
from dashboard.web.pages import page, see_other
from dashboard.web.toasts import toast

MAX_VERSION = 10**9


@requires(Permission.SITE)
@require_safe
def versions(request: Request, business: str, node: str) -> HttpResponse:
    """The versions below a number, the latest first. Without a number, that of the page is looked up first."""
    url, below = reverse("page_versions", args=[business, node]), query_param(request, "below", 10)
    if not below.isdecimal() or not 0 < int(below) <= MAX_VERSION:
        return see_other(request, f"{url}?{urlencode({'below': load_page(business, node).number + 1})}")
    current, found = load_versions(business, node, int(below))
    if current is None:
        raise NotFound
    rows = [VersionRow(business, each, current) for each in found]
    following = max(int(below) - PAGE, 0)
    context: dict[str, Any] = {
        "page": current,
        "rows": rows,
        "is_first": int(below) > current.number,
        "latest_url": f"{url}?{urlencode({'below': current.number + 1})}",
        "next_url": f"{url}?{urlencode({'below': following})}" if following > 1 else "",
        "tab": TAB,
    }
    return page(request, "content/versions.html", context)


@requires(Permission.SITE)
@require_POST
def restore(request: Request, business: str, node: str, page_version: int) -> HttpResponse:
    revision = required_revision(request)
    saved = services.restore(business, node, page_version, revision=revision, command=command_of(request))
    undo = (reverse("page_restore", args=[business, node, max(saved.number - 1, 1)]), {"revision": saved.revision})
    text = _("v%(number)s restored as v%(version)s.") % {"number": page_version, "version": saved.number}
    if kept := saved.outcome.result.get(KEPT_SLUG):
        text += " " + _("Its address %(slug)s is used by another page, so the page keeps %(own)s.") % {
            "slug": kept,
            "own": saved.slug,
        }
    toast(request, text, undo=undo, of=saved)
    return see_other(request, reverse("page", args=[business, node]))

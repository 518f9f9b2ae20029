"""What an open editor of a page reports while a person works: that it is open, and what they have typed."""

from __future__ import annotations

from functools import partial

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from content.blocks.document_form import END
from content.permissions import Permission
from content.queries.editors import ensure_page, people_in_editor
from content.services.editors import keep, note_presence
from content.views.open_editor import editor_id
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.pages import page


@requires(Permission.SITE)
@require_POST
def report(request: Request, business: str, node: str) -> HttpResponse:
    """With the whole form, keep it and tell whether it was kept; without it, tell who else has the page open."""
    _nothing, others = gather(
        partial(ensure_page, business, node),
        partial(people_in_editor, business, node, request.person.email),
    )
    note_presence(business, node, by=request.actor)
    if END not in request.POST:
        return page(request, "content/_editor_people.html", {"others": others}, quiet=True)
    is_kept = keep(business, node, request.POST, editor=editor_id(request.POST), by=request.actor)
    context = {"is_kept": is_kept, "kept_at": now()}
    return page(request, "content/_editor_kept.html", context, quiet=True)

"""One page: its settings, its addresses, its schedule, and the buttons that publish it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from content.addresses import is_fixed
from content.forms.pages import NewPageForm, PageForm, StatusForm
from content.items import Content
from content.permissions import Permission
from content.presenters import PagePanel, SearchPreview
from content.queries.history import history_of
from content.queries.pages import find_page, load_page
from content.queries.routes import routes_to
from content.queries.schedules import find_schedule
from content.services import pages as services
from content.services import publishing
from content.statuses import PageStatus
from content.views.pages import TAB
from content.views.shared import query_param
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.sentences import history_lines
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

DONE = {
    PageStatus.PUBLISHED: gettext_lazy("%(title)s is published."),
    PageStatus.DRAFT: gettext_lazy("%(title)s is a draft now. The public site does not show it."),
    PageStatus.ARCHIVED: gettext_lazy("%(title)s is archived. The public site does not show it."),
}


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    """A new page. `from` is the page that it is a copy of."""
    source = request.POST.get("source", "")[:200] if request.method == "POST" else query_param(request, "from")
    origin = find_page(business, source) if source else None
    if request.method == "POST":
        form = bind(request, NewPageForm)
    else:
        title = _("Copy of %(title)s") % {"title": origin.display_title} if origin is not None else ""
        form = NewPageForm(initial={"source": source if origin else "", "title": title})
    if form.is_bound and form.is_valid():
        try:
            made = services.create(
                business,
                form.values,
                blocks=form.blocks,
                template=form.cleaned_data["template"],
                source=form.cleaned_data["source"],
                command=command_of(request),
            )
        except Refused as refusal:
            add_refusal(form, refusal)
        else:
            url = reverse("page", args=[business, made.node])
            archive = {"status": PageStatus.ARCHIVED, "revision": made.revision}
            undo = None if is_fixed(made.slug) else (reverse("page_status", args=[business, made.node]), archive)
            toast(request, _("%(title)s added as a draft.") % {"title": made.display_title}, undo=undo, of=made)
            return see_other(request, url)
    context = {"form": form, "origin": origin, "tab": TAB}
    return page(request, "content/page_new.html", context, status=422 if form.is_bound else 200)


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: Request, business: str, node: str) -> HttpResponse:
    """The settings of a page. A POST saves them, and the blocks if they are sent too, as the next version."""
    current, schedule, routes, entries = gather(
        partial(load_page, business, node),
        partial(find_schedule, business, node),
        partial(routes_to, business, node),
        partial(history_of, business, node),
    )
    form = bind(request, PageForm, item=current) if request.method == "POST" else PageForm(item=current)
    if form.is_bound and form.is_valid():
        try:
            saved = services.save(
                business,
                node,
                form.values,
                form.cleaned_data["blocks"],
                revision=form.revision,
                note=form.cleaned_data["note"],
                command=command_of(request),
            )
        except Refused as refusal:
            add_refusal(form, refusal)
        else:
            return _respond_saved(request, business, saved)
    context: dict[str, Any] = {
        "form": form,
        "page": current,
        "panel": PagePanel(business, current, schedule, routes),
        "preview": SearchPreview(current, request.business.domain or ""),
        "history": history_lines(entries),
        "tab": TAB,
    }
    return page(request, "content/page.html", context, status=422 if form.is_bound else 200)


def _respond_saved(request: Request, business: str, saved: Content) -> HttpResponse:
    """Undo restores the version before."""
    restore_url = reverse("page_restore", args=[business, saved.node, max(saved.number - 1, 1)])
    text = _("%(title)s saved as v%(version)s.") % {"title": saved.display_title, "version": saved.number}
    toast(request, text, undo=(restore_url, {"revision": saved.revision}), of=saved)
    return see_other(request, reverse("page", args=[business, saved.node]))


@requires(Permission.SITE)
@require_POST
def change_status(request: Request, business: str, node: str) -> HttpResponse:
    """Publish, unpublish, archive or bring back a page."""
    form = bind(request, StatusForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    status = PageStatus(form.cleaned_data["status"])
    saved = publishing.set_status(business, node, status, revision=form.number, command=command_of(request))
    previous = saved.outcome.result.get("previous", PageStatus.DRAFT)
    fields = {"status": previous, "revision": saved.revision}
    undo = (reverse("page_status", args=[business, node]), fields) if previous in set(PageStatus) else None
    toast(request, DONE[status] % {"title": saved.display_title}, undo=undo, of=saved)
    return see_other(request, reverse("page", args=[business, node]))

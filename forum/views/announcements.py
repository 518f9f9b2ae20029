"""Announcements of the event's staff: write, preview and delete them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import list_page
from dashboard.web.pages import add_refusal, bind, see_other, url_or_empty
from dashboard.web.toasts import toast
from forum import presenters
from forum.forms.announcements import AnnounceForm
from forum.items import Post, non_negative
from forum.permissions import Permission
from forum.queries import filter as filters
from forum.queries import posts
from forum.services import announcements
from forum.services import posts as post_services
from forum.services.announcements import may_withdraw
from forum.statuses import ACTIVE, badge_of
from forum.targets import ForumTarget

TEMPLATE = "forum/announce.html"


@requires(Permission.ANNOUNCE)
@require_http_methods(["GET", "HEAD", "POST"])
def announce(request: Request) -> HttpResponse:
    """The form, and the list of the person's own announcements."""
    if request.method != "POST":
        return _page(request, AnnounceForm())
    form = bind(request, AnnounceForm)
    if not form.is_valid():
        return _page(request, form, status=422)
    content = form.cleaned_data["content"]
    if "preview" in request.POST:
        _version, config = filters.current_filter()
        return _page(request, form, preview=presenters.try_text(config, content))
    try:
        post = post_services.announce(content, command=command_of(request))
    except Refused as refusal:
        add_refusal(form, refusal)
        return _page(request, form, status=422)
    undo_url = reverse("forum_withdraw", args=[ForumTarget.of(post).post])
    toast(request, _("Announcement published."), undo=(undo_url, {"revision": post.revision}), of=post)
    return see_other(request, reverse("forum_announce"))


@requires(Permission.ANNOUNCE)
@require_POST
def withdraw(request: Request, post: str) -> HttpResponse:
    """Delete one's own announcement. Undo publishes it again."""
    done = announcements.withdraw(
        ForumTarget(post), revision=bind(request, RevisionForm).number, command=command_of(request)
    )
    again = (reverse("forum_announce"), {"content": done.outcome.result["content"]})
    toast(request, _("Announcement deleted."), undo=again, of=done)
    return see_other(request, reverse("forum_announce"))


def _page(
    request: Request, form: AnnounceForm, *, preview: presenters.Trial | None = None, status: int = 200
) -> HttpResponse:
    email = request.person.email

    def load(start_key: Any) -> tuple[Page[Any], dict[str, Any]]:
        found = posts.announcements_of(email, start_key)
        return found.with_rows([_row(each, email) for each in found.items]), {"form": form, "preview": preview}

    return list_page(request, TEMPLATE, load, cursor_scope=("announcements",), partial=None, status=status)


def _row(post: Post, email: str) -> dict[str, Any]:
    return {
        "item": post,
        "url": url_or_empty("post", ForumTarget.of(post).post),
        "likes": int(non_negative(post.likes)),
        "comments": int(non_negative(post.comments_count)),
        "badge": badge_of(post.status or ACTIVE),
        "withdraw": url_or_empty("forum_withdraw", ForumTarget.of(post).post) if may_withdraw(post, email) else "",
    }

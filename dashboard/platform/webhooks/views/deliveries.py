"""The page of one delivery: what was sent, and each attempt."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.audit.queries import history
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.webhooks import queries
from dashboard.platform.webhooks.items import Delivery
from dashboard.platform.webhooks.presenters import attempt_lines, shown_body
from dashboard.platform.webhooks.services import deliveries as services
from dashboard.platform.webhooks.views.scopes import revision_of, scoped, url
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.pages import page, see_other
from dashboard.web.toasts import toast


@scoped("GET", "HEAD")
def delivery(request: Request, business: str, webhook_id: str, place: str) -> HttpResponse:
    found, webhook, entries = gather(
        lambda: queries.load_delivery(business, place),
        lambda: queries.load_webhook(business, webhook_id),
        lambda: history(f"delivery:{place}", business=business),
    )
    if found.webhook_id != webhook_id:
        raise NotFound
    context = {
        "delivery": found,
        "webhook": webhook,
        "attempts": attempt_lines(found),
        "body": shown_body(found),
        "history": history_lines(entries),
        "list_url": url("webhooks", business),
        "webhook_url": url("webhook", business, webhook_id),
        "replay_url": url("webhook_replay", business, webhook_id, place),
        "cancel_url": url("webhook_cancel", business, webhook_id, place),
    }
    return page(request, "webhooks/delivery.html", context)


@scoped("POST")
def replay(request: Request, business: str, webhook_id: str, place: str) -> HttpResponse:
    after = services.replay(business, place, revision=revision_of(request), command=command_of(request))
    return _respond(request, after, _("It is sent again within a minute."), "webhook_cancel")


@scoped("POST")
def cancel(request: Request, business: str, webhook_id: str, place: str) -> HttpResponse:
    after = services.cancel(business, place, revision=revision_of(request), command=command_of(request))
    return _respond(request, after, _("It is not sent."), "webhook_replay")


def _respond(request: Request, after: Delivery, text: str, inverse: str) -> HttpResponse:
    undo = (url(inverse, after.business, after.webhook_id, after.place), {"revision": after.revision})
    toast(request, text, undo=undo, of=after)
    return see_other(request, url("webhook_delivery", after.business, after.webhook_id, after.place))

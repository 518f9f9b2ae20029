"""The pages of webhooks: the list, a new one, one with its deliveries."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.audit.queries import history
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.webhooks import queries
from dashboard.platform.webhooks.events import EVENT_TYPES
from dashboard.platform.webhooks.forms import EditWebhookForm, WebhookForm
from dashboard.platform.webhooks.items import OVERLAP, STATE_LABELS, Delivery, DeliveryState, Webhook
from dashboard.platform.webhooks.presenters import DeliveryRow, WebhookRow
from dashboard.platform.webhooks.services import webhooks as services
from dashboard.platform.webhooks.views.scopes import revision_of, scoped, url
from dashboard.table.read import Page, gather
from dashboard.web.commands import command_of
from dashboard.web.lists import build_listing, build_tabs, list_page
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast


@scoped("GET", "HEAD")
def webhooks(request: Request, business: str) -> HttpResponse:
    found = sorted(queries.webhooks_of(business), key=lambda each: (not each.is_on, each.title))
    rows = [WebhookRow(each, url("webhook", business, each.id)) for each in found]
    context = {
        "listing": build_listing(request, rows, None),
        "new_url": url("webhook_new", business),
        "list_url": "",
        "is_full": len(rows) >= services.MAX_WEBHOOKS,
    }
    return page(request, "webhooks/webhooks.html", context, partial="list")


@scoped("GET", "HEAD", "POST")
def create(request: Request, business: str) -> HttpResponse:
    context = {"list_url": url("webhooks", business), "url": url("webhook_new", business)}
    if request.method != "POST":
        return page(request, "webhooks/new.html", context | {"form": WebhookForm(of_platform=not business)})
    form = bind(request, WebhookForm, of_platform=not business)
    command = command_of(request)
    if form.is_valid():
        try:
            webhook = services.create(business, command=command, **form.values)
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return page(request, "webhooks/new.html", context | {"form": form}, status=422)
    toast(request, _("Webhook %(name)s created.") % {"name": webhook.title}, of=webhook)
    return _secret_page(request, webhook, services.secret_of(webhook, command))


def _secret_page(request: Request, webhook: Webhook, secret: str | None) -> HttpResponse:
    """Show the secret, once: it is stored encrypted."""
    context = {
        "webhook": webhook,
        "secret": secret,
        "list_url": url("webhooks", webhook.business),
        "webhook_url": url("webhook", webhook.business, webhook.id),
    }
    return page(request, "webhooks/secret.html", context)


@scoped("GET", "HEAD")
def webhook(request: Request, business: str, webhook_id: str) -> HttpResponse:
    return _webhook_page(request, business, webhook_id)


@scoped("POST")
def edit(request: Request, business: str, webhook_id: str) -> HttpResponse:
    form = bind(request, EditWebhookForm, of_platform=not business)
    if form.is_valid():
        try:
            after = services.edit(
                business, webhook_id, **form.values, revision=form.revision, command=command_of(request)
            )
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return _webhook_page(request, business, webhook_id, form, status=422)
    undo = (url("webhook_edit", business, after.id), after.outcome.result["before"] | {"revision": after.revision})
    toast(request, _("Changes to %(name)s saved.") % {"name": after.title}, undo=undo, of=after)
    return see_other(request, url("webhook", business, after.id))


@scoped("POST")
def switch_off(request: Request, business: str, webhook_id: str) -> HttpResponse:
    after = services.switch_off(business, webhook_id, revision=revision_of(request), command=command_of(request))
    return _respond(request, after, _("Webhook %(name)s switched off."), "webhook_on")


@scoped("POST")
def switch_on(request: Request, business: str, webhook_id: str) -> HttpResponse:
    after = services.switch_on(business, webhook_id, revision=revision_of(request), command=command_of(request))
    return _respond(request, after, _("Webhook %(name)s switched on."), "webhook_off")


@scoped("POST")
def rotate(request: Request, business: str, webhook_id: str) -> HttpResponse:
    """A new secret, shown once. There is no Undo: receivers accept the previous one for a day."""
    command = command_of(request)
    after = services.rotate(business, webhook_id, revision=revision_of(request), command=command)
    hours = int(OVERLAP.total_seconds() // 3600)
    text = _("Webhook %(name)s has a new secret. Both sign for %(hours)s hours.")
    toast(request, text % {"name": after.title, "hours": hours}, of=after)
    return _secret_page(request, after, services.secret_of(after, command))


@scoped("POST")
def end_overlap(request: Request, business: str, webhook_id: str) -> HttpResponse:
    after = services.end_overlap(business, webhook_id, revision=revision_of(request), command=command_of(request))
    toast(request, _("Only the new secret of %(name)s signs now.") % {"name": after.title}, of=after)
    return see_other(request, url("webhook", business, after.id))


@scoped("POST")
def send_test(request: Request, business: str, webhook_id: str) -> HttpResponse:
    delivery = services.send_test(business, webhook_id, command=command_of(request))
    toast(request, _("The test is sent within a minute."), of=delivery)
    return see_other(request, url("webhook_delivery", business, webhook_id, delivery.place))


@scoped("POST")
def remove(request: Request, business: str, webhook_id: str) -> HttpResponse:
    command = command_of(request)
    services.remove(business, webhook_id, revision=revision_of(request), command=command)
    undo = (url("webhook_restore", business, webhook_id), {"of": command.id})
    toast(request, _("Webhook deleted."), undo=undo)
    return see_other(request, url("webhooks", business))


@scoped("POST")
def restore(request: Request, business: str, webhook_id: str) -> HttpResponse:
    """Undo a deletion. Only the toast after deleting leads here."""
    of = request.POST.get("of", "")[:200]
    after = services.restore(business, webhook_id, of=of, command=command_of(request))
    toast(request, _("Webhook %(name)s restored.") % {"name": after.title}, of=after)
    return see_other(request, url("webhook", business, after.id))


def _respond(request: Request, after: Webhook, text: str, inverse: str) -> HttpResponse:
    undo = (url(inverse, after.business, after.id), {"revision": after.revision})
    toast(request, text % {"name": after.title}, undo=undo, of=after)
    return see_other(request, url("webhook", after.business, after.id))


def _webhook_page(
    request: Request, business: str, webhook_id: str, form: EditWebhookForm | None = None, status: int = 200
) -> HttpResponse:
    state = request.GET.get("state", "")
    if state and state not in set(DeliveryState):
        raise NotFound

    def load(start_key: Any) -> tuple[Page[Delivery], dict[str, Any]]:
        webhook, found, entries = gather(
            lambda: queries.load_webhook(business, webhook_id),
            lambda: queries.deliveries(business, webhook_id, state, start_key),
            lambda: history(webhook_id, business=business),
        )
        rows = [DeliveryRow(each, url("webhook_delivery", business, webhook_id, each.place)) for each in found.items]
        names = ("edit", "off", "on", "rotate", "end_overlap", "remove", "test")
        context = {
            "webhook": webhook,
            "form": form or EditWebhookForm(item=webhook, of_platform=not business),
            "event_labels": [EVENT_TYPES[each].label for each in webhook.event_names if each in EVENT_TYPES],
            "history": history_lines(entries),
            "tabs": build_tabs(request, "state", [("", _("All")), *STATE_LABELS.items()]),
            "list_url": url("webhooks", business),
            **{f"{name}_url": url(f"webhook_{name}", business, webhook_id) for name in names},
        }
        return found.with_rows(rows), context

    scope = ("webhook", business, webhook_id, state)
    return list_page(request, "webhooks/webhook.html", load, cursor_scope=scope, filters=("state",), status=status)

"""The outbox of the platform and of a business: the state of each mail."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.queries import history
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.mail import folder, queries
from dashboard.platform.mail.items import STATE_LABELS, MailState, OutgoingMail
from dashboard.platform.mail.permissions import Permission
from dashboard.platform.mail.presenters import MailRow, as_paragraphs, kind_label
from dashboard.platform.mail.services import outbox as services
from dashboard.table.read import Page, gather
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.SYSTEM_MAIL)
@require_safe
def outbox(request: Request) -> HttpResponse:
    return _outbox(request, "")


@requires(Permission.BUSINESS_MAIL)
@require_safe
def business_outbox(request: Request, business: str) -> HttpResponse:
    return _outbox(request, business)


@requires(Permission.SYSTEM_MAIL)
@require_safe
def mail(request: Request, place: str) -> HttpResponse:
    return _mail_page(request, "", place)


@requires(Permission.BUSINESS_MAIL)
@require_safe
def business_mail(request: Request, business: str, place: str) -> HttpResponse:
    return _mail_page(request, business, place)


@requires(Permission.SYSTEM_MAIL)
@require_POST
def cancel(request: Request, place: str) -> HttpResponse:
    return _cancel(request, "", place)


@requires(Permission.BUSINESS_MAIL)
@require_POST
def business_cancel(request: Request, business: str, place: str) -> HttpResponse:
    return _cancel(request, business, place)


@requires(Permission.SYSTEM_MAIL)
@require_POST
def resend(request: Request, place: str) -> HttpResponse:
    return _resend(request, "", place)


@requires(Permission.BUSINESS_MAIL)
@require_POST
def business_resend(request: Request, business: str, place: str) -> HttpResponse:
    return _resend(request, business, place)


@requires(Permission.SYSTEM_MAIL)
@require_POST
def restore(request: Request, place: str) -> HttpResponse:
    return _restore(request, "", place)


@requires(Permission.BUSINESS_MAIL)
@require_POST
def business_restore(request: Request, business: str, place: str) -> HttpResponse:
    return _restore(request, business, place)


@requires(Permission.SYSTEM_MAIL)
@require_safe
def mail_files(request: Request) -> HttpResponse:
    """The mail that `make run` wrote into its folder. There is no such page elsewhere."""
    return page(request, "mail/files.html", {"files": folder.mail_files(), "folder": settings.MAIL_FOLDER})


def _outbox(request: Request, business: str) -> HttpResponse:
    state = request.GET.get("state", "")
    if state and state not in set(MailState):
        raise NotFound

    def load(start_key: Any) -> tuple[Page[OutgoingMail], dict[str, Any]]:
        found = queries.mails(business, state, start_key)
        rows = [MailRow(mail, _url(mail, "page")) for mail in found.items]
        tabs = build_tabs(request, "state", [("", _("All")), *STATE_LABELS.items()])
        return found.with_rows(rows), {"tabs": tabs, "is_configured": settings.MAIL_IS_CONFIGURED}

    scope = ("mail", business, state)
    return list_page(request, "mail/outbox.html", load, cursor_scope=scope, filters=("state",))


def _mail_page(request: Request, business: str, place: str) -> HttpResponse:
    mail, entries = gather(
        lambda: queries.load_mail(business, place), lambda: history(f"mail:{place}", business=business)
    )
    context = {
        "mail": mail,
        "kind": kind_label(mail.kind),
        "paragraphs": as_paragraphs(mail.body),
        "history": history_lines(entries),
        "outbox_url": reverse("business_mail", args=[business]) if business else reverse("mail"),
        "cancel_url": _url(mail, "cancel"),
        "resend_url": _url(mail, "resend"),
    }
    return page(request, "mail/mail.html", context)


def _cancel(request: Request, business: str, place: str) -> HttpResponse:
    after = services.cancel(business, place, revision=_revision(request), command=command_of(request))
    return _respond(request, after, _("The mail to %(name)s is not sent."), "restore")


def _resend(request: Request, business: str, place: str) -> HttpResponse:
    after = services.resend(business, place, revision=_revision(request), command=command_of(request))
    return _respond(request, after, _("The mail to %(name)s is sent again within a minute."), "cancel")


def _restore(request: Request, business: str, place: str) -> HttpResponse:
    """Undo a cancellation. Only the toast after cancelling leads here."""
    after = services.restore(business, place, revision=_revision(request), command=command_of(request))
    return _respond(request, after, _("The mail to %(name)s is in the queue again."), "cancel")


def _respond(request: Request, mail: OutgoingMail, text: str, inverse: str) -> HttpResponse:
    undo = (_url(mail, inverse), {"revision": mail.revision})
    toast(request, text % {"name": mail.title or mail.target}, undo=undo, of=mail)
    return see_other(request, _url(mail, "page"))


def _revision(request: Request) -> int:
    form = bind(request, RevisionForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    return form.number


def _url(mail: OutgoingMail, act: str) -> str:
    if mail.business:
        return reverse(f"business_mail_{act}", args=[mail.business, mail.place])
    return reverse(f"mail_{act}", args=[mail.place])

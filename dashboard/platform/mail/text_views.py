"""The texts of a business for each kind of mail, with a preview."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.mail import queries
from dashboard.platform.mail.compose import fill_text
from dashboard.platform.mail.fields import SENT, TEXT_FIELDS
from dashboard.platform.mail.forms import MailTextForm
from dashboard.platform.mail.items import MailText
from dashboard.platform.mail.kinds import MAIL_KINDS, MailKind, SampleValues, kinds_of_business
from dashboard.platform.mail.permissions import Permission
from dashboard.platform.mail.presenters import as_paragraphs
from dashboard.platform.mail.services import texts as services
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast


@dataclass(frozen=True)
class Preview:
    """A text in one language, with the values of a booking."""

    language: str
    language_name: str
    subject: str
    paragraphs: tuple[tuple[str, ...], ...]


@requires(Permission.MAIL_TEXTS)
@require_safe
def texts(request: Request, business: str) -> HttpResponse:
    saved = queries.texts_of(business)
    rows = [{"kind": kind, "text": saved.get(kind.name)} for kind in kinds_of_business()]
    return page(request, "mail/texts.html", {"rows": rows, "is_configured": settings.MAIL_IS_CONFIGURED})


@requires(Permission.MAIL_TEXTS)
@require_http_methods(["GET", "HEAD", "POST"])
def text(request: Request, business: str, mail_kind: str) -> HttpResponse:
    stored, sample = _load(business, mail_kind)
    if request.method != "POST":
        return _text_page(request, stored, sample, MailTextForm(item=stored))
    form = bind(request, MailTextForm, item=stored)
    if not form.is_valid():
        return _text_page(request, stored, sample, form, status=422)
    saved = services.save(business, mail_kind, form.values, revision=form.revision, command=command_of(request))
    _toast_saved(request, saved, _("Text saved."))
    return see_other(request, request.path)


@requires(Permission.MAIL_TEXTS)
@require_POST
def preview(request: Request, business: str, mail_kind: str) -> HttpResponse:
    """The preview of texts that are not saved yet."""
    stored, sample = _load(business, mail_kind)
    form = bind(request, MailTextForm, item=stored)
    return _text_page(request, stored, sample, form, status=200 if form.is_valid() else 422)


@requires(Permission.MAIL_TEXTS)
@require_POST
def reset(request: Request, business: str, mail_kind: str) -> HttpResponse:
    form = bind(request, RevisionForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    saved = services.reset(business, mail_kind, revision=form.number, command=command_of(request))
    _toast_saved(request, saved, _("The default text is used again."))
    return see_other(request, reverse("mail_text", args=[business, mail_kind]))


def _load(business: str, kind: str) -> tuple[MailText, SampleValues]:
    """The text and the values for the preview, in one round trip."""
    known = MAIL_KINDS.get(kind)
    load_sample = known.load_sample if known is not None else None
    if load_sample is None:
        raise NotFound
    stored, sample = gather(lambda: queries.load_text(business, kind), lambda: load_sample(business))
    return stored, sample


def _toast_saved(request: Request, saved: MailText, message: str) -> None:
    before, after = saved.outcome.result["before"], saved.outcome.result["after"]
    changed = {name: before[name] or "" for name in TEXT_FIELDS.names if before[name] != after[name]}
    if "sending" in changed:
        changed["sending"] = before["sending"] or SENT
    url = reverse("mail_text", args=[str(saved.key_parts["tenant"]), saved.kind])
    toast(request, message, undo=(url, changed | {"revision": saved.revision}), of=saved)


def _text_page(
    request: Request, stored: MailText, sample: SampleValues, form: MailTextForm, status: int = 200
) -> HttpResponse:
    kind = MAIL_KINDS[stored.kind]
    context = {
        "kind": kind,
        "text": stored,
        "form": form,
        "placeholders": [(f"{{{name}}}", label) for name, label in kind.placeholders.items()],
        "previews": [_preview(kind, form, sample, *language) for language in settings.LANGUAGES],
        "sample": sample,
    }
    return page(request, "mail/text.html", context, status=status)


def _preview(kind: MailKind, form: MailTextForm, sample: SampleValues, language: str, language_name: str) -> Preview:
    """As typed, also while a placeholder is unknown: it stays as it is."""
    typed = MailText()
    for part in ("subject", "body"):
        value: Any = form[f"{part}_{language}"].value()
        setattr(typed, f"{part}_{language}", str(value or "") or None)
    subject, body = fill_text(kind, typed, language, sample.values[language])
    return Preview(language, language_name, subject, as_paragraphs(body))

"""The fields of the texts of a business (dashboard/web/fields.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.platform.mail.items import NOT_SENT, MailText
from dashboard.platform.mail.kinds import MAIL_KINDS
from dashboard.web.fields import Field, Fields, LenientChoiceField
from dashboard.web.forms import LineField

MAX_SUBJECT, MAX_BODY = 150, 4000
LEAD_HOURS = (
    ("1", _("1 hour before")),
    ("2", _("2 hours before")),
    ("4", _("4 hours before")),
    ("12", _("12 hours before")),
    ("24", _("1 day before")),
    ("48", _("2 days before")),
    ("72", _("3 days before")),
)
SENT = "on"


def _text_or_default(part: str, language: str) -> Callable[[Any], str]:
    def value(text: MailText) -> str:
        stored = getattr(text, f"{part}_{language}")
        return str(stored or MAIL_KINDS[text.kind].default_text(part, language))

    return value


def _lead_hours(text: MailText) -> str:
    default = MAIL_KINDS[text.kind].lead_time
    hours = int(text.lead_hours) if text.lead_hours else int(default.total_seconds() // 3600) if default else 0
    return str(hours)


def _subject(label: Any) -> LineField:
    return LineField(label=label, max_length=MAX_SUBJECT, required=False)


def _body(label: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=MAX_BODY, required=False, widget=forms.Textarea(attrs={"rows": 10}))


TEXT_FIELDS = Fields(
    MailText,
    Field(
        "sending",
        LenientChoiceField(label=_("Sending"), choices=[(SENT, _("Send this mail")), (NOT_SENT, _("Do not send"))]),
        audit_label=_("sending"),
        form_value=lambda text: text.sending or SENT,
    ),
    Field(
        "lead_hours",
        LenientChoiceField(
            label=_("When"),
            choices=LEAD_HOURS,
            required=False,
            help_text=_("Reminders that are in the queue are never sent earlier than this."),
        ),
        audit_label=_("when"),
        form_value=_lead_hours,
    ),
    Field(
        "subject_en",
        _subject(_("Subject in English")),
        audit_label=_("subject in English"),
        form_value=_text_or_default("subject", "en"),
    ),
    Field(
        "body_en",
        _body(_("Text in English")),
        audit_label=_("text in English"),
        form_value=_text_or_default("body", "en"),
    ),
    Field(
        "subject_es",
        _subject(_("Subject in Spanish")),
        audit_label=_("subject in Spanish"),
        form_value=_text_or_default("subject", "es"),
    ),
    Field(
        "body_es",
        _body(_("Text in Spanish")),
        audit_label=_("text in Spanish"),
        form_value=_text_or_default("body", "es"),
    ),
)
TEXTS = ("subject_en", "body_en", "subject_es", "body_es")

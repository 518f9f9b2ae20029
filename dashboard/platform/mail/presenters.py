"""Mail as the pages show it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise

from dashboard.platform.mail.items import OutgoingMail
from dashboard.platform.mail.kinds import MAIL_KINDS
from dashboard.platform.mail.texts import paragraphs

Paragraphs = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class MailRow:
    mail: OutgoingMail
    url: str

    @property
    def kind(self) -> str | Promise:
        return kind_label(self.mail.kind)


def kind_label(kind: str) -> str | Promise:
    return MAIL_KINDS[kind].label if kind in MAIL_KINDS else kind


def as_paragraphs(body: str | None) -> Paragraphs:
    return tuple(tuple(lines) for lines in paragraphs(body or ""))

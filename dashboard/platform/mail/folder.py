"""Writes mail as files into a folder, under `make run`. `/outbox/` shows them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage as ParsedMessage
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from dashboard.core.clock import now

MAX_FILES = 500


class FolderBackend(BaseEmailBackend):
    """A mail that is sent twice with the same Message-ID is one file."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            content = message.message()
            name = hashlib.sha256(str(content["Message-ID"]).encode()).hexdigest()[:16]
            earlier = next(folder.glob(f"*-{name}.eml"), None)
            path = earlier or folder / f"{now():%Y%m%d-%H%M%S}-{name}.eml"
            path.write_bytes(content.as_bytes())
        return len(email_messages)


@dataclass(frozen=True)
class MailFile:
    name: str
    written_at: datetime
    message: ParsedMessage

    @property
    def text(self) -> str:
        part = self.message.get_body(("plain",))
        return str(part.get_content()) if part is not None else ""

    @property
    def attachments(self) -> list[str]:
        return [part.get_filename() or "?" for part in self.message.iter_attachments()]

    @property
    def headers(self) -> dict[str, str]:
        return {name.lower().replace("-", "_"): str(self.message[name] or "") for name in ("From", "To", "Subject")}


def mail_files() -> list[MailFile]:
    """The newest files."""
    paths = sorted(_folder().glob("*.eml"), reverse=True)
    return [_read(path) for path in paths[:MAX_FILES]]


def _read(path: Path) -> MailFile:
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    return MailFile(path.name, datetime.fromtimestamp(path.stat().st_mtime, UTC), message)


def _folder() -> Path:
    if settings.MAIL_FOLDER is None:
        raise ImproperlyConfigured("MAIL_FOLDER is not set.")
    return Path(settings.MAIL_FOLDER)

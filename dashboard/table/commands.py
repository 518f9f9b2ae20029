"""One action, once: the command a form carries, and the record that it was done."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from pynamodb.attributes import JSONAttribute, NumberAttribute, UnicodeAttribute

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.table import keys
from dashboard.table.items import Item

# A form may be sent this long after it was shown; the record outlives every form that could ask for it.
FORM_LIFE = timedelta(days=14)
RECORD_LIFE = timedelta(days=30)


@dataclass(frozen=True)
class Actor:
    """Who acts, as the audit trail names them."""

    email: str
    name: str = ""


SYSTEM = Actor("system", "Trastienda")


@dataclass(frozen=True)
class Command:
    """One intention of one person, however often it reaches us."""

    id: str
    by: Actor

    def part(self, name: str) -> Command:
        """The same intention for one of several targets. Keyed: what is named may hold a password."""
        return replace(self, id=f"{self.id}-{self._digest('part', name)[:16]}")

    def secret(self, purpose: str) -> str:
        """A secret that only this command makes, and makes again when it is repeated."""
        return self._digest("secret", purpose)

    def _digest(self, use: str, text: str) -> str:
        """Of both secrets: the trail shows the id, so neither key alone may be enough to make a secret of it."""
        key = f"{use} {settings.SECRET_KEY} {settings.API_KEY_PEPPER}"
        return hmac.new(key.encode(), f"{self.id} {text}".encode(), hashlib.sha256).hexdigest()


class Done(Item):
    """The record that a command was carried out, and on what."""

    pattern = keys.DONE
    editable = False

    by = UnicodeAttribute()
    subject_pk = UnicodeAttribute(null=True, attr_name="subjectPK")
    subject_sk = UnicodeAttribute(null=True, attr_name="subjectSK")
    subject_revision = NumberAttribute(null=True, attr_name="subjectRevision")
    result = JSONAttribute(null=True)

    @classmethod
    def record(cls, command: Command, subject: Item | None, result: dict[str, Any] | None) -> Done:
        done = cls.at(operation=command.id)
        done.by = command.by.email
        done.created_at = now()
        done.ttl = int((now() + RECORD_LIFE).timestamp())
        done.result = result
        if subject is not None:
            done.subject_pk, done.subject_sk = subject.key
            done.subject_revision = subject.revision
        return done


def new_command(by: Actor) -> Command:
    return Command(new_id(), by)

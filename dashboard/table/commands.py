"""Commands, and the records that they were executed."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from pynamodb.attributes import JSONAttribute, NumberAttribute, UnicodeAttribute

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.core.rotation import fingerprint_of, peppers, secret_keys
from dashboard.table import keys
from dashboard.table.items import Item

# A form can be sent this long after it was rendered. The record lives longer than every form of its command.
FORM_LIFE = timedelta(days=14)
RECORD_LIFE = timedelta(days=30)
# The id of `new_command_id`, possibly followed by parts of 16 characters.
_MARKED = re.compile(r"[a-z0-9]{26}-([0-9a-f]{6})(-[0-9a-f]{16})*")


@dataclass(frozen=True)
class Actor:
    """The person who acts, as named in the audit trail."""

    email: str
    name: str = ""


SYSTEM = Actor("system", "Trastienda")


@dataclass(frozen=True)
class Command:
    """One action of one person. It is executed once, even if the request arrives several times."""

    id: str
    by: Actor
    # A hash of what was asked for. A command that is repeated with another one is refused; empty: not compared.
    request: str = ""

    def part(self, name: str) -> Command:
        """The command for one of several targets. The name is hashed with a key because it may contain a password."""
        return replace(self, id=f"{self.id}-{self._digest('part', name)[:16]}")

    def secret(self, purpose: str) -> str:
        """A secret of this command: the same each time the command is repeated."""
        return self._digest("secret", purpose)

    def _digest(self, use: str, text: str) -> str:
        key = f"{use} {_key_of(self.id)}"
        return hmac.new(key.encode(), f"{self.id} {text}".encode(), hashlib.sha256).hexdigest()


class Done(Item):
    """The record that a command was executed, with its subject and result."""

    key_pattern = keys.DONE
    editable = False

    by = UnicodeAttribute()
    subject_pk = UnicodeAttribute(null=True, attr_name="subjectPK")
    subject_sk = UnicodeAttribute(null=True, attr_name="subjectSK")
    subject_revision = NumberAttribute(null=True, attr_name="subjectRevision")
    result = JSONAttribute(null=True)
    request = UnicodeAttribute(null=True)

    @classmethod
    def record(cls, command: Command, subject: Item | None, result: dict[str, Any] | None) -> Done:
        done = cls.new(operation=command.id)
        done.by = command.by.email
        done.created_at = now()
        done.ttl = int((now() + RECORD_LIFE).timestamp())
        done.result = result
        done.request = command.request or None
        if subject is not None:
            done.subject_pk, done.subject_sk = subject.key
            done.subject_revision = subject.revision
        return done


def new_command(by: Actor) -> Command:
    return Command(new_command_id(), by)


def new_command_id() -> str:
    """An id with the mark of the current keys: after a rotation its parts and secrets are still the same."""
    return f"{new_id()}-{fingerprint_of(secret_keys()[0], peppers()[0])}"


def _key_of(command_id: str) -> str:
    """The key that hashes the parts and secrets of a command.

    Both settings are part of it: the audit trail shows the id, and one leaked key must not be enough. An id without a
    mark is older than the marks, or made of a revision and a date: it belongs to the oldest keys.
    """
    pairs = [(key, pepper) for key in secret_keys() for pepper in peppers()]
    marked = _MARKED.fullmatch(command_id)
    if marked is None:
        return " ".join(pairs[-1])
    return " ".join(next((pair for pair in pairs if fingerprint_of(*pair) == marked[1]), pairs[0]))

"""One action, once: the operation a form carries, and the record that it was done."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import JSONAttribute, UnicodeAttribute

from dashboard.clock import now
from dashboard.errors import Refused
from dashboard.table import keys
from dashboard.table.ids import new_id
from dashboard.table.items import Item

# A form may be sent this long after it was shown; the record outlives every form that could ask for it.
FORM_LIFE = timedelta(days=14)
RECORD_LIFE = timedelta(days=30)
_SALT = "operation"


@dataclass(frozen=True)
class Actor:
    """Who acts, as the audit trail names them."""

    email: str
    name: str = ""


SYSTEM = Actor("system", "Trastienda")


@dataclass(frozen=True)
class Operation:
    """One intention of one person, however often it reaches us."""

    id: str
    by: Actor

    def part(self, name: str) -> Operation:
        """The same intention for one of several targets."""
        digest = hashlib.sha256(f"{self.id} {name}".encode()).hexdigest()[:12]
        return replace(self, id=f"{self.id}-{digest}")

    def secret(self, purpose: str) -> str:
        """A secret that only this operation makes, and makes again when it is repeated."""
        seed = f"{purpose} {self.id}".encode()
        return hmac.new(settings.SECRET_KEY.encode(), seed, hashlib.sha256).hexdigest()


class Done(Item):
    """The record that an operation was carried out, and on what."""

    pattern = keys.DONE
    editable = False

    by = UnicodeAttribute()
    subject_pk = UnicodeAttribute(null=True, attr_name="subjectPK")
    subject_sk = UnicodeAttribute(null=True, attr_name="subjectSK")
    result = JSONAttribute(null=True)

    @classmethod
    def record(cls, operation: Operation, subject: Item | None, result: dict[str, Any] | None) -> Done:
        done = cls.at(operation=operation.id)
        done.by = operation.by.email
        done.created_at = now()
        done.ttl = int((now() + RECORD_LIFE).timestamp())
        done.result = result
        if subject is not None:
            done.subject_pk, done.subject_sk = subject.key
        return done


def new_operation(by: Actor) -> Operation:
    return Operation(new_id(), by)


def new_form_token(request: HttpRequest) -> str:
    """What a form carries in its field `operation`."""
    return signing.dumps(new_id(), salt=_signed_for(request))


def operation_of(request: HttpRequest) -> Operation:
    """The operation a request stands for: its form's, or one of its own."""
    by: Actor = request.actor  # type: ignore[attr-defined]
    try:
        token = request.POST.get("operation", "")
        return Operation(signing.loads(token, salt=_signed_for(request), max_age=FORM_LIFE), by)
    except signing.SignatureExpired as error:
        raise Refused(_("This form was open for too long. Load it again and repeat the change.")) from error
    except signing.BadSignature:
        return new_operation(by)


def _signed_for(request: HttpRequest) -> str:
    """One person's token is worth nothing to another."""
    return f"{_SALT}:{request.actor.email}"  # type: ignore[attr-defined]

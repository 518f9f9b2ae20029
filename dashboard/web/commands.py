"""The command a form carries: one intention, however often it is sent."""

from __future__ import annotations

from typing import Any

from django.core import signing
from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.core.ids import new_id
from dashboard.table.commands import FORM_LIFE, Command, new_command

FIELD = "operation"
# What differs between two sendings of the same form.
_NOT_ITS_CONTENT = {FIELD, "csrfmiddlewaretoken"}


def new_form_token(request: Any) -> str:
    """What a form carries in its field `operation`."""
    return signing.dumps(new_id(), salt=_signed_for(request))


def command_of(request: Any) -> Command:
    """The command a request stands for: its form's, or one of its own.

    The address and the content belong to it: the same form sent again is the same command, and one that was
    changed, or sent elsewhere, is another.
    """
    try:
        token = request.POST.get(FIELD, "")
        signed = signing.loads(token, salt=_signed_for(request), max_age=FORM_LIFE)
    except signing.SignatureExpired as error:
        raise Refused(_("This form was open for too long. Reload the page and try again.")) from error
    except signing.BadSignature:
        return new_command(request.actor)
    return Command(signed, request.actor).part(f"{request.path} {_content(request)}")


def _content(request: Any) -> str:
    fields = ((name, values) for name, values in request.POST.lists() if name not in _NOT_ITS_CONTENT)
    return repr(sorted(fields))


def _signed_for(request: Any) -> str:
    """One person's token is worth nothing to another."""
    return f"{FIELD}:{request.actor.email}"

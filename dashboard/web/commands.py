"""The command of a form, which is executed once even if the form is sent several times."""

from __future__ import annotations

from typing import Any

from django.core import signing
from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.table.commands import FORM_LIFE, Command, new_command, new_command_id

FIELD = "operation"
# Fields that are not part of the form's content.
_IGNORED_FIELDS = {FIELD, "csrfmiddlewaretoken"}


def form_token(request: Any) -> str:
    """The value of the field `operation` in all forms of a page: the URL and the content distinguish them."""
    if not hasattr(request, "form_token"):
        request.form_token = signing.dumps(new_command_id(), salt=_salt(request))
    return str(request.form_token)


def command_of(request: Any) -> Command:
    """The command of a request: that of its form, or a new one.

    The URL and the content are part of it: the same form sent again is the same command; a form with other input, or
    sent to another URL, is another command.
    """
    try:
        token = request.POST.get(FIELD, "")
        signed = signing.loads(token, salt=_salt(request), max_age=FORM_LIFE)
    except signing.SignatureExpired as error:
        raise Refused(_("This form was open for too long. Reload the page and try again.")) from error
    except signing.BadSignature:
        return new_command(request.actor)
    return Command(signed, request.actor).part(f"{request.path} {_content(request)}")


def sent_fields(request: Any, *excluded: str) -> list[tuple[str, str]]:
    """The fields of the form that was sent, for a page that sends them again with a confirmation."""
    own = {FIELD, "csrfmiddlewaretoken", *excluded}
    return [(name, value) for name, values in request.POST.lists() if name not in own for value in values]


def _content(request: Any) -> str:
    fields = ((name, values) for name, values in request.POST.lists() if name not in _IGNORED_FIELDS)
    return repr(sorted(fields))


def _salt(request: Any) -> str:
    """A token is valid only for the person it was made for."""
    return f"{FIELD}:{request.actor.email}"

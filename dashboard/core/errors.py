"""Domain errors. `dashboard/web/errors.py` converts each into a response."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class DomainError(Exception):
    """An error with a text for the person who sent the request."""

    status = 400
    text: str | _StrPromise = _("Something went wrong.")

    def __init__(self, text: str | _StrPromise | None = None) -> None:
        self.text = text or self.text
        super().__init__(str(self.text))


class BadCursor(DomainError):
    """A cursor with a wrong signature, or one made for another person or list."""

    status = 400
    text = _("This link to the next page is no longer valid.")


class NotAllowed(DomainError):
    status = 403
    text = _("You do not have permission to do that.")


class NotFound(DomainError):
    status = 404
    text = _("There is nothing here.")


class Conflict(DomainError):
    """The item changed since the person loaded it. `item` is its current state."""

    status = 409
    text = _("Someone changed this while you had it open.")

    def __init__(self, item: Any = None, text: str | _StrPromise | None = None) -> None:
        self.item = item
        super().__init__(text)


class StaleRevision(Conflict):
    """Someone wrote between our read and our write. The service reads again and retries (`retry_on`)."""


class Refused(DomainError):
    """A rule refuses the input. `field` is the name of the form field that the text belongs to."""

    status = 422

    def __init__(self, text: str | _StrPromise, field: str | None = None) -> None:
        self.field = field
        super().__init__(text)


class TooMany(DomainError):
    status = 429
    text = _("Too many attempts. Wait a moment and try again.")

    def __init__(self, retry_after: int, text: str | _StrPromise | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(text)


class Unavailable(DomainError):
    """The table does not answer. Sending the same form again is safe."""

    status = 503
    text = _("The database is not answering. Your input is kept: try again in a moment.")


class Busy(DomainError):
    """There is too much to do right now. The request was not carried out."""

    status = 503
    code = "busy"
    retry_after = 5
    text = _("Too many people are using the site right now. Nothing was changed.")
    advice = _("Wait a moment and try again.")

"""What can go wrong while a question is answered, as texts for the person who asked."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import DomainError


class Unanswered(DomainError):
    """The warehouse could not answer."""

    status = 503
    text = _("The archive could not be read. Try again in a moment.")


class FileLost(Unanswered):
    text = _("A file of the archive is missing. Ask an administrator to check the archive.")


class TooSlow(Unanswered):
    text = _("This took too long. Choose fewer days or add a filter.")


class TooLarge(Unanswered):
    text = _("This needs too much memory. Choose fewer days or add a filter.")

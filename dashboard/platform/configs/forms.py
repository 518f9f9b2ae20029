"""Forms that configs share."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.web.forms import LineField, RevisionForm


class SaveForm(RevisionForm):
    """The note and the revision that are sent with a save."""

    note = LineField(
        label=_("Note"), max_length=300, required=False, help_text=_("Why you made this change. Shown in the history.")
    )

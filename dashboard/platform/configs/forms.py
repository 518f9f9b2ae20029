"""What a config's pages send: what the person saw of it, and why they change it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.web.forms import LineField, RevisionForm


class SaveForm(RevisionForm):
    """What is seen beside the button that saves."""

    note = LineField(
        label=_("Note"), max_length=300, required=False, help_text=_("Why, for whoever looks at the history.")
    )

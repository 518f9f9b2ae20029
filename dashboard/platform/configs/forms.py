"""What a config's pages send: what the person saw of it, and why they change it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.web.forms import Form, LineField, VersionField
from dashboard.web.pages import bind


class SeenForm(Form):
    """The config, or a person's changes of it, as the person saw it, by its revision."""

    version = VersionField()


class SaveForm(SeenForm):
    """What is seen beside the button that saves."""

    note = LineField(
        label=_("Note"), max_length=300, required=False, help_text=_("Why, for whoever looks at the history.")
    )


def seen_by(request: Any) -> int:
    """The revision that a button carries; whoever sends none has seen nothing."""
    form = bind(request, SeenForm)
    return int(form.cleaned_data["version"]) if form.is_valid() else 0

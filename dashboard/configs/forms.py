"""What the buttons of a config's history carry."""

from __future__ import annotations

from dashboard.ui.forms import Form, VersionField


class SeenForm(Form):
    """The config as the person saw it, by its revision."""

    version = VersionField()

"""The form of an announcement."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.web.forms import Form

MAX_LENGTH = 2_000


class AnnounceForm(Form):
    content = forms.CharField(
        label=_("Announcement"),
        max_length=MAX_LENGTH,
        widget=forms.Textarea({"rows": 5}),
        help_text=_("Everyone in the forum sees it with your name."),
    )

    def clean_content(self) -> Any:
        """Line ends are stored as \\n."""
        return self.cleaned_data["content"].replace("\r\n", "\n").replace("\r", "\n")

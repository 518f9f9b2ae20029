"""Forms of a conversation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from bookings.services.conversations import MAX_TEXT
from dashboard.web.forms import Form

_MAX_TURN = 10**9


class TurnForm(Form):
    """A button. It sends the turn that the person saw."""

    turn = forms.IntegerField(validators=[MinValueValidator(0), MaxValueValidator(_MAX_TURN)], widget=forms.HiddenInput)


class ReplyForm(Form):
    text = forms.CharField(
        label=_("Your reply"),
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Write a message.")},
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, auto_id="reply_%s", **options)

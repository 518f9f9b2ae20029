"""The fields of a webhook (dashboard/web/fields.py)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.platform.webhooks.events import event_types
from dashboard.platform.webhooks.items import Webhook
from dashboard.platform.webhooks.receiver import is_allowed_url
from dashboard.web.fields import Field, Fields
from dashboard.web.forms import LineField

MAX_URL = 500


class EventList(list[str]):
    """Events that fit into one input, as Undo and the conflict page send them."""

    def __str__(self) -> str:
        return ",".join(self)


class EventBoxes(forms.CheckboxSelectMultiple):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        """Undo sends all of them in one input."""
        sent = data.getlist(name) if hasattr(data, "getlist") else [str(data.get(name, ""))]
        return [each for text in sent for each in text.split(",") if each]


class EventsField(forms.MultipleChoiceField):
    widget = EventBoxes


class ReceiverField(LineField):
    """The URL of a receiver on the public internet."""

    def to_python(self, value: Any) -> str:
        url = super().to_python(value)
        if url and not is_allowed_url(url):
            raise ValidationError(
                _("Use an https address of a server on the public internet, without a port or a password.")
            )
        return url


def choices(*, of_platform: bool) -> list[tuple[str, Any]]:
    return [(each.name, each.label) for each in event_types(of_platform=of_platform)]


WEBHOOK_FIELDS = Fields(
    Webhook,
    Field(
        "name",
        LineField(
            label=_("Name"),
            max_length=100,
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        ),
        audit_label=_("name"),
    ),
    Field(
        "url",
        ReceiverField(
            label=_("Address"),
            max_length=MAX_URL,
            widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
            help_text=_("Events are posted to this https address as JSON."),
        ),
        audit_label=_("address"),
    ),
    Field(
        "events",
        EventsField(label=_("Events")),
        audit_label=_("events"),
        form_value=lambda webhook: EventList(webhook.event_names),
    ),
)

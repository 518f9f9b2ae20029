"""The fields of people (dashboard/web/fields.py)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import ROLE_LABELS
from dashboard.web.fields import Field, Fields
from dashboard.web.forms import LineField
from dashboard.web.time_zones import ZoneSelect, zone_choices

THEME_CHOICES = [("auto", _("Same as device")), ("light", _("Light")), ("dark", _("Dark"))]
# Without it a browser offers the name of the admin.
NO_AUTOFILL = forms.TextInput(attrs={"autocomplete": "off"})


def _name_field(widget: forms.TextInput) -> Field:
    return Field(
        "name", LineField(label=_("Name"), max_length=100, required=False, widget=widget), audit_label=_("name")
    )


def _zones() -> list[tuple[str, Any]]:
    return [("", _("Same as browser")), *zone_choices()]


# The fields that admins can change.
PERSON_FIELDS = Fields(
    Person,
    _name_field(NO_AUTOFILL),
    Field(
        "role",
        forms.ChoiceField(
            label=_("Role"),
            choices=list(ROLE_LABELS.items()),
            help_text=_(
                "Admins manage people and businesses. Moderators moderate the forum. "
                "Event staff manage rooms and the profanity filter. Business members see only their businesses."
            ),
        ),
        audit_label=_("role"),
        attribute="back_office_role",
    ),
)

# The fields that people can change in their own account.
PROFILE_FIELDS = Fields(
    Person,
    _name_field(forms.TextInput(attrs={"autocomplete": "name"})),
    Field(
        "language",
        forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES),
        audit_label=_("language"),
    ),
    Field(
        "timezone",
        forms.ChoiceField(label=_("Time zone"), choices=_zones, required=False, widget=ZoneSelect),
        audit_label=_("time zone"),
    ),
    Field("theme", forms.ChoiceField(label=_("Appearance"), choices=THEME_CHOICES), audit_label=_("appearance")),
)

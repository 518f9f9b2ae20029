"""The fields of businesses that people edit (dashboard/web/fields.py)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts.fields import NO_AUTOFILL
from dashboard.platform.accounts.forms import EmailField
from dashboard.platform.businesses.addresses import MAX_DOMAIN, MAX_SLUG
from dashboard.platform.businesses.items import PLAN_LABELS, STATUS_LABELS, Business
from dashboard.web.fields import EMPTY_CHOICE, Field, Fields, LenientChoiceField
from dashboard.web.forms import LineField
from dashboard.web.locale import zone_label
from dashboard.web.time_zones import ZoneSelect, zone_choices

# A supported language with an optional region: es-CL.
_LANGUAGE_TAG = f"({'|'.join(dict(settings.LANGUAGES))})(-[A-Za-z0-9]{{2,8}})?"
POSITIONS = [
    EMPTY_CHOICE,
    ("bottom-right", _("Bottom right")),
    ("bottom-left", _("Bottom left")),
    ("top-right", _("Top right")),
    ("top-left", _("Top left")),
]
# Attributes of fields that are not prose.
PLAIN_TEXT = {"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}


def _zones() -> list[tuple[str, Any]]:
    return [EMPTY_CHOICE, *zone_choices()]


# The fields that admins can change.
BUSINESS_FIELDS = Fields(
    Business,
    Field("name", LineField(label=_("Name"), max_length=100, widget=NO_AUTOFILL), audit_label=_("name")),
    Field(
        "slug",
        LineField(
            label=_("Web address name"),
            max_length=MAX_SLUG,
            widget=forms.TextInput(attrs=PLAIN_TEXT),
            help_text=_("The short name in web addresses. You can change it later."),
        ),
        audit_label=_("web address name"),
    ),
    Field(
        "status",
        LenientChoiceField(
            label=_("Status"),
            choices=list(STATUS_LABELS.items()),
            help_text=_("A suspended or cancelled business is read-only for its owners."),
        ),
        audit_label=_("status"),
    ),
    Field(
        "reason",
        LineField(
            label=_("Reason"),
            max_length=300,
            required=False,
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
            help_text=_("Shown to the owners on every page. Required for a suspended or cancelled business."),
        ),
        audit_label=_("reason"),
        attribute="status_reason",
        in_lists=False,
    ),
    Field("plan", LenientChoiceField(label=_("Plan"), choices=list(PLAN_LABELS.items())), audit_label=_("plan")),
    Field(
        "domain",
        LineField(
            label=_("Domain"),
            max_length=MAX_DOMAIN,
            required=False,
            widget=forms.TextInput(attrs=PLAIN_TEXT | {"placeholder": "shop.example.com"}),
        ),
        audit_label=_("domain"),
    ),
    Field(
        "billing_email",
        EmailField(label=_("Billing e-mail"), required=False, widget=forms.EmailInput(attrs=PLAIN_TEXT)),
        audit_label=_("billing e-mail"),
        in_lists=False,
    ),
    Field(
        "language",
        LenientChoiceField(
            label=_("Language"),
            choices=[EMPTY_CHOICE, *settings.LANGUAGES],
            required=False,
            also_accepts=_LANGUAGE_TAG,
        ),
        audit_label=_("language"),
        in_lists=False,
    ),
    Field(
        "timezone",
        LenientChoiceField(
            label=_("Time zone"),
            choices=_zones,
            stored_label=zone_label,
            required=False,
            widget=ZoneSelect,
            help_text=_("Used for people who have not chosen a time zone."),
        ),
        audit_label=_("time zone"),
        in_lists=False,
    ),
    Field(
        "color",
        LineField(
            label=_("Widget colour"),
            max_length=32,
            required=False,
            widget=forms.TextInput(attrs=PLAIN_TEXT | {"placeholder": "#1a2b3c", "data-color": ""}),
            help_text=_("A hex colour, such as #1a2b3c."),
        ),
        audit_label=_("widget colour"),
        in_lists=False,
    ),
    Field(
        "position",
        LenientChoiceField(label=_("Widget position"), choices=POSITIONS, required=False),
        audit_label=_("widget position"),
        in_lists=False,
    ),
)

# The fields that owners can change too. A new field is only for admins unless it is named here.
_OWNER_NAMES = {"name", "billing_email", "language", "timezone", "color", "position"}
OWNER_FIELDS = Fields(Business, *(field for field in BUSINESS_FIELDS if field.name in _OWNER_NAMES))

"""Forms of businesses."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.core.names import folded
from dashboard.platform.accounts.forms import NO_AUTOFILL, EmailField
from dashboard.platform.businesses.addresses import MAX_DOMAIN, MAX_SLUG, check_slug, suggest_slug, to_domain
from dashboard.platform.businesses.items import CLOSED, PLAN_LABELS, STATUS_LABELS, Business, Plan, Status
from dashboard.platform.businesses.services.business_writes import ATTRIBUTES, audit_values
from dashboard.web.fields import NOT_SET, StoredChoice
from dashboard.web.forms import Form, LineField, LongSelect, RevisionField
from dashboard.web.locale import ZONES, zone_label

LANGUAGES = [NOT_SET, ("es", "Español"), ("en", "English")]
POSITIONS = [
    NOT_SET,
    ("bottom-right", _("Bottom right")),
    ("bottom-left", _("Bottom left")),
    ("top-right", _("Top right")),
    ("top-left", _("Top left")),
]
# Attributes of fields that are not prose.
PLAIN_TEXT = {"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
_COLOR = re.compile("#[0-9a-fA-F]{6}")
# A supported language with an optional region: es-CL.
_LANGUAGE_TAG = re.compile("(es|en)(-[A-Za-z0-9]{2,8})?")


def _zones() -> list[tuple[str, Any]]:
    return [NOT_SET, *((zone, zone_label(zone)) for zone in sorted(ZONES))]


class SettingsForm(Form):
    """The fields that owners can change. A field that is not sent keeps its value, so Undo sends only changes."""

    name = LineField(label=_("Name"), max_length=100, widget=NO_AUTOFILL)
    billing_email = EmailField(label=_("Billing e-mail"), required=False, widget=forms.EmailInput(attrs=PLAIN_TEXT))
    language = StoredChoice(label=_("Language"), choices=LANGUAGES, required=False, also_accepts=_LANGUAGE_TAG.pattern)
    timezone = StoredChoice(
        label=_("Time zone"),
        choices=_zones,
        stored_label=zone_label,
        required=False,
        widget=LongSelect,
        help_text=_("Used for people who have not chosen a time zone."),
    )
    color = LineField(
        label=_("Widget colour"),
        max_length=32,
        required=False,
        widget=forms.TextInput(attrs=PLAIN_TEXT | {"placeholder": "#1a2b3c", "data-color": ""}),
        help_text=_("A hex colour, such as #1a2b3c."),
    )
    position = StoredChoice(label=_("Widget position"), choices=POSITIONS, required=False)
    revision = RevisionField()

    item_names = ATTRIBUTES

    def __init__(self, data: Any = None, *, business: Business | None = None, **options: Any) -> None:
        self.stored = {name: value or "" for name, value in audit_values(business).items()} if business else {}
        if data is not None:
            data = data.copy()
            for name in self.base_fields.keys() & self.stored.keys():
                data.setdefault(name, self.stored[name])
        elif business:
            options["initial"] = self.stored | {"revision": business.revision} | options.get("initial", {})
        super().__init__(data, **options)
        for name, field in self.fields.items():
            if isinstance(field, StoredChoice):
                field.add_stored_choice(self.stored.get(name))

    @property
    def values(self) -> dict[str, str]:
        """The values to save: all fields except the revision."""
        return {name: value for name, value in self.cleaned_data.items() if name != "revision"}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not folded(name):
            raise ValidationError(_("Enter at least one letter or digit."))
        return name

    def clean_color(self) -> str:
        color: str = self.cleaned_data["color"]
        if not color or color == self.stored.get("color") or _COLOR.fullmatch(color):
            return color
        raise ValidationError(_("Enter a hex colour, such as #1a2b3c."))


class BusinessForm(SettingsForm):
    """The fields that admins can change."""

    slug = LineField(
        label=_("Web address name"),
        max_length=MAX_SLUG,
        widget=forms.TextInput(attrs=PLAIN_TEXT),
        help_text=_("The short name in web addresses. You can change it later."),
    )
    status = StoredChoice(
        label=_("Status"),
        choices=list(STATUS_LABELS.items()),
        help_text=_("A suspended or cancelled business is read-only for its owners."),
    )
    reason = LineField(
        label=_("Reason"),
        max_length=300,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("Shown to the owners on every page. Required for a suspended or cancelled business."),
    )
    plan = StoredChoice(label=_("Plan"), choices=list(PLAN_LABELS.items()))
    domain = LineField(
        label=_("Domain"),
        max_length=MAX_DOMAIN,
        required=False,
        widget=forms.TextInput(attrs=PLAIN_TEXT | {"placeholder": "shop.example.com"}),
    )
    field_order = ["name", "slug", "status", "reason", "plan", "domain", "billing_email"]

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug == self.stored.get("slug"):
            return slug
        check_slug(slug.lower())
        return slug.lower()

    def clean_domain(self) -> str:
        domain: str = self.cleaned_data["domain"]
        return domain if not domain or domain == self.stored.get("domain") else to_domain(domain)

    def clean(self) -> None:
        given = self.cleaned_data
        if given.get("status") in CLOSED and given.get("reason") == "":
            self.add_error("reason", _("Enter a reason. It is shown to the owners."))


class NewBusinessForm(BusinessForm):
    """The form of a new business. An empty slug is derived from the name."""

    revision = None  # type: ignore[assignment]
    slug = LineField(
        label=_("Web address name"),
        max_length=MAX_SLUG,
        required=False,
        widget=forms.TextInput(attrs=PLAIN_TEXT),
        help_text=_(
            "The short name in web addresses. Leave empty to derive it from the name. It is also the permanent id."
        ),
    )

    def __init__(self, data: Any = None, **options: Any) -> None:
        options.setdefault("initial", {"status": Status.ACTIVE, "plan": Plan.FREE})
        super().__init__(data, **options)

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"].lower() or suggest_slug(self.cleaned_data.get("name", ""))
        check_slug(slug)
        return slug


class MemberForm(Form):
    email = EmailField(
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        help_text=_("Someone who has an account or an invitation."),
    )

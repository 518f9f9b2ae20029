"""Forms of businesses."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.core.names import folded
from dashboard.platform.accounts.forms import EmailField
from dashboard.platform.accounts.permissions import BUSINESS_ROLE_HINTS, BUSINESS_ROLE_LABELS, BusinessRole
from dashboard.platform.businesses.addresses import MAX_SLUG, check_slug, suggest_slug, to_domain
from dashboard.platform.businesses.fields import BUSINESS_FIELDS, OWNER_FIELDS, PLAIN_TEXT
from dashboard.platform.businesses.items import CLOSED, BusinessStatus, Plan
from dashboard.web.fields import ItemForm
from dashboard.web.forms import Form, LineField, RevisionForm

_COLOR = re.compile("#[0-9a-fA-F]{6}")


class SettingsForm(ItemForm):
    """The fields that owners can change."""

    item_fields = OWNER_FIELDS

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

    item_fields = BUSINESS_FIELDS
    # Otherwise the fields of SettingsForm would come first.
    field_order = BUSINESS_FIELDS.names

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
        options.setdefault("initial", {"status": BusinessStatus.ACTIVE, "plan": Plan.FREE})
        super().__init__(data, **options)

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"].lower() or suggest_slug(self.cleaned_data.get("name", ""))
        check_slug(slug)
        return slug


def business_role_choices() -> list[tuple[str, str]]:
    """Each role with what it may do."""
    return [(str(role), f"{BUSINESS_ROLE_LABELS[role]}: {BUSINESS_ROLE_HINTS[role]}") for role in BusinessRole]


class MemberRoleForm(RevisionForm):
    """The role of a member."""

    role = forms.ChoiceField(label=_("Role"), choices=business_role_choices)


class MemberForm(Form):
    """A member whom an admin adds."""

    email = EmailField(
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        help_text=_("Someone who has an account or an invitation."),
    )
    # Pages that were opened before roles existed send none.
    role = forms.ChoiceField(label=_("Role"), choices=business_role_choices, required=False)

    def clean_role(self) -> BusinessRole:
        return BusinessRole(self.cleaned_data["role"] or BusinessRole.OWNER)


class InvitationForm(Form):
    """A person whom an owner invites to their business."""

    email = EmailField(widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    name = LineField(label=_("Name"), max_length=100, required=False, widget=forms.TextInput(attrs=PLAIN_TEXT))
    role = forms.ChoiceField(label=_("Role"), choices=business_role_choices, initial=BusinessRole.RECEPTIONIST)

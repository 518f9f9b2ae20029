"""Forms of adoption."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.core.names import folded
from dashboard.platform.accounts.forms import EmailField
from dashboard.platform.adoption.kinds import MAX_NAME
from dashboard.platform.businesses.addresses import MAX_SLUG, check_slug
from dashboard.platform.businesses.fields import PLAIN_TEXT
from dashboard.web.forms import Form, LineField, RevisionForm


class AdoptForm(Form):
    """The name and the web address name of the new business. The button of the list sends neither."""

    name = LineField(
        label=_("Name"), max_length=MAX_NAME, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    slug = LineField(
        label=_("Web address name"),
        max_length=MAX_SLUG,
        required=False,
        widget=forms.TextInput(attrs=PLAIN_TEXT),
        help_text=_("The short name in web addresses. Leave empty to derive a free one. The id stays as it is."),
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name and not folded(name):
            raise ValidationError(_("Enter at least one letter or digit."))
        return name

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"].lower()
        if slug:
            check_slug(slug)
        return slug


class OwnerForm(RevisionForm):
    """The person who is this owner."""

    email = EmailField(
        label=_("Person"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        help_text=_("The e-mail address of someone who has an account or an invitation."),
    )

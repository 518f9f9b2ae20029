"""The forms of addresses."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from content.addresses import MAX_SLUG
from dashboard.web.forms import Form, LineField

_PLAIN = {"autocomplete": "off", "spellcheck": "false"}


class SlugForm(Form):
    """A button that acts on one address."""

    slug = LineField(max_length=1000)


class RedirectForm(Form):
    """An address, and the page to which it leads."""

    slug = LineField(
        label=_("Address"),
        max_length=MAX_SLUG,
        widget=forms.TextInput(attrs=_PLAIN),
        help_text=_("The address that visitors have, such as /summer."),
    )
    target = LineField(
        label=_("Leads to"),
        max_length=MAX_SLUG,
        widget=forms.TextInput(attrs=_PLAIN),
        help_text=_("The address of a page of this site. The redirect stays with the page when it is renamed."),
    )


class ChangeRedirectForm(RedirectForm):
    """Another page for an existing redirect, which may have any address."""

    slug = LineField(max_length=1000, widget=forms.HiddenInput)

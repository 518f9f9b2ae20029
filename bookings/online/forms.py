"""The forms that visitors send."""

from __future__ import annotations

import hashlib
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bookings.forms.customers import CustomerForm
from bookings.online.links import FormToken, new_form_token, read_form_token
from bookings.online.visits import Visit
from bookings.services.bookings import MAX_NOTE_LENGTH
from dashboard.platform.accounts import emails
from dashboard.table.commands import Command
from dashboard.web.forms import Form, LineField, RevisionField
from dashboard.web.locale import language_of

MAX_TOKEN = 500


class VisitorForm(Form):
    """A form with a signed token. It is sent once, by a person, within some hours."""

    token = forms.CharField(max_length=MAX_TOKEN, required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, visit: Visit, initial: dict[str, Any] | None = None) -> None:
        self.visit = visit
        self.opened: FormToken | None = None
        super().__init__(data, initial={"token": new_form_token(visit.business.id)} | (initial or {}))

    def clean_token(self) -> str:
        token: str = self.cleaned_data["token"]
        self.opened = read_form_token(self.visit.business.id, token)
        if self.opened is None or self.opened.is_too_old:
            self._renew_token()
            raise ValidationError(_("This page was open for too long. Check your details and send them again."))
        return token

    def _renew_token(self, **values: str) -> None:
        """Show the form again with a token that will be accepted. `values` replace what was sent."""
        sent = {name: self.data[name] for name in self.data}
        self.data = sent | {"token": new_form_token(self.visit.business.id)} | values

    def command(self, path: str) -> Command:
        """The same form sent again is the same command. With other input it is another one."""
        assert self.opened is not None
        content = repr(sorted((name, str(value)) for name, value in self.cleaned_data.items() if name != "token"))
        digest = hashlib.sha256(f"{path} {content}".encode()).hexdigest()
        return Command(self.opened.command_id, self.visit.actor).part(digest)


class ContactForm(VisitorForm):
    """Who books."""

    name = LineField(label=gettext_lazy("Name"), max_length=100, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    email = LineField(
        label=gettext_lazy("E-mail"),
        max_length=emails.MAX_LENGTH,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=gettext_lazy("We send the confirmation to this address."),
    )
    phone = LineField(
        label=gettext_lazy("Phone"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "tel", "type": "tel", "inputmode": "tel"}),
    )
    note = forms.CharField(
        label=gettext_lazy("Note"), max_length=MAX_NOTE_LENGTH, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
    # A field that people do not see. Programs fill it.
    website = forms.CharField(
        label=gettext_lazy("Leave this empty"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if "email" in given:
            self._check_contact(given)
        if given.get("website") or (self.opened is not None and self.opened.is_too_fast):
            # Also a browser that fills in forms may have filled the field. People cannot empty it.
            self._renew_token(website="")
            if not self.errors:
                self.add_error(None, _("Your booking was not sent. Check your details and send them again."))
        return given

    def _check_contact(self, given: dict[str, Any]) -> None:
        """By the rules of the back office."""
        contact = CustomerForm({name: given.get(name, "") for name in ("name", "email", "phone")})
        for name, errors in contact.errors.items():
            if name in self.fields and name not in self.errors:
                self.add_error(name, list(map(str, errors)))

    @property
    def customer_values(self) -> dict[str, str]:
        """The values of a new customer, whose mail is in the language of the page."""
        values = {name: str(self.cleaned_data[name]) for name in ("name", "phone")}
        language = language_of(translation.get_language()) or ""
        return values | {"email": emails.normalise(self.cleaned_data["email"]), "language": language}


class VisitorChangeForm(VisitorForm):
    """A button that changes the visitor's own booking."""

    revision = RevisionField()


class VisitorCancelForm(VisitorChangeForm):
    reason = LineField(label=gettext_lazy("Reason"), max_length=200, required=False)


class VisitorMoveForm(VisitorChangeForm):
    start = forms.CharField(max_length=40, widget=forms.HiddenInput)

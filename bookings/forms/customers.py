"""What is said of someone who books."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from bookings.forms.partial_update import PartialUpdateForm
from bookings.items import Customer
from dashboard.platform.accounts import emails
from dashboard.web.forms import LineField, RevisionField

_PHONE = re.compile(r"\+?[0-9 ()./-]{3,38}")


class CustomerForm(PartialUpdateForm):
    name = LineField(label=_("Name"), max_length=100, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    email = LineField(
        label=_("E-mail"),
        max_length=emails.MAX_LENGTH,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    phone = LineField(
        label=_("Phone"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "type": "tel", "inputmode": "tel"}),
    )
    revision = RevisionField()

    def __init__(self, data: Any = None, *, customer: Customer | None = None, **options: Any) -> None:
        if customer is not None:
            options |= {"stored": fields_of(customer), "revision": customer.revision}
        super().__init__(data, **options)

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if not email or self.unchanged("email"):
            return email
        address = emails.normalise(email)
        emails.check(address)
        return address

    def clean_phone(self) -> str:
        phone: str = self.cleaned_data["phone"]
        if phone and not self.unchanged("phone") and not _PHONE.fullmatch(phone):
            raise ValidationError(_("A phone number has digits and spaces, such as +56 9 1234 5678."))
        return phone


class NewCustomerForm(CustomerForm):
    revision = None  # type: ignore[assignment]


def fields_of(customer: Customer) -> dict[str, Any]:
    return {"name": customer.name, "email": customer.email, "phone": customer.phone}

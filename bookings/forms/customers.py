"""The form of a customer."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from bookings.fields import CUSTOMER_FIELDS
from dashboard.platform.accounts import emails
from dashboard.web.fields import ItemForm

_PHONE = re.compile(r"\+?[0-9 ()./-]{3,38}")


class CustomerForm(ItemForm):
    item_fields = CUSTOMER_FIELDS

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if not email or self.is_unchanged("email"):
            return email
        address = emails.normalise(email)
        emails.check(address)
        return address

    def clean_phone(self) -> str:
        phone: str = self.cleaned_data["phone"]
        if phone and not self.is_unchanged("phone") and not _PHONE.fullmatch(phone):
            raise ValidationError(_("Enter a phone number with digits and spaces, such as +56 9 1234 5678."))
        return phone

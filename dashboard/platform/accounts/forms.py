"""Forms of accounts and people."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts import codes, emails, recovery_codes
from dashboard.platform.accounts.fields import PERSON_FIELDS, PROFILE_FIELDS, THEME_CHOICES
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import ROLE_LABELS, Role
from dashboard.web.fields import ItemForm
from dashboard.web.forms import Form, RevisionField, SheetInput
from dashboard.web.locale import ZONES
from dashboard.web.sheets import MAX_BYTES

MAX_PASSWORD = 128
# Shorter parts of a name may be part of a password.
MIN_NAME_PART = 4


class EmailField(forms.CharField):
    """An e-mail address in lower case that can be a key."""

    widget = forms.EmailInput

    def __init__(self, **options: Any) -> None:
        options.setdefault("label", _("E-mail"))
        super().__init__(max_length=emails.MAX_LENGTH, validators=[emails.check], **options)

    def to_python(self, value: Any) -> str:
        return emails.normalise(super().to_python(value) or "")


def password_field(label: Any, autocomplete: str, **options: Any) -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(label=label, max_length=MAX_PASSWORD, strip=False, widget=widget, **options)


class SignInForm(Form):
    email = forms.CharField(
        label=_("E-mail"),
        max_length=emails.MAX_LENGTH,
        widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    password = password_field(_("Password"), "current-password")

    def clean_email(self) -> str:
        return emails.normalise(self.cleaned_data["email"])


class CodeForm(Form):
    """The six digits of the app, or a recovery code; spaces are accepted."""

    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={
                "class": "one-time-code",
                "autocomplete": "one-time-code",
                "inputmode": "numeric",
                "spellcheck": "false",
                "autofocus": True,
            }
        ),
    )

    def clean_code(self) -> str:
        code = codes.strip_separators(self.cleaned_data["code"])
        if not codes.is_code(code) and not recovery_codes.is_recovery_code(code):
            raise ValidationError(_("Enter the 6 digits from the app, or a recovery code with 12 digits."))
        return code


class SetUpForm(CodeForm):
    """The first code of an app, and the password."""

    current = password_field(_("Your password"), "current-password")

    def clean_code(self) -> str:
        code = codes.strip_separators(self.cleaned_data["code"])
        if not codes.is_code(code):
            raise ValidationError(_("Enter the 6 digits from the app."))
        return code


class ConfirmForm(Form):
    """The password, before a sensitive change."""

    current = password_field(_("Your password"), "current-password")


class SecurityForm(Form):
    """A checkbox for each role."""

    admin = forms.BooleanField(label=_("Admins"), required=False)
    moderator = forms.BooleanField(label=_("Moderators"), required=False)
    staff = forms.BooleanField(label=_("Event staff"), required=False)
    owner = forms.BooleanField(label=_("Business members"), required=False)
    revision = RevisionField()

    item_names = {str(role): f"needs_{role}" for role in Role}

    @property
    def roles(self) -> list[Role]:
        return [role for role in Role if self.cleaned_data.get(role)]


class _CompleteForm(ItemForm):
    """A form that is always sent as a whole, also by Undo: a missing field counts as empty."""

    def is_sent(self, data: Any, name: str) -> bool:
        return True


class PersonForm(_CompleteForm):
    item_fields = PERSON_FIELDS

    def clean_role(self) -> Role:
        return Role(self.cleaned_data["role"])


class InviteForm(PersonForm):
    email = EmailField(widget=forms.EmailInput(attrs={"autocomplete": "off", "autofocus": True}))
    field_order = ["email"]


class PeopleImportForm(Form):
    file = forms.FileField(
        label=_("CSV file"),
        required=False,
        max_length=255,
        help_text=_("From Excel or another spreadsheet. Up to 2,000 lines and 512 KB."),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,text/csv,text/plain"}),
    )
    text = forms.CharField(
        label=_("Or paste the lines"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        help_text=_("The first line names the columns: email, name, role. In Spanish: correo, nombre, rol."),
        widget=SheetInput(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )
    role = forms.ChoiceField(
        label=_("Default role"),
        required=False,
        choices=[("", _("None: skip lines without a role")), *ROLE_LABELS.items()],
    )

    def clean_role(self) -> Role | None:
        return Role(self.cleaned_data["role"]) if self.cleaned_data["role"] else None

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        file, text = given.get("file"), (given.get("text") or "").strip()
        if not self.errors and bool(file) == bool(text):
            raise ValidationError(_("Choose a file or paste the lines, not both."))
        return given


def _personal_parts(person: Person) -> set[str]:
    """The address, the name and its longer words. A short one such as "Li" is part of too many good passwords."""
    name = (person.name or "").casefold()
    return {person.email.casefold()} | {part for part in (name, *name.split()) if len(part) >= MIN_NAME_PART}


class NewPasswordForm(Form):
    password = password_field(
        _("New password"),
        "new-password",
        help_text=_("At least 12 characters. No common password, and not only digits."),
    )

    def __init__(self, *args: Any, person: Person | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.person = person

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password)
        if self.person and any(part in password.casefold() for part in _personal_parts(self.person)):
            raise ValidationError(_("The password must not contain your name or e-mail address."))
        return password


class ChangePasswordForm(NewPasswordForm):
    current = password_field(_("Current password"), "current-password")
    field_order = ["current", "password"]


class ProfileForm(_CompleteForm):
    item_fields = PROFILE_FIELDS


class ZoneForm(Form):
    timezone = forms.CharField(max_length=64)

    def clean_timezone(self) -> str:
        zone: str = self.cleaned_data["timezone"]
        if zone not in ZONES:
            raise ValidationError(_("Unknown time zone."))
        return zone


class LanguageForm(Form):
    language = forms.ChoiceField(choices=settings.LANGUAGES)


class ThemeChoiceForm(Form):
    theme = forms.ChoiceField(choices=THEME_CHOICES)

"""The form of a version: a field for each token, under its name on the table, and the files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from branding.diff import file_name
from branding.forms.assets import ACCEPTED
from branding.items import ROLE_LABELS, AssetLink, AssetRole, Theme
from branding.paths import asset_url, file_url
from branding.samples import PART_OF_FIELD
from branding.services import drafts
from branding.tokens import BY_NAME, COLORS, TOKENS, Style, Token
from dashboard.platform.businesses.fields import PLAIN_TEXT
from dashboard.web.forms import OPENED_PREFIX, Form, LineField, RevisionField

MAX_NAME = 60
TEMPLATE = "branding/token.html"
ROLE_HINTS = {
    AssetRole.LOGO: gettext_lazy("In the header of every page"),
    AssetRole.BANNER: gettext_lazy("The large picture on the home page"),
    AssetRole.ICON: gettext_lazy("In browser tabs and next to posts of your team"),
}


class ColorField(LineField):
    """A colour. An unknown value of an outside writer may stay; an empty one means the default."""

    def __init__(self, token: Any, stored: str) -> None:
        self.token: Token
        self.token, self.stored = token, stored
        attrs = PLAIN_TEXT | {"placeholder": token.default, "data-color": "", "data-token": "", "size": "9"}
        attrs["data-part"] = PART_OF_FIELD[token.name]
        super().__init__(
            label=token.label,
            help_text=token.hint,
            max_length=80,
            required=False,
            widget=forms.TextInput(attrs=attrs),
        )
        self.template_name = TEMPLATE

    def clean(self, value: Any) -> str:
        if value == self.stored:
            return self.stored
        typed: str = super().clean(value)
        if not typed:
            return typed
        found = self.token.clean(typed)
        if found is None:
            raise ValidationError(_("Enter a colour as # and six digits or letters from a to f, for example #1a2b3c."))
        return found


class TokenField(forms.ChoiceField):
    """A value of the list, or the unknown one that an outside writer stored."""

    def __init__(self, token: Any, stored: str) -> None:
        options = [(option.value, option.label) for option in token.options or ()]
        if stored and token.clean(stored) is None:
            label = _("%(value)s (unknown, shown as %(shown)s)")
            options.insert(0, (stored, label % {"value": stored, "shown": token.display(token.default)}))
        super().__init__(
            label=token.label,
            help_text=token.hint,
            choices=options,
            required=False,
            widget=forms.Select(attrs={"data-token": "", "data-part": PART_OF_FIELD[token.name]}),
        )
        self.template_name = TEMPLATE


class FileField(forms.ChoiceField):
    """One of the business's files, or none."""

    default_error_messages = {"invalid_choice": gettext_lazy("This file no longer exists. Choose another.")}


@dataclass(frozen=True)
class FileChoice:
    """A file to choose."""

    id: str
    name: str
    # Uploaded for another role, for example an icon among the logos.
    is_for_other_role: bool
    # In our storage, so that its thumbnail can be shown.
    is_stored_here: bool

    @property
    def thumbnail(self) -> str:
        return f"{file_url(self.id)}?size=thumb"


@dataclass(frozen=True)
class FilePicker:
    """The field of one role: the chosen id, the files of this role, and the other files."""

    field: forms.BoundField
    chosen: str
    choices: list[FileChoice]
    other_choices: list[FileChoice]
    # The page of the chosen file, if an outside writer stores it.
    outside_url: str = ""

    accepted = ACCEPTED

    @property
    def part(self) -> str:
        """The part of the sample screen that shows the file."""
        return PART_OF_FIELD[self.field.name]

    @property
    def is_other_chosen(self) -> bool:
        return self.chosen in {each.id for each in self.other_choices}


class ThemeForm(Form):
    """A complete version. A field that is not sent stays unchanged."""

    name = LineField(
        label=gettext_lazy("Name"),
        max_length=MAX_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": gettext_lazy("Christmas, new logo …")}),
    )
    revision = RevisionField()

    def __init__(self, data: Any = None, *, theme: Theme, files: Iterable[AssetLink], **options: Any) -> None:
        self.theme, self.links = theme, {link.id: link for link in files}
        self.stored, self.displayed = drafts.form_values(theme), displayed_values(theme)
        if data is None:
            options["initial"] = self.displayed | {"revision": theme.revision} | options.get("initial", {})
        else:
            data = data.copy()
            for name, value in self.displayed.items():
                data.setdefault(name, value)
        super().__init__(data, **options)
        for token in TOKENS:
            field_class = ColorField if token.is_color else TokenField
            self.fields[token.name] = field_class(token, self.stored[token.name])
        for role, hint in ROLE_HINTS.items():
            choices = [("", _("None")), *((each.id, each.name) for each in self._file_choices(role))]
            self.fields[role.value] = FileField(
                label=ROLE_LABELS[role], help_text=hint, choices=choices, required=False, widget=forms.RadioSelect
            )

    def _file_choices(self, role: AssetRole) -> list[FileChoice]:
        """Files of this role first. The current file may stay, even if the business does not have it."""
        found = [
            FileChoice(link.id, link.title, link.asset_type != role, link.file_name is not None)
            for link in self.links.values()
        ]
        current = self.displayed[role]
        if current and current not in self.links:
            name = file_name(self.theme, current, {})
            found.append(FileChoice(current, name, is_for_other_role=False, is_stored_here=False))
        return sorted(found, key=lambda each: (each.is_for_other_role, each.name.casefold()))

    @property
    def colors(self) -> list[forms.BoundField]:
        return [self[token.name] for token in COLORS]

    @property
    def shapes(self) -> list[forms.BoundField]:
        return [self[token.name] for token in TOKENS if not token.is_color]

    @property
    def pickers(self) -> list[FilePicker]:
        return [self._picker(role) for role in ROLE_HINTS]

    def _picker(self, role: AssetRole) -> FilePicker:
        field, choices = self[role.value], self._file_choices(role)
        own = [each for each in choices if not each.is_for_other_role]
        others = [each for each in choices if each.is_for_other_role]
        chosen = str(field.value() or "")
        is_outside = any(each.id == chosen and not each.is_stored_here for each in choices)
        outside_url = asset_url(self.theme.business, chosen) if is_outside else ""
        return FilePicker(field, chosen, own, others, outside_url)

    @property
    def contrast_names(self) -> str:
        """The fields that the contrast check needs."""
        return ",".join([*(token.name for token in COLORS), AssetRole.LOGO])

    @property
    def logo(self) -> AssetLink | None:
        """The chosen logo, if the business has it."""
        return self.links.get(str(self[AssetRole.LOGO].value() or ""))

    @property
    def style(self) -> Style:
        """The style with the unsaved values; invalid ones are ignored."""
        return self.theme.style.with_values({token.name: self[token.name].value() for token in TOKENS})

    @property
    def unsaved(self) -> dict[str, str]:
        """Tokens and files as they are in the fields, for the URL of a preview."""
        return {bound.name: str(bound.value() or "") for bound in self if bound.name not in {"name", "revision"}}

    @property
    def is_outdated(self) -> bool:
        """Whether an outside writer, which changes no revision, has changed a value since the form was opened."""
        opened = {name: self.data.get(f"{OPENED_PREFIX}{name}") for name in self.displayed}
        return any(
            value is not None and value.splitlines() != self.displayed[name].splitlines()
            for name, value in opened.items()
        )

    @property
    def values(self) -> dict[str, str]:
        """The tokens to save, without defaults that nobody has chosen."""
        cleaned = {token: self.cleaned_data[token.name] for token in TOKENS}
        return {t.name: value for t, value in cleaned.items() if self.stored[t.name] or value not in {"", t.default}}

    @property
    def chosen_files(self) -> dict[str, str]:
        return {role.value: self.cleaned_data[role.value] for role in AssetRole if self.cleaned_data[role.value]}

    def color_of(self, name: str, value: Any) -> str | None:
        token = BY_NAME.get(name)
        return token.clean(value) if token is not None and token.is_color else None

    def value_in(self, item: Any, name: str) -> Any:
        """The saved value of a field, for the conflict page."""
        return displayed_values(item).get(name) if isinstance(item, Theme) else None


def displayed_values(theme: Theme) -> dict[str, str]:
    """The values that the fields show: the stored ones, or the defaults."""
    style, stored = theme.style, drafts.form_values(theme)
    return {name: value or (style.values.get(name, "")) for name, value in stored.items()}

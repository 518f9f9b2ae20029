"""The form of a version: a field for each token, under its name on the table, and the files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from branding.diff import file_name
from branding.draft_merge import DraftMerge, merge_form
from branding.forms.theme_fields import ColorField, FileChoice, FileField, FilePicker, TokenField
from branding.items import ROLE_LABELS, AssetLink, AssetRole, Theme
from branding.paths import asset_url
from branding.services import drafts
from branding.tokens import BY_NAME, COLORS, TOKENS, Style
from dashboard.web.forms import OPENED_PREFIX, Form, LineField, RevisionField

MAX_NAME = 60
ROLE_HINTS = {
    AssetRole.LOGO: gettext_lazy("In the header of every page"),
    AssetRole.BANNER: gettext_lazy("The large picture on the home page"),
    AssetRole.ICON: gettext_lazy("In browser tabs and next to posts of your team"),
}


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
    def merged(self) -> DraftMerge | None:
        """The form merged with what others have saved since it was opened; None if both changed the same field.

        Also None if nobody has saved, and if the draft was published or discarded: that is for the person to decide.
        """
        revision = self.data.get("revision", "")
        if revision == str(self.theme.revision) or not self.theme.is_draft:
            return None
        opened = {name: self.data.get(f"{OPENED_PREFIX}{name}") for name in self.displayed}
        known = {name: value for name, value in opened.items() if value is not None}
        if len(known) < len(opened):
            return None
        return merge_form(known, {name: self.data[name] for name in known}, self.displayed)

    def merged_data(self, merged: DraftMerge) -> Any:
        """The data of a form that was opened now, with the same changes."""
        data: Any = self.data
        data = data.copy()
        for name, value in merged.values.items():
            data[name], data[f"{OPENED_PREFIX}{name}"] = value, self.displayed[name]
        data["revision"] = str(self.theme.revision)
        return data

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

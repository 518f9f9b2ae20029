"""What people set of a look: a field for every token, under its name on the wire, and the files it shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from branding.items import AssetLink, Role, Theme
from branding.paths import file_url
from branding.services import drafts
from branding.tokens import COLORS, TOKENS, Look, Token
from dashboard.platform.businesses.forms import PLAIN_TEXT
from dashboard.web.forms import Form, LineField, RevisionField

MAX_NAME = 60
TEMPLATE = "branding/token.html"
ROLES = {
    Role.LOGO: (gettext_lazy("Logo"), gettext_lazy("In the header of every page")),
    Role.BANNER: (gettext_lazy("Banner"), gettext_lazy("The large picture on the home page")),
    Role.ICON: (gettext_lazy("Icon"), gettext_lazy("In browser tabs, and beside the shop's own posts")),
}


class ColorField(LineField):
    """A colour as it is typed. One that another service wrote otherwise may stay; none is the standard one."""

    def __init__(self, token: Any, stored: str) -> None:
        self.token: Token
        self.token, self.stored = token, stored
        attrs = PLAIN_TEXT | {"placeholder": token.default, "data-color": "", "data-token": "", "size": "9"}
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
            raise ValidationError(_("A colour is a # and six digits or letters from a to f, like #1a2b3c."))
        return found


class TokenField(forms.ChoiceField):
    """A value of an allow-list, or the one that another service wrote there."""

    def __init__(self, token: Any, stored: str) -> None:
        options = [(option.value, option.label) for option in token.options or ()]
        if stored and token.clean(stored) is None:
            words = _("%(value)s (not one of ours: shown as %(shown)s)")
            options.insert(0, (stored, words % {"value": stored, "shown": token.shown(token.default)}))
        super().__init__(
            label=token.label,
            help_text=token.hint,
            choices=options,
            required=False,
            widget=forms.Select(attrs={"data-token": ""}),
        )
        self.template_name = TEMPLATE


class FileField(forms.ChoiceField):
    """One of the business's own files, or none."""

    default_error_messages = {
        "invalid_choice": gettext_lazy("This file is not there any more, or not one of yours. Choose another."),
    }


@dataclass(frozen=True)
class Picture:
    """A file to choose."""

    id: str
    name: str
    # Meant for something else: an icon among the logos.
    other: bool
    # In our storage, so that it can be shown.
    here: bool

    @property
    def thumb(self) -> str:
        return f"{file_url(self.id)}?size=thumb"


class ThemeForm(Form):
    """A whole version. A field that is not sent stays as it is."""

    name = LineField(
        label=gettext_lazy("Name"),
        max_length=MAX_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": gettext_lazy("Christmas, new logo …")}),
    )
    revision = RevisionField()

    def __init__(self, data: Any = None, *, theme: Theme, files: Iterable[AssetLink], **options: Any) -> None:
        self.theme, self.links = theme, {link.id: link for link in files}
        self.stored, self.opened = drafts.fields(theme), standing_in(theme)
        if data is None:
            options["initial"] = self.opened | {"revision": theme.revision} | options.get("initial", {})
        else:
            data = data.copy()
            for name, value in self.opened.items():
                data.setdefault(name, value)
        super().__init__(data, **options)
        for token in TOKENS:
            kind = ColorField if token.is_color else TokenField
            self.fields[token.name] = kind(token, self.stored[token.name])
        for role, (label, hint) in ROLES.items():
            choices = [("", _("None")), *((each.id, each.name) for each in self.pictures(role))]
            self.fields[role.value] = FileField(
                label=label, help_text=hint, choices=choices, required=False, widget=forms.RadioSelect
            )

    def pictures(self, role: Role) -> list[Picture]:
        """The files to choose from: those made for this first. One that it shows already may stay, whatever it is."""
        found = [Picture(link.id, link.title, link.asset_type != role, link.file_name is not None) for link in self.all]
        chosen = self.opened[role]
        if chosen and chosen not in self.links:
            found.append(Picture(chosen, chosen, other=False, here=False))
        return sorted(found, key=lambda each: (each.other, each.name.casefold()))

    @property
    def all(self) -> list[AssetLink]:
        return list(self.links.values())

    @property
    def colors(self) -> list[forms.BoundField]:
        return [self[token.name] for token in COLORS]

    @property
    def shapes(self) -> list[forms.BoundField]:
        return [self[token.name] for token in TOKENS if not token.is_color]

    @property
    def pickers(self) -> list[tuple[forms.BoundField, str, list[Picture], list[Picture], bool]]:
        """Each file's field, what is chosen, what was made for it, what else there is, and whether that is chosen."""
        found = []
        for role in ROLES:
            chosen, pictures = str(self[role.value].value() or ""), self.pictures(role)
            others = [each for each in pictures if each.other]
            own = [each for each in pictures if not each.other]
            found.append((self[role.value], chosen, own, others, chosen in {each.id for each in others}))
        return found

    @property
    def color_names(self) -> str:
        return ",".join(token.name for token in COLORS)

    @property
    def look(self) -> Look:
        """What it looks like with what is typed, as far as that is anything."""
        return self.theme.look.with_values({token.name: self[token.name].value() for token in TOKENS})

    @property
    def typed(self) -> dict[str, str]:
        """Tokens and files as they stand in the fields, for the address of a preview."""
        return {bound.name: str(bound.value() or "") for bound in self if bound.name not in {"name", "revision"}}

    @property
    def values(self) -> dict[str, str]:
        """The tokens to save. A default that nobody chose, shown because there was nothing, stays unsaid."""
        cleaned = {token: self.cleaned_data[token.name] for token in TOKENS}
        return {t.name: value for t, value in cleaned.items() if self.stored[t.name] or value not in {"", t.default}}

    @property
    def files_chosen(self) -> dict[str, str]:
        return {role.value: self.cleaned_data[role.value] for role in ROLES if self.cleaned_data[role.value]}

    def value_in(self, item: Any, name: str) -> Any:
        """What a version holds in one of these fields: the conflict page shows it beside what was typed."""
        return standing_in(item).get(name) if isinstance(item, Theme) else None


def standing_in(theme: Theme) -> dict[str, str]:
    """What the fields show of a version: what is stored, and the default where nothing is."""
    look, stored = theme.look, drafts.fields(theme)
    return {name: value or (look.values.get(name, "")) for name, value in stored.items()}

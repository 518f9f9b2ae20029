"""The forms of pages."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from content.addresses import MAX_SLUG, normalized, slug_of_title
from content.fields import MAX_TITLE, PAGE_FIELDS
from content.page_templates import PAGE_TEMPLATES
from content.statuses import TEMPLATE_LABELS, PageStatus
from dashboard.web.fields import ItemForm
from dashboard.web.forms import Form, LineField, RevisionField, RevisionForm
from dashboard.web.local_times import MomentForm

# The size of the blocks as text. An item has 400 KB at most, which the table checks.
MAX_BLOCKS = 600_000
MAX_NOTE = 200
# How long a link to a page that is not published is valid.
LIFETIME_DAYS = (1, 7, 30)


class BlocksField(forms.CharField):
    """The blocks of a page as JSON. Numbers keep every digit."""

    def __init__(self) -> None:
        super().__init__(max_length=MAX_BLOCKS, required=False, strip=False, widget=forms.HiddenInput)

    def clean(self, value: Any) -> list[Any] | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            read = json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            read = None
        if not isinstance(read, list) or not all(isinstance(each, dict) for each in read):
            raise ValidationError(_("The blocks cannot be read. Reload the page and try again."))
        return read


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


class PageForm(ItemForm):
    """The settings of a page, and its blocks where they are sent too."""

    item_fields = PAGE_FIELDS
    note = LineField(
        label=_("Note on this version"),
        max_length=MAX_NOTE,
        required=False,
        help_text=_("What changed and why, for your team."),
    )
    blocks = BlocksField()
    field_order = (*PAGE_FIELDS.names, "note")

    def clean_tags(self) -> list[str]:
        return list(dict.fromkeys(tag for each in self.cleaned_data["tags"].split(",") if (tag := each.strip())))

    def clean_seo_description(self) -> str:
        """Browsers send other line ends than those that are stored."""
        text: str = self.cleaned_data["seo_description"]
        return text.replace("\r\n", "\n")

    def clean_featured_image(self) -> str:
        address: str = self.cleaned_data["featured_image"]
        if address and not self.is_unchanged("featured_image") and not address.startswith(("https://", "/")):
            raise ValidationError(_("Enter an address that begins with https:// or /."))
        return address

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name in ("hide_nav", "hide_footer", "hide_sharing"):
            if name in cleaned:
                cleaned[name] = cleaned[name] == "True" or None
        return cleaned

    @property
    def values(self) -> dict[str, Any]:
        """Without texts that nobody changed: those of outside writers stay as they are, with their spaces."""
        return {name: value for name, value in super().values.items() if not self._is_as_stored(name)}

    def _is_as_stored(self, name: str) -> bool:
        sent, stored = str(self.data.get(name) or ""), str(self.stored.get(name) or "")
        return self.item is not None and sent.replace("\r\n", "\n").strip() == stored.strip()


def _templates() -> list[tuple[str, Any]]:
    return [("", pgettext_lazy("template of a page", "Empty page")), *TEMPLATE_LABELS.items()]


class NewPageForm(Form):
    """A new page: empty, from a template, or as a copy of another one."""

    title = LineField(label=pgettext_lazy("of a page", "Title"), max_length=MAX_TITLE)
    slug = LineField(
        label=_("Address"),
        max_length=MAX_SLUG,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Such as /about. Without one, it is made from the title."),
    )
    template = forms.ChoiceField(
        label=_("Start with"), choices=_templates, required=False, widget=forms.RadioSelect, initial=""
    )
    # The page that it is a copy of.
    source = LineField(max_length=200, required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        template = PAGE_TEMPLATES.get(cleaned.get("template", ""))
        slug = cleaned.get("slug") or (template.slug if template else "") or slug_of_title(cleaned.get("title", ""))
        if "title" in cleaned and not slug:
            self.add_error("slug", _("Enter an address: it cannot be made from this title."))
        cleaned["slug"] = normalized(slug) if slug else ""
        return cleaned

    @property
    def values(self) -> dict[str, Any]:
        template = PAGE_TEMPLATES.get(self.cleaned_data["template"])
        values = {name: self.cleaned_data[name] for name in ("title", "slug")}
        return values | ({"schema_type": template.schema_type} if template else {})

    @property
    def blocks(self) -> list[Any] | None:
        template = PAGE_TEMPLATES.get(self.cleaned_data["template"])
        return template.build() if template and not self.cleaned_data["source"] else None


class StatusForm(RevisionForm):
    """A button that publishes, unpublishes or archives a page."""

    status = forms.ChoiceField(choices=[(str(each), str(each)) for each in PageStatus])


class PageScheduleForm(MomentForm):
    revision = RevisionField()


def _lifetimes() -> list[tuple[str, str]]:
    return [(str(days), ngettext("%(days)s day", "%(days)s days", days) % {"days": days}) for days in LIFETIME_DAYS]


class PublishWithThemeForm(RevisionForm):
    """A page and a theme that become public together, as the person saw them."""

    expected = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    theme_revision = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)


class SharePageForm(Form):
    """How long a link to a page is valid, and who it is for."""

    days = forms.TypedChoiceField(label=_("Expires after"), choices=_lifetimes, coerce=int, initial="7")
    note = LineField(
        label=_("Note"),
        max_length=MAX_NOTE,
        required=False,
        help_text=_("Who the link is for. Only your team sees this."),
    )

"""The fields of pages (dashboard/web/fields.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from content.addresses import MAX_SLUG
from content.items import Content
from content.statuses import SCHEMA_TYPE_LABELS
from dashboard.web.fields import EMPTY_CHOICE, Field, Fields, LenientChoiceField
from dashboard.web.forms import LineField

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

MAX_TITLE, MAX_TAGS, MAX_SEO, MAX_DESCRIPTION, MAX_URL = 200, 500, 200, 500, 1000
ACCESS_LABELS = {
    "Public": _("Everybody"),
    "LoginRequired": _("People who are signed in"),
    "Group": _("Members of groups"),
    "Purchase": _("Buyers of a product"),
    "EmailGate": _("People who leave their e-mail"),
}
COMMENTS_LABELS = {
    "Enabled": pgettext_lazy("comments", "Open"),
    "Locked": pgettext_lazy("comments", "Closed, existing ones are shown"),
    "Hidden": pgettext_lazy("comments", "Hidden"),
}
_PLAIN = {"autocomplete": "off", "spellcheck": "false"}


def _switch(name: str, label: _StrPromise, *, shown: _StrPromise, hidden: _StrPromise) -> Field:
    """A part of the page that can be hidden. A missing value means that it is shown."""
    return Field(
        name,
        forms.ChoiceField(label=label, choices=(("", shown), ("True", hidden)), required=False),
        audit_label=label,
        form_value=lambda page: "True" if getattr(page, name) else "",
    )


PAGE_FIELDS = Fields(
    Content,
    Field(
        "title",
        LineField(label=pgettext_lazy("of a page", "Title"), max_length=MAX_TITLE),
        audit_label=pgettext_lazy("audited field of a page", "title"),
    ),
    Field(
        "slug",
        LineField(
            label=_("Address"),
            max_length=MAX_SLUG,
            widget=forms.TextInput(attrs=_PLAIN),
            help_text=_("After a change, the old address leads to the new one."),
        ),
        audit_label=pgettext_lazy("audited field of a page", "address"),
    ),
    Field(
        "tags",
        LineField(
            label=_("Tags"),
            max_length=MAX_TAGS,
            required=False,
            help_text=_("Separated by commas. Lists of pages on the site show those with a tag."),
        ),
        audit_label=_("tags"),
        form_value=lambda page: ", ".join(str(tag) for tag in page.tags or ()),
    ),
    Field(
        "seo_title",
        LineField(
            label=_("Title in search results"),
            max_length=MAX_SEO,
            required=False,
            help_text=_("Without one, the title of the page. About 60 characters are shown."),
        ),
        audit_label=_("title in search results"),
    ),
    Field(
        "seo_description",
        forms.CharField(
            label=_("Description in search results"),
            max_length=MAX_DESCRIPTION,
            required=False,
            widget=forms.Textarea(attrs={"rows": 3}),
            help_text=_("About 160 characters are shown."),
        ),
        audit_label=_("description in search results"),
    ),
    Field(
        "seo_keywords",
        LineField(label=_("Keywords"), max_length=MAX_DESCRIPTION, required=False),
        audit_label=_("keywords"),
    ),
    Field(
        "featured_image",
        LineField(
            label=_("Picture when it is shared"),
            max_length=MAX_URL,
            required=False,
            widget=forms.TextInput(attrs=_PLAIN | {"inputmode": "url"}),
            help_text=_("The address of a picture, beginning with https:// or /."),
        ),
        audit_label=_("picture when it is shared"),
    ),
    Field(
        "schema_type",
        LenientChoiceField(
            label=_("Type for search engines"),
            choices=(EMPTY_CHOICE, *SCHEMA_TYPE_LABELS.items()),
            required=False,
        ),
        audit_label=_("type for search engines"),
    ),
    Field(
        "access_type",
        LenientChoiceField(
            label=_("Who may read it"),
            choices=(EMPTY_CHOICE, *ACCESS_LABELS.items()),
            required=False,
        ),
        audit_label=_("who may read it"),
        in_lists=False,
    ),
    Field(
        "access_groups",
        LineField(
            label=_("Groups"), max_length=MAX_TAGS, required=False, help_text=_("For members of groups, with commas.")
        ),
        audit_label=_("groups"),
        in_lists=False,
    ),
    Field(
        "access_product",
        LineField(label=_("Product id"), max_length=100, required=False, help_text=_("For buyers of a product.")),
        audit_label=_("product id"),
        in_lists=False,
    ),
    Field(
        "comments_mode",
        LenientChoiceField(
            label=pgettext_lazy("on a page", "Comments"),
            choices=(EMPTY_CHOICE, *COMMENTS_LABELS.items()),
            required=False,
        ),
        audit_label=pgettext_lazy("audited field of a page", "comments"),
    ),
    _switch("hide_nav", _("Navigation"), shown=_("Show"), hidden=_("Hide")),
    _switch("hide_footer", _("Footer"), shown=_("Show"), hidden=_("Hide")),
    _switch("hide_sharing", _("Share buttons"), shown=_("Show"), hidden=_("Hide")),
)

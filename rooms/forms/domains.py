"""Forms of the domains."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform.event.domains import Whitelist, to_ascii
from dashboard.web.forms import RevisionForm
from dashboard.web.sheets import MAX_BYTES
from rooms.domains import BadDomain, parse_domain, split_domains

# Longer lists are imported from a file.
MAX_TYPED = 10_000
# Errors that are shown.
NAMED = 5
_AS_TYPED = {"autocapitalize": "none", "autocomplete": "off", "autocorrect": "off", "spellcheck": "false"}


class AddForm(RevisionForm):
    """One or several domains in one field."""

    domains = forms.CharField(
        label=gettext_lazy("Allow a domain"),
        max_length=MAX_TYPED,
        help_text=gettext_lazy("One or more, like sura.com.co or ana@sura.com.co."),
        error_messages={"required": gettext_lazy("Enter a domain, like sura.com.co.")},
        widget=forms.TextInput(_AS_TYPED),
    )

    def __init__(self, *args: Any, whitelist: Whitelist, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.whitelist = whitelist

    def clean_domains(self) -> list[str]:
        """The domains that are not in the list yet."""
        found: dict[str, str] = {}
        wrong: list[str] = []
        for text in split_domains(self.cleaned_data["domains"]):
            try:
                name = parse_domain(text)
            except BadDomain as problem:
                wrong.append(str(problem))
            else:
                found.setdefault(to_ascii(name), name)
        if wrong:
            raise forms.ValidationError(wrong[:NAMED])
        if not found:
            raise forms.ValidationError(_("Enter a domain, like sura.com.co."))
        new = [name for plain, name in found.items() if plain not in self.whitelist.names]
        if not new:
            there = ", ".join(self.whitelist.names[plain] for plain in list(found)[:NAMED])
            raise forms.ValidationError(_("%(domains)s is already listed.") % {"domains": there})
        return new


class DomainsImportForm(RevisionForm):
    """Domains from a file or pasted; `kept` holds the domains that the preview has parsed."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy("One domain or address per line, or a CSV file with a column of them."),
        widget=forms.ClearableFileInput({"accept": ".csv,.txt,text/csv,text/plain"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste domains"),
        required=False,
        max_length=MAX_BYTES,
        strip=False,
        widget=forms.Textarea({"rows": 8, **_AS_TYPED}),
    )
    kept = forms.CharField(required=False, max_length=MAX_BYTES, widget=forms.HiddenInput)
    replace = forms.BooleanField(
        label=gettext_lazy("Replace the whole list and remove all other domains"), required=False
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if not data.get("file") and not (data.get("text") or "").strip() and not data.get("kept"):
            self.add_error("file", _("Choose a file, or paste the domains below."))
        return data

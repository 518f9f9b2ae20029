"""The fields of an API key (dashboard/web/fields.py)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.platform.apikeys import origins
from dashboard.platform.apikeys.items import DEFAULT_LIMIT, KEY_TYPE_LABELS, ApiKey, KeyType
from dashboard.web.api.endpoints import SCOPE_LABELS, KeyOwner, Scope
from dashboard.web.fields import Field, Fields
from dashboard.web.forms import LineField

MAX_LIMIT = 10_000


class ScopeList(list[str]):
    """Scopes that fit into one input, as Undo and the conflict page send them."""

    def __str__(self) -> str:
        return ",".join(self)


class OriginsField(forms.CharField):
    """Origins, one per line, normalised and without duplicates."""

    # Whether `*` is accepted. Keys of outside writers have it; new keys name their websites.
    accepts_every = False

    widget = forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocomplete": "off", "autocapitalize": "off"})

    def __init__(self) -> None:
        super().__init__(
            label=_("Allowed origins"),
            max_length=4_000,
            required=False,
            help_text=_(
                "Websites that may use this key in a browser, one per line, such as https://www.example.com. "
                "A secret key has none."
            ),
        )

    def clean(self, value: Any) -> list[str]:
        lines = [line.strip() for line in str(super().clean(value)).splitlines()]
        given = [line for line in lines if line]
        if len(given) > origins.MAX_ORIGINS:
            raise ValidationError(_("A key can have up to %(most)s origins.") % {"most": origins.MAX_ORIGINS})
        accepted, errors = [], []
        for line in given:
            try:
                is_kept = line == origins.EVERY and self.accepts_every
                accepted.append(line if is_kept else origins.normalise(line))
            except Refused as refusal:
                errors.append(str(refusal.text))
        if errors:
            raise ValidationError(errors)
        return list(dict.fromkeys(accepted))


class ScopeBoxes(forms.CheckboxSelectMultiple):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        """Undo sends all of them in one input."""
        sent = data.getlist(name) if hasattr(data, "getlist") else [str(data.get(name, ""))]
        return [each for text in sent for each in text.split(",") if each]


class ScopesField(forms.MultipleChoiceField):
    widget = ScopeBoxes


KEY_FIELDS = Fields(
    ApiKey,
    Field(
        "name",
        # Optional, because outside writers set no name. A new key needs one (`NewKeyForm`).
        LineField(
            label=_("Name"),
            max_length=100,
            required=False,
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        ),
        audit_label=_("name"),
    ),
    Field(
        "key_type",
        forms.ChoiceField(
            label=_("Type"),
            choices=list(KEY_TYPE_LABELS.items()),
            initial=KeyType.SECRET.value,
            required=False,
            widget=forms.RadioSelect,
            help_text=_("It cannot be changed later."),
        ),
        audit_label=_("type"),
        form_value=lambda key: key.type.value,
    ),
    Field(
        "scopes",
        ScopesField(
            label=_("What a secret key may do"),
            # The forms of platform keys offer others.
            choices=list(SCOPE_LABELS[KeyOwner.BUSINESS].items()),
            initial=[Scope.READ.value],
            required=False,
            help_text=_("A public key needs none of these."),
        ),
        audit_label=_("scopes"),
        form_value=lambda key: ScopeList(key.scopes),
        in_lists=False,
    ),
    Field(
        "origins",
        OriginsField(),
        audit_label=_("allowed origins"),
        attribute="allowed_origins",
        form_value=lambda key: key.origins_text,
    ),
    Field(
        "rate_limit",
        forms.IntegerField(
            label=_("Requests per minute"),
            min_value=1,
            max_value=MAX_LIMIT,
            initial=DEFAULT_LIMIT,
            help_text=_("Further requests are refused until the next minute."),
        ),
        audit_label=_("requests per minute"),
        form_value=lambda key: key.limit,
    ),
)

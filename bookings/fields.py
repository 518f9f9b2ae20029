"""The fields of services, staff members, customers and booking rules (dashboard/web/fields.py)."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from bookings.forms.inputs import ServiceIds, ServicesField, currency_choices, step_choices, zone_choices
from bookings.items import Customer, Provider, Service
from bookings.rules import CONFIRM_BY_EMAIL, MAX_DAYS, MAX_NOTICE, OPEN_PAGE, step_of
from dashboard.platform.accounts import emails
from dashboard.platform.businesses.items import Business
from dashboard.web.fields import EMPTY_CHOICE, Field, Fields, LenientChoiceField, LenientNumberField
from dashboard.web.forms import LineField, LongSelect
from dashboard.web.locale import zone_label
from dashboard.web.money import amount_for_input
from dashboard.web.time_zones import ZoneSelect

SHORTEST, LONGEST, MAX_BUFFER = 5, 1440, 480
_NO_AUTOCOMPLETE = {"autocomplete": "off"}

SERVICE_FIELDS = Fields(
    Service,
    Field(
        "name",
        LineField(label=_("Name"), max_length=100, widget=forms.TextInput(attrs=_NO_AUTOCOMPLETE)),
        audit_label=_("name"),
    ),
    Field(
        "category",
        LineField(
            label=_("Category"),
            max_length=60,
            required=False,
            widget=forms.TextInput(attrs=_NO_AUTOCOMPLETE | {"list": "categories"}),
            help_text=_("Groups services in lists."),
        ),
        audit_label=_("category"),
    ),
    Field(
        "description",
        forms.CharField(
            label=_("Description"),
            max_length=1000,
            required=False,
            widget=forms.Textarea(attrs={"rows": 3}),
            help_text=_("Shown to customers."),
        ),
        audit_label=_("description"),
    ),
    Field(
        "duration_minutes",
        LenientNumberField(label=_("Duration (minutes)"), min_value=SHORTEST, max_value=LONGEST),
        audit_label=_("duration"),
    ),
    Field(
        "buffer_before",
        LenientNumberField(label=_("Buffer before (minutes)"), min_value=0, max_value=MAX_BUFFER, required=False),
        audit_label=_("buffer before"),
    ),
    Field(
        "buffer_after",
        LenientNumberField(
            label=_("Buffer after (minutes)"),
            min_value=0,
            max_value=MAX_BUFFER,
            required=False,
            help_text=_("Time before and after for preparation and cleanup. Nobody else can be booked then."),
        ),
        audit_label=_("buffer after"),
    ),
    Field(
        "price",
        LineField(
            label=_("Price"),
            max_length=40,
            required=False,
            widget=forms.TextInput(attrs=_NO_AUTOCOMPLETE | {"inputmode": "decimal"}),
            help_text=_("Such as 19.90. In a currency without cents, 15.000 is fifteen thousand."),
        ),
        audit_label=_("price"),
        form_value=lambda service: amount_for_input(service.price, service.currency),
    ),
    Field(
        "currency",
        LenientChoiceField(label=_("Currency"), choices=currency_choices, required=False, widget=LongSelect),
        audit_label=_("currency"),
    ),
)

PROVIDER_FIELDS = Fields(
    Provider,
    Field(
        "name",
        LineField(label=_("Name"), max_length=100, widget=forms.TextInput(attrs=_NO_AUTOCOMPLETE)),
        audit_label=_("name"),
    ),
    Field(
        "bio",
        forms.CharField(
            label=_("About"),
            max_length=1000,
            required=False,
            widget=forms.Textarea(attrs={"rows": 3}),
            help_text=_("Shown to customers."),
        ),
        audit_label=_("about"),
        in_lists=False,
    ),
    Field(
        "services",
        ServicesField(label=_("Services"), required=False),
        audit_label=_("services"),
        attribute="service_ids",
        form_value=lambda provider: ServiceIds(provider.service_ids),
        in_lists=False,
    ),
    Field(
        "timezone",
        LenientChoiceField(
            label=_("Time zone"),
            choices=zone_choices,
            stored_label=zone_label,
            required=False,
            widget=ZoneSelect,
            help_text=_("Their hours are in this time zone."),
        ),
        audit_label=_("time zone"),
    ),
)

CUSTOMER_FIELDS = Fields(
    Customer,
    Field(
        "name",
        LineField(label=_("Name"), max_length=100, widget=forms.TextInput(attrs=_NO_AUTOCOMPLETE)),
        audit_label=_("name"),
    ),
    Field(
        "email",
        LineField(
            label=_("E-mail"),
            max_length=emails.MAX_LENGTH,
            required=False,
            widget=forms.EmailInput(attrs=_NO_AUTOCOMPLETE),
        ),
        audit_label=_("e-mail"),
    ),
    Field(
        "phone",
        LineField(
            label=_("Phone"),
            max_length=40,
            required=False,
            widget=forms.TextInput(attrs=_NO_AUTOCOMPLETE | {"type": "tel", "inputmode": "tel"}),
        ),
        audit_label=_("phone"),
    ),
    Field(
        "language",
        LenientChoiceField(
            label=_("Language"),
            choices=[EMPTY_CHOICE, *settings.LANGUAGES],
            required=False,
            help_text=_("The language of mail to them. Without it, that of the business."),
        ),
        audit_label=_("language"),
        in_lists=False,
    ),
)

# In the settings of a business, which lists do not read.
RULE_FIELDS = Fields(
    Business,
    Field(
        "notice_minutes",
        LenientNumberField(
            label=_("Minimum notice (minutes)"),
            min_value=0,
            max_value=MAX_NOTICE,
            required=False,
            help_text=_("How long before the start customers can still book. Leave empty for no limit."),
        ),
        audit_label=_("minimum notice"),
        in_lists=False,
    ),
    Field(
        "horizon_days",
        LenientNumberField(
            label=_("Book up to (days ahead)"),
            min_value=1,
            max_value=MAX_DAYS,
            required=False,
            help_text=_("How far ahead customers can book. Leave empty for no limit."),
        ),
        audit_label=_("days ahead"),
        in_lists=False,
    ),
    Field(
        "step_minutes",
        LenientChoiceField(
            label=_("Start times every"),
            choices=step_choices,
            required=False,
            help_text=_("The interval between the start times that are offered."),
        ),
        audit_label=_("start times every"),
        form_value=lambda business: str(step_of(business)),
        in_lists=False,
    ),
    Field(
        "currency",
        LenientChoiceField(
            label=_("Currency"),
            choices=currency_choices,
            required=False,
            widget=LongSelect,
            help_text=_("The currency of new services."),
        ),
        audit_label=_("currency"),
        in_lists=False,
    ),
    Field(
        "online_page",
        LenientChoiceField(
            label=_("Booking page"),
            choices=[("", _("Off")), (OPEN_PAGE, _("On: everyone with the link can book"))],
            required=False,
            help_text=_("A public page on which customers book. A widget with a public API key works without it."),
        ),
        audit_label=_("booking page"),
        in_lists=False,
    ),
    Field(
        "online_confirmation",
        LenientChoiceField(
            label=_("Online bookings"),
            choices=[("", _("Confirmed at once")), (CONFIRM_BY_EMAIL, _("Customers confirm by e-mail"))],
            required=False,
            help_text=_("Until it is confirmed, a booking keeps its time for 30 minutes."),
        ),
        audit_label=_("online bookings"),
        in_lists=False,
    ),
)

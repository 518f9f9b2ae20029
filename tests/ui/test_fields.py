"""The single declaration of an item's fields."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django import forms
from django.utils.translation import gettext_lazy as _

from bookings.fields import CUSTOMER_FIELDS, PROVIDER_FIELDS, RULE_FIELDS, SERVICE_FIELDS
from bookings.forms.customers import CustomerForm
from bookings.forms.providers import ProviderForm
from bookings.forms.rules import RulesForm
from bookings.forms.services import ServiceForm
from bookings.items import Provider, Service
from dashboard.platform.audit.labels import KINDS
from dashboard.web.fields import Field, Fields, ItemForm


def field(name: str, **options: object) -> Field:
    return Field(name, forms.CharField(max_length=10), audit_label=_("name"), **options)  # type: ignore[arg-type]


def test_an_invalid_field_declaration_is_refused() -> None:
    with pytest.raises(TypeError, match="Service has no attribute colour"):
        Fields(Service, field("colour"))
    with pytest.raises(TypeError, match="service_ids is not on the table"):
        Fields(Provider, field("service_ids"))
    with pytest.raises(TypeError, match="needs a max_length"):

        class UnboundedForm(ItemForm):
            item_fields = Fields(Service, Field("name", forms.CharField(), audit_label=_("name")))


@pytest.mark.parametrize(
    ("kind", "fields", "form"),
    [
        ("service", SERVICE_FIELDS, ServiceForm),
        ("provider", PROVIDER_FIELDS, ProviderForm),
        ("customer", CUSTOMER_FIELDS, CustomerForm),
        ("booking_rules", RULE_FIELDS, RulesForm),
    ],
)
def test_forms_and_audit_labels_have_every_declared_field(kind: str, fields: Fields, form: type[ItemForm]) -> None:
    assert (*fields.names, "revision") == tuple(form.base_fields)
    assert set(fields.names) <= KINDS[kind].fields.keys()


def test_lists_read_the_declared_fields_and_the_revision() -> None:
    assert PROVIDER_FIELDS.list_attributes("active") == ("name", "timezone", "active", "revision")
    assert "durationMinutes" in SERVICE_FIELDS.list_attributes()


def test_applying_values_keeps_equal_ones_and_removes_empty_ones() -> None:
    provider = Provider.new(tenant="andina", provider="p1")
    provider.name, provider.services = "Ana", ["s1", 5]
    PROVIDER_FIELDS.apply(provider, {"name": "Ana", "services": ["s1"], "bio": ""})
    assert [provider.name, provider.bio] == ["Ana", None]
    assert provider.services == ["s1", 5], "an entry of an outside writer stays"
    PROVIDER_FIELDS.apply(provider, {"name": "", "services": []})
    assert not provider.name
    assert provider.services == [5]
    service = Service.new(tenant="andina", service="s1")
    SERVICE_FIELDS.apply(service, {"name": "Cut", "buffer_before": 0, "price": Decimal("10.50"), "category": ""})
    assert SERVICE_FIELDS.audit_values(service) == {"name": "Cut", "buffer_before": 0, "price": "10.50"}


def test_the_form_of_a_new_item_has_no_revision() -> None:
    assert "revision" not in ServiceForm().fields
    service = Service.new(tenant="andina", service="s1")
    assert ServiceForm(item=service)["revision"].value() == service.revision

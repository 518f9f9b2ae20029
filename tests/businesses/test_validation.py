"""Validation of the fields of a business: slug, domain, colour, name and the others."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from dashboard.platform.businesses import queries
from dashboard.platform.businesses.addresses import check_slug, suggest_slug, to_domain
from dashboard.platform.businesses.forms import BusinessForm, NewBusinessForm
from tests.businesses.business_pages import create_business, form_values, reload, url_of
from tests.ui.html import parse
from tests.ui.world import World


@pytest.mark.parametrize("slug", ["a", "7", "123", "coca-cola", "a--b", "x" * 48])
def test_a_valid_slug_is_accepted(slug: str) -> None:
    check_slug(slug)


INVALID_SLUGS = ["", "-a", "a-", "a b", "ñandu", "A", "a_b", "a.b", "a#b", "a/b", "x" * 49, "٣", "a\n"]
RESERVED_SLUGS = ["new", "switch", "api", "www", "system", "tenant", "user", "operation", "slug", "post", "config"]


@pytest.mark.parametrize("slug", [*INVALID_SLUGS, *RESERVED_SLUGS])
def test_an_invalid_or_reserved_slug_is_refused(slug: str) -> None:
    with pytest.raises(ValidationError):
        check_slug(slug)


@pytest.mark.parametrize(
    ("name", "slug"), [("Café Ñandú", "cafe-nandu"), ("  A_b  ", "a-b"), ("東京", ""), ("x" * 60, "x" * 48), ("--", "")]
)
def test_a_slug_is_suggested_from_the_name(name: str, slug: str) -> None:
    assert suggest_slug(name) == slug


@pytest.mark.parametrize(
    ("typed", "domain"),
    [
        ("Example.COM", "example.com"),
        (" shop.example.com. ", "shop.example.com"),
        ("ñandú.cl", "xn--and-6ma2c.cl"),
        ("xn--and-6ma2c.cl", "xn--and-6ma2c.cl"),
        ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
        ("a" * 63 + ".example", "a" * 63 + ".example"),
    ],
)
def test_a_domain_is_normalized(typed: str, domain: str) -> None:
    assert to_domain(typed) == domain


INVALID_DOMAINS = ["https://example.com", "example.com/", "example.com:443", "a@example.com", "example", "localhost"]
INVALID_DOMAINS += ["127.0.0.1", "-a.example.com", "a-.example.com", "a..example.com", ".", "a b.com", "*.example.com"]
INVALID_DOMAINS += ["a_b.example.com", "x" * 64 + ".com", ".".join(["abcdefgh"] * 30), "straße.de", "ex\u200dample.com"]
INVALID_DOMAINS += [
    "example.com#x",
    "[::1]",
    "xn--\u0080.com",
    "xn--zzzzzz--.com",
    "example.com?x=1",
    "example\\com.net",
]


@pytest.mark.parametrize("typed", INVALID_DOMAINS)
def test_an_invalid_domain_is_refused(typed: str) -> None:
    with pytest.raises(ValidationError):
        to_domain(typed)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("color", "red"),
        ("color", "#fff"),
        ("color", "#12345g"),
        ("color", "#123456;}"),
        ("color", "url(x)"),
        ("position", "center"),
        ("language", "fr"),
        ("language", "es_CL"),
        ("timezone", "Mars/Phobos"),
        ("status", "CLOSED"),
        ("plan", "GOLD"),
        ("plan", ""),
        ("name", ""),
        ("name", "  \u202e "),
        ("name", "#"),
        ("name", "x" * 101),
        ("slug", ""),
        ("slug", "switch"),
        ("domain", "https://example.com"),
        ("billing_email", "nobody"),
        ("reason", "x" * 301),
    ],
)
def test_invalid_input_shows_an_error_at_its_field(world: World, field: str, value: str) -> None:
    browser, business = world.browser("admin"), create_business()
    response = browser.post(url_of(business), form_values(slug=business.slug) | {field: value, "version": "1"})
    assert response.status_code == 422
    assert parse(response).one("p", id=f"id_{field}_error").text
    assert reload(business).revision == 1


@pytest.mark.parametrize("color", ["#0A1b2C", "#000000"])
def test_a_colour_is_stored_as_typed(color: str) -> None:
    form = NewBusinessForm(form_values(color=color))
    assert form.is_valid() and form.values["color"] == color


def test_a_name_without_sortable_characters_is_sorted_by_id(world: World) -> None:
    business = create_business(name="x")
    business.name = "#"
    assert [key.sk for key in business.index_keys()] == [f"{business.business_id}#{business.business_id}"] * 2


def test_a_stored_value_that_is_no_longer_offered_stays_valid(world: World) -> None:
    business = create_business()
    business.plan, business.position, business.timezone = "GOLD", "middle", "Old/Zone"
    form = BusinessForm({"revision": "1"}, item=business)
    assert form.is_valid(), form.errors
    assert (form.values["plan"], form.values["position"], form.values["timezone"]) == ("GOLD", "middle", "Old/Zone")
    assert not NewBusinessForm(form_values(plan="GOLD")).is_valid()
    assert queries.load_business(business.business_id).plan == "PRO"

"""What can be a slug, an id, a domain, a colour."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from dashboard.platform.businesses import queries
from dashboard.platform.businesses.addresses import check_slug, suggest_slug, to_domain
from dashboard.platform.businesses.forms import BusinessForm, NewBusinessForm
from tests.businesses.business_pages import new, reloaded, url_of, values
from tests.ui.html import parse
from tests.ui.world import World


@pytest.mark.parametrize("slug", ["a", "7", "123", "coca-cola", "a--b", "x" * 48])
def test_a_slug(slug: str) -> None:
    check_slug(slug)


BAD = ["", "-a", "a-", "a b", "ñandu", "A", "a_b", "a.b", "a#b", "a/b", "x" * 49, "٣", "a\n"]
RESERVED = ["new", "switch", "api", "www", "system", "tenant", "user", "operation", "slug", "post", "config"]


@pytest.mark.parametrize("slug", [*BAD, *RESERVED])
def test_what_is_no_slug(slug: str) -> None:
    with pytest.raises(ValidationError):
        check_slug(slug)


@pytest.mark.parametrize(
    ("name", "slug"), [("Café Ñandú", "cafe-nandu"), ("  A_b  ", "a-b"), ("東京", ""), ("x" * 60, "x" * 48), ("--", "")]
)
def test_a_slug_of_a_name(name: str, slug: str) -> None:
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
def test_a_domain(typed: str, domain: str) -> None:
    assert to_domain(typed) == domain


NO_DOMAINS = ["https://example.com", "example.com/", "example.com:443", "a@example.com", "example", "localhost"]
NO_DOMAINS += ["127.0.0.1", "-a.example.com", "a-.example.com", "a..example.com", ".", "a b.com", "*.example.com"]
NO_DOMAINS += ["a_b.example.com", "x" * 64 + ".com", ".".join(["abcdefgh"] * 30), "straße.de", "ex\u200dample.com"]
NO_DOMAINS += ["example.com#x", "[::1]", "xn--\u0080.com", "xn--zzzzzz--.com", "example.com?x=1", "example\\com.net"]


@pytest.mark.parametrize("typed", NO_DOMAINS)
def test_what_is_no_domain(typed: str) -> None:
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
def test_bad_input_is_refused_beside_its_field(world: World, field: str, value: str) -> None:
    browser, business = world.browser("admin"), new()
    response = browser.post(url_of(business), values(slug=business.slug) | {field: value, "version": "1"})
    assert response.status_code == 422
    assert parse(response).one("p", id=f"id_{field}_error").text
    assert reloaded(business).revision == 1


@pytest.mark.parametrize("color", ["#0A1b2C", "#000000"])
def test_a_colour_is_typed_as_it_is(color: str) -> None:
    form = NewBusinessForm(values(color=color))
    assert form.is_valid() and form.values["color"] == color


def test_a_name_that_cannot_be_sorted_is_listed_by_its_id(world: World) -> None:
    business = new(name="x")
    business.name = "#"
    assert [key.sk for key in business.index_keys()] == [f"{business.business_id}#{business.business_id}"] * 2


def test_what_stands_there_already_is_offered(world: World) -> None:
    business = new()
    business.plan, business.position, business.timezone = "GOLD", "middle", "Old/Zone"
    form = BusinessForm({"revision": "1"}, item=business)
    assert form.is_valid(), form.errors
    assert (form.values["plan"], form.values["position"], form.values["timezone"]) == ("GOLD", "middle", "Old/Zone")
    assert not NewBusinessForm(values(plan="GOLD")).is_valid()
    assert queries.load_business(business.business_id).plan == "PRO"

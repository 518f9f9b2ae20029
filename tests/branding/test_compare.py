"""The page that compares two versions."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.branding.brand_pages import BRAND, SEED_MARKER, badges, diff_lines, put_marker, url_of
from tests.branding.theme_factory import create_draft, create_published, put_theme
from tests.ui.html import form_to, inline, parse
from tests.ui.walk import calls_of

COMPARE = f"{BRAND}compare/"


def test_with_fewer_than_two_versions_there_is_nothing_to_compare(as_owner: Client) -> None:
    for _ in range(2):
        response = as_owner.get(COMPARE)
        assert response.status_code == 200
        assert "Nothing to compare yet" in parse(response).text
        create_draft("andina")
    assert as_owner.get(COMPARE).status_code == 303


def test_without_numbers_it_compares_the_live_and_the_newest_version(as_owner: Client) -> None:
    first, second = create_draft("andina"), create_draft("andina")
    assert as_owner.get(COMPARE).headers["Location"] == f"{COMPARE}?a=1&b=2"
    create_published("andina")
    assert as_owner.get(COMPARE).headers["Location"] == f"{COMPARE}?a=3&b=2"
    create_draft("andina")
    assert as_owner.get(COMPARE).headers["Location"] == f"{COMPARE}?a=3&b=4"
    assert as_owner.get(f"{COMPARE}?b={first.number}").headers["Location"] == f"{COMPARE}?a=3&b=1"
    assert as_owner.get(f"{COMPARE}?a={second.number}").headers["Location"] == f"{COMPARE}?a=2&b=4"


def test_a_missing_live_version_is_not_offered(as_owner: Client) -> None:
    put_marker(**SEED_MARKER)
    for number in (40, 42):
        put_theme("andina", number)
    assert as_owner.get(COMPARE).headers["Location"] == f"{COMPARE}?a=40&b=42"
    assert "There is no version 41." in parse(as_owner.get(f"{COMPARE}?a=41&b=42")).text


def test_changed_fields_are_listed_and_equal_fields_are_folded(as_owner: Client) -> None:
    old = create_published("andina", "Summer", {"primaryColor": "#aa0011"})
    new = create_draft("andina", "Summer", {"primaryColor": "#00aa11", "shadow": "none"})
    page = parse(as_owner.get(f"{COMPARE}?a=1&b=2")).one("main")
    assert diff_lines(page) == {"Primary": ["#aa0011", "#00aa11"], "Shadow": ["Soft", "No shadow"]}
    fills = [each.one("rect").attrs["fill"] for each in page.by_class("diff")[0].all("svg", class_="swatch")]
    assert fills == ["#aa0011", "#00aa11"]
    (folded,) = page.by_class("diff-same")
    assert folded.tag == "details" and "open" not in folded.attrs and "13 fields are the same" in folded.text
    assert badges(page) == ["Live"]
    frames = [frame.attrs["src"] for frame in page.all("iframe")]
    assert frames == [f"{url_of(old, 'preview')}?screen=home", f"{url_of(new, 'preview')}?screen=home"]
    assert page.by_class("page-actions")[0].one("a").attrs["href"] == f"{url_of(new, 'publish')}?against=1"


def test_files_and_unknown_fields_are_compared(as_owner: Client) -> None:
    put_theme("andina", 1, assets=["ASSET#logo-1"], metadata={"motto": "Hola <b>", "typography": "intrale-regular"})
    put_theme("andina", 2, assets=["ASSET#logo-2"], metadata={"motto": "Adiós", "typography": "intrale-regular"})
    response = as_owner.get(f"{COMPARE}?a=1&b=2")
    page = parse(response).one("main")
    assert diff_lines(page) == {"Logo": ["logo-1", "logo-2"], "motto": ["Hola <b>", "Adiós"]}
    assert [(each.attrs["src"], each.attrs["alt"]) for each in page.by_class("diff")[0].all("img")] == [
        ("/files/logo-1/?size=thumb", "Logo"),
        ("/files/logo-2/?size=thumb", "Logo"),
    ]
    assert inline(parse(response)) == []


def test_the_same_version_twice_and_two_equal_versions(as_owner: Client) -> None:
    create_draft("andina"), create_draft("andina")
    assert "the same version twice" in parse(as_owner.get(f"{COMPARE}?a=1&b=1")).text
    assert "No differences" in parse(as_owner.get(f"{COMPARE}?a=1&b=2")).text


def test_the_sample_screen_can_be_chosen(as_owner: Client) -> None:
    create_draft("andina"), create_draft("andina")
    page = parse(as_owner.get(f"{COMPARE}?a=1&b=2&screen=forum"))
    assert {frame.attrs["src"].partition("?")[2] for frame in page.all("iframe")} == {"screen=forum"}
    assert form_to(page.one("main"), COMPARE).data()["screen"] == "forum"
    odd = parse(as_owner.get(f"{COMPARE}?a=1&b=2&screen=../x"))
    assert {frame.attrs["src"].partition("?")[2] for frame in odd.all("iframe")} == {"screen=home"}


@pytest.mark.parametrize("bad", ["x", "-1", "1.5", "99", "9" * 5000, str(10**8), "\x00", "<b>", "1 OR 1", "²"])
@pytest.mark.parametrize("field", ["a", "b"])
def test_an_invalid_version_number_is_reported_at_its_field(as_owner: Client, field: str, bad: str) -> None:
    create_draft("andina"), create_draft("andina")
    response = as_owner.get(COMPARE, {"a": "1", "b": "2"} | {field: bad})
    assert response.status_code == 200
    page = parse(response).one("main")
    (error,) = page.by_class("error")
    assert error.attrs["id"] == f"id_{field}_error"
    assert ("There is no version 99." if bad == "99" else "Enter a version number, for example 7.") in error.text
    assert not page.by_class("diff")
    # The form keeps the other number.
    form = form_to(page, COMPARE)
    assert form.data()["b" if field == "a" else "a"] == ("2" if field == "a" else "1")
    assert form.send(as_owner, values={field: "1"}).status_code == 200


def test_a_version_of_another_business_does_not_exist(as_owner: Client) -> None:
    create_draft("andina")
    put_theme("harbour", 7)
    assert "There is no version 7." in parse(as_owner.get(f"{COMPARE}?a=1&b=7")).text


def test_the_page_takes_two_round_trips(as_owner: Client) -> None:
    create_draft("andina"), create_draft("andina")
    log = calls_of(as_owner.get(f"{COMPARE}?a=1&b=2"))
    assert log.trips == 2 and sorted(call.operation for call in log.calls) == [
        "BatchGetItem",
        "BatchGetItem",
        "Query",
        "Query",
    ]

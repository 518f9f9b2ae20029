"""The select of time zones, and headers of tables that are proportions."""

from __future__ import annotations

from datetime import UTC, datetime

from dashboard.core.clock import frozen
from dashboard.web.locale import ZONES
from dashboard.web.time_zones import COMMON, zone_choices
from tests.ui.html import parse
from tests.ui.world import World

MOMENT = datetime(2026, 11, 18, 14, 41, tzinfo=UTC)


def test_a_zone_is_chosen_by_its_city_and_its_current_time() -> None:
    with frozen(MOMENT):
        choices = zone_choices()
    labels = dict(choices)
    assert labels["America/Bogota"] == "Bogotá · 09:41 (GMT-5)"
    assert labels["America/Kentucky/Louisville"] == "Louisville, America/Kentucky · 09:41 (EST)"
    assert labels["Asia/Kolkata"] == "Kolkata, Asia · 20:11 (IST)"
    assert [name for name, _label in choices[: len(COMMON)]] == list(COMMON)
    assert labels.keys() == ZONES and len(choices) == len(ZONES)
    others = [label for name, label in choices if name not in COMMON and "/" in name]
    assert others[0].startswith("Abidjan") and others[-1].startswith("Zurich")


def test_the_common_zones_are_the_first_group_of_every_select(world: World) -> None:
    pages = world.html("admin") | world.html("owner")
    selects = [
        (url, each)
        for url, page in pages.items()
        for each in page.all("select")
        if "zone" in each.attrs.get("name", "")
    ]
    urls = {url for url, _select in selects}
    assert {"/account/", "/b/andina/settings/", "/b/andina/bookings/providers/new/", "/rooms/new/"} <= urls
    assert any("/schedule/" in url for url in urls) and any("/content/" in url for url in urls)
    for url, select in selects:
        groups = select.all("optgroup")
        assert [group.attrs["label"] for group in groups] == ["Common time zones", "All time zones"], url
        assert [option.attrs["value"] for option in groups[0].all("option")] == list(COMMON), url


def test_a_head_of_a_table_names_a_proportion(world: World) -> None:
    for language, wrong, right in (("en", "Share", "% restored"), ("es", "Compartir", "% restauradas")):
        page = parse(world.browser("moderator").get("/forum/numbers/", headers={"Accept-Language": language}))
        heads = [each.text for each in page.all("th")]
        assert wrong not in heads and right in heads
    heads_of_pages = {url: [each.text for each in page.all("th")] for url, page in world.html("admin").items()}
    assert [url for url, heads in heads_of_pages.items() if "Share" in heads] == []

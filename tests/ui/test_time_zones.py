"""The select of time zones, and headers of tables that are proportions."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

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


@pytest.mark.parametrize(
    ("who", "url"),
    [
        ("staff", "/account/"),
        ("owner", "/b/andina/settings/"),
        ("owner", "/b/andina/bookings/providers/new/"),
        ("staff", "/rooms/new/"),
    ],
)
def test_the_common_zones_are_the_first_group_of_every_select(world: World, who: str, url: str) -> None:
    selects = [each for each in parse(world.browser(who).get(url)).all("select") if "zone" in each.attrs["name"]]
    (select,) = selects
    groups = select.all("optgroup")
    assert [group.attrs["label"] for group in groups][:2] == ["Common time zones", "All time zones"]
    assert [option.attrs["value"] for option in groups[0].all("option")] == list(COMMON)


def test_a_head_of_a_table_names_a_proportion(world: World) -> None:
    for language, wrong, right in (("en", "Share", "% restored"), ("es", "Compartir", "% restauradas")):
        page = parse(world.browser("moderator").get("/forum/numbers/", headers={"Accept-Language": language}))
        heads = [each.text for each in page.all("th")]
        assert wrong not in heads and right in heads

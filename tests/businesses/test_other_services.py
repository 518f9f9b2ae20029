"""Businesses that other services wrote, and what they keep inside them."""

from __future__ import annotations

import pytest

from dashboard.core.errors import Refused
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.services import businesses
from dashboard.platform.businesses.services.business_writes import apply, audit_values, save
from dashboard.table import keys
from dashboard.table.commands import new_command
from tests.businesses.business_pages import edit, form_of, holder, new, put_raw, raw_at, reloaded, said
from tests.conftest import ACTOR
from tests.ui.html import undo_form
from tests.ui.world import World


def seeded(business: str) -> None:
    """A business as another service writes it: no revision, no index keys, no claims, and settings of its own."""
    put_raw(
        {
            "PK": {"S": "SYSTEM"},
            "SK": {"S": f"TENANT#{business}"},
            "tenantId": {"S": business},
            "name": {"S": "Coca-Cola Andina"},
            "slug": {"S": business},
            "status": {"S": "ACTIVE"},
            "plan": {"S": "PRO"},
            "domain": {"S": f"{business}.example.com"},
            "createdAt": {"S": "2025-01-01T00:00:00Z"},
            "ownerUserId": {"S": "user_123"},
            "loyalty": {"M": {"tier": {"N": "3"}}},
            "settings": {
                "M": {
                    "language": {"S": "es-CL"},
                    "defaultTimezone": {"S": "America/Santiago"},
                    "precise": {"N": "0.12345678901234567890123"},
                    "widget": {
                        "M": {
                            "primaryColor": {"S": "tomato"},
                            "position": {"S": "bottom-right"},
                            "sounds": {"L": [{"S": "ding"}]},
                        }
                    },
                }
            },
        }
    )


def test_what_other_services_wrote_survives_an_edit(world: World) -> None:
    browser = world.browser("admin")
    seeded("seed-a")
    key = keys.TENANT.key(tenant="seed-a")
    before = raw_at(key)
    business = queries.load_business("seed-a")
    form = form_of(browser, business)
    assert (form.data()["language"], form.data()["color"], form.data()["revision"]) == ("es-CL", "tomato", "0")

    response = form.send(browser, values={"name": "Andina", "position": "top-left"}, follow=True)
    assert said(response) == "Changes to Andina saved."
    after = raw_at(key)
    assert after["settings"]["M"]["widget"]["M"]["position"] == {"S": "top-left"}
    before["settings"]["M"]["widget"]["M"]["position"] = {"S": "top-left"}
    assert after["settings"] == before["settings"]
    assert (after["loyalty"], after["ownerUserId"]) == (before["loyalty"], before["ownerUserId"])
    assert after["GSITypeSK"] == {"S": "andina#seed-a"}, "and from now on it is listed"
    # A language of another service comes back with Undo too.
    changed = edit(browser, business, language="en")
    assert reloaded(business).language == "en"
    undo_form(changed).send(browser)
    assert reloaded(business).language == "es-CL"
    # Its slug and domain were never claimed: moving away from them is fine.
    assert "saved" in said(edit(browser, business, slug="seed-b", domain="b.example.com"))
    assert (holder("slug", "seed-b"), holder("domain", "b.example.com")) == ("seed-a", "seed-a")


def test_settings_are_written_entry_by_entry(world: World) -> None:
    """Another service writes its own entry between our reading and our writing: both stay."""
    seeded("seed-c")
    business = queries.load_business("seed-c")
    before = audit_values(business)
    raw = raw_at(business.key)
    raw["settings"]["M"]["newer"] = {"BOOL": True}
    put_raw(raw)
    apply(business, {"language": "en", "color": "#010203"})
    save(business, before, revision=0, command=new_command(ACTOR), on_platform=True)
    stands = raw_at(business.key)["settings"]["M"]
    assert (stands["newer"], stands["language"]) == ({"BOOL": True}, {"S": "en"})
    assert stands["widget"]["M"]["primaryColor"] == {"S": "#010203"}
    # Where there is no widget yet, one is made.
    plain = new()
    businesses.edit(plain.business_id, {"position": "top-left"}, revision=1, command=new_command(ACTOR))
    assert (reloaded(plain).settings or {})["widget"] == {"position": "top-left"}
    businesses.edit(plain.business_id, {"position": ""}, revision=2, command=new_command(ACTOR))
    assert (reloaded(plain).settings or {})["widget"] == {}


def test_a_slug_and_a_domain_that_another_service_gave_away_are_taken(world: World) -> None:
    """It wrote no items that take them: the business itself is the proof."""
    seeded("seed-taken")
    for field, given in {"slug": {"slug": "seed-taken"}, "domain": {"domain": "seed-taken.example.com"}}.items():
        with pytest.raises(Refused) as refused:
            new(**{"slug": "seed-other"} | given)
        assert refused.value.field == field
        assert "is already used by Coca-Cola Andina (seed-taken)" in str(refused.value)
    assert queries.find_business("seed-other") is None

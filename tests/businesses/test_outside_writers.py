"""Businesses written by outside writers, and attributes that only they know."""

from __future__ import annotations

import pytest

from dashboard.core.errors import Refused
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.services import businesses
from dashboard.platform.businesses.services.business_writes import apply, audit_values, save
from dashboard.table import keys
from dashboard.table.commands import new_command
from tests.businesses.business_pages import (
    claim_owner,
    create_business,
    edit,
    form_of,
    put_raw,
    raw_at,
    reload,
    toast_text,
)
from tests.conftest import ACTOR
from tests.ui.html import undo_form
from tests.ui.world import World


def put_outside_business(business: str) -> None:
    """Write a business as an outside writer does: no revision, index keys or claims, and settings of its own."""
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


def test_an_edit_keeps_what_outside_writers_wrote(world: World) -> None:
    browser = world.browser("admin")
    put_outside_business("seed-a")
    key = keys.TENANT.key(tenant="seed-a")
    before = raw_at(key)
    business = queries.load_business("seed-a")
    form = form_of(browser, business)
    assert (form.data()["language"], form.data()["color"], form.data()["revision"]) == ("es-CL", "tomato", "0")

    response = form.send(browser, values={"name": "Andina", "position": "top-left"}, follow=True)
    assert toast_text(response) == "Changes to Andina saved."
    after = raw_at(key)
    assert after["settings"]["M"]["widget"]["M"]["position"] == {"S": "top-left"}
    before["settings"]["M"]["widget"]["M"]["position"] = {"S": "top-left"}
    assert after["settings"] == before["settings"]
    assert (after["loyalty"], after["ownerUserId"]) == (before["loyalty"], before["ownerUserId"])
    assert after["GSITypeSK"] == {"S": "andina#seed-a"}, "from now on it has index keys and is listed"
    # Undo also restores a language that the form does not offer.
    changed = edit(browser, business, language="en")
    assert reload(business).language == "en"
    undo_form(changed).send(browser)
    assert reload(business).language == "es-CL"
    # Its slug and domain were never claimed. They can still be changed.
    assert "saved" in toast_text(edit(browser, business, slug="seed-b", domain="b.example.com"))
    assert (claim_owner("slug", "seed-b"), claim_owner("domain", "b.example.com")) == ("seed-a", "seed-a")


def test_saving_settings_keeps_an_entry_that_an_outside_writer_added_meanwhile(world: World) -> None:
    """An outside writer adds an entry between our read and our write. Both changes are kept."""
    put_outside_business("seed-c")
    business = queries.load_business("seed-c")
    before = audit_values(business)
    raw = raw_at(business.key)
    raw["settings"]["M"]["newer"] = {"BOOL": True}
    put_raw(raw)
    apply(business, {"language": "en", "color": "#010203"})
    save(business, before, revision=0, command=new_command(ACTOR), on_platform=True)
    stored = raw_at(business.key)["settings"]["M"]
    assert (stored["newer"], stored["language"]) == ({"BOOL": True}, {"S": "en"})
    assert stored["widget"]["M"]["primaryColor"] == {"S": "#010203"}
    # A missing widget map is created.
    plain = create_business()
    businesses.edit(plain.business_id, {"position": "top-left"}, revision=1, command=new_command(ACTOR))
    assert (reload(plain).settings or {})["widget"] == {"position": "top-left"}
    businesses.edit(plain.business_id, {"position": ""}, revision=2, command=new_command(ACTOR))
    assert (reload(plain).settings or {})["widget"] == {}


def test_a_slug_or_domain_of_an_outside_business_is_taken(world: World) -> None:
    """The outside writer wrote no claims. The business itself shows that they are taken."""
    put_outside_business("seed-taken")
    for field, given in {"slug": {"slug": "seed-taken"}, "domain": {"domain": "seed-taken.example.com"}}.items():
        with pytest.raises(Refused) as refused:
            create_business(**{"slug": "seed-other"} | given)
        assert refused.value.field == field
        assert "is already used by Coca-Cola Andina (seed-taken)" in str(refused.value)
    assert queries.find_business("seed-other") is None

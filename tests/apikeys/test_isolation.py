"""A key of one business gives no access to another: in pages, in services and queries, and in the API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from django.http import HttpRequest, JsonResponse
from django.urls import path

from dashboard import urls
from dashboard.core.errors import NotFound
from dashboard.platform.apikeys import queries, services
from dashboard.platform.apikeys.authentication import api
from dashboard.table import keys, read, tenancy
from dashboard.table.commands import new_command
from tests.apikeys.factories import OLIVIA, call_api, create_key, history_of_key
from tests.conftest import add_business, every_engine
from tests.ui.samples import BUSINESS, NEIGHBOURS
from tests.ui.walk import routes
from tests.ui.world import World


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("who", ["owner", "neighbour"])
def test_every_url_of_a_key_is_not_found_for_the_owner_of_another_business(world: World, who: str, method: str) -> None:
    """Checks URLs of the other business, and URLs of the own business with a key of the other one."""
    own, other = (BUSINESS, NEIGHBOURS) if who == "owner" else (NEIGHBOURS, BUSINESS)
    theirs, _ = create_key(other)
    browser = world.browser(who)
    before = queries.load_key(other, theirs.id).revision
    for route in routes():
        if not route.name.startswith("api_key"):
            continue
        values = {"business": other, "key_id": theirs.id}
        assert getattr(browser, method)(route.url(values)).status_code == 404, route.text
        if "key_id" in route.parts:
            sent = {"revision": before, "rate_limit": "5"} if method == "post" else {}
            response = getattr(browser, method)(route.url({"business": own, "key_id": theirs.id}), sent)
            wrong_method = (method == "get") != (route.name == "api_key")
            assert response.status_code == (405 if wrong_method else 404), route.text
    after = queries.load_key(other, theirs.id)
    assert (after.revision, after.is_active) == (before, True)


Action = Callable[[str, str, int], Any]
ACTIONS: dict[str, Action] = {
    "read": lambda business, key_id, revision: queries.load_key(business, key_id),
    "list": lambda business, key_id, revision: queries.keys_of(business),
    "history": lambda business, key_id, revision: queries.history_of(business, key_id),
    "look up": lambda business, key_id, revision: queries.find_key_by_hash("0" * 64),
    "issue": lambda business, key_id, revision: services.create(
        business, name="x", origins=[], rate_limit=1, command=new_command(OLIVIA)
    ),
    "edit": lambda business, key_id, revision: services.edit(
        business, key_id, name="x", origins=[], rate_limit=1, revision=revision, command=new_command(OLIVIA)
    ),
    "revoke": lambda business, key_id, revision: services.revoke(
        business, key_id, revision=revision, command=new_command(OLIVIA)
    ),
    "restore": lambda business, key_id, revision: services.restore(
        business, key_id, revision=revision, command=new_command(OLIVIA)
    ),
}


@every_engine
def test_services_and_queries_find_nothing_of_another_business(table: str) -> None:
    add_business("andina", "Coca-Cola Andina")
    theirs, _ = create_key("harbour")
    for name, act in ACTIONS.items():
        with tenancy.bind(tenancy.Binding("andina", OLIVIA.email)), pytest.raises(NotFound):
            act("harbour", theirs.id, theirs.revision)
        if name in {"read", "edit", "revoke", "restore"}:
            with tenancy.bind(tenancy.Binding("andina", OLIVIA.email)), pytest.raises(NotFound):
                act("andina", theirs.id, theirs.revision)
    assert queries.load_key("harbour", theirs.id).revision == theirs.revision
    assert [entry.action for entry in history_of_key(theirs)] == ["apikey.issue"]
    assert queries.keys_of("andina").items == []


@api("GET", "POST")
def read_any_business(request: HttpRequest, business: str) -> JsonResponse:
    """A careless endpoint: it takes the business from the URL."""
    read.get_many([keys.TENANT.key(tenant=business), keys.SERVICE.key(tenant=business, service="s1")])
    return JsonResponse({"binding": vars(tenancy.bound.get())})


urlpatterns = [path("api/v1/reach/<str:business>", read_any_business, name="reach"), *urls.urlpatterns]
handler404, handler500 = urls.handler404, urls.handler500


def test_an_endpoint_can_read_its_own_business_only(table: str, settings: Any) -> None:
    settings.ROOT_URLCONF = __name__
    add_business("andina", "Coca-Cola Andina")
    add_business("harbour", "Harbour Coffee")
    key, secret = create_key("andina")
    own = call_api(secret, "/api/v1/reach/andina")
    binding = asdict(tenancy.Binding("andina", f"key:{key.id}", key.id))
    assert own.json() == {"binding": binding | {"readable_emails": []}}
    for method in ("get", "post"):
        other = call_api(secret, "/api/v1/reach/harbour", method)
        assert (other.status_code, other.json()["code"]) == (404, "not_found")
    assert tenancy.bound.get() is None

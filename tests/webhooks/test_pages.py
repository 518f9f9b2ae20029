"""The pages of webhooks."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.audit.queries import latest_of
from dashboard.platform.webhooks import queries
from dashboard.platform.webhooks.items import DeliveryState, Webhook
from dashboard.table import write
from tests.conftest import add_business
from tests.ui.html import form_to, parse, undo_form
from tests.ui.walk import calls_of
from tests.ui.world import World, world
from tests.webhooks.factories import create_webhook, deliveries_of, reload

__all__ = ["world"]


@pytest.fixture
def business(world: World) -> str:
    business_id = f"shop-{new_id()[-8:]}"
    add_business(business_id, "Shop", "olivia@example.com")
    return business_id


@pytest.fixture
def olivia(world: World) -> Client:
    return world.browser("owner")


def create(browser: Client, base: str, **more: Any) -> tuple[str, str]:
    """Create a webhook with the form; its id and its secret."""
    form = form_to(parse(browser.get(f"{base}new/")), f"{base}new/")
    data = form.data(name="Till", url="https://hooks.example.com/x", **more)
    response = browser.post(f"{base}new/", data)
    assert response.status_code == 200, parse(response).text
    page = parse(response)
    link = next(each.attrs["href"] for each in page.all("a") if each.text == "Done")
    return link.rstrip("/").rpartition("/")[2], page.one("input", id="secret").attrs["value"]


def test_a_webhook_is_created_and_its_secret_shown_once(olivia: Client, business: str) -> None:
    base = f"/b/{business}/webhooks/"
    assert "No webhooks yet" in parse(olivia.get(base)).text
    webhook_id, secret = create(olivia, base, events=["booking.created", "stock.low"])
    assert secret.startswith("whsec_")
    response = olivia.get(f"{base}{webhook_id}/")
    assert calls_of(response).trips <= 2
    assert secret not in response.content.decode() and "https://hooks.example.com/x" in response.content.decode()
    webhook = queries.load_webhook(business, webhook_id)
    assert webhook.event_names == ["booking.created", "stock.low"]
    assert [entry.action for entry in latest_of(business)] == ["webhook.create"]
    assert secret not in str([entry.raw for entry in latest_of(business)])


@pytest.mark.parametrize(
    "url", ["http://example.com/", "https://127.0.0.1/", "https://localhost/", "https://10.1.2.3/"]
)
def test_a_private_address_is_refused_with_what_was_typed(olivia: Client, business: str, url: str) -> None:
    base = f"/b/{business}/webhooks/"
    form = form_to(parse(olivia.get(f"{base}new/")), f"{base}new/")
    response = olivia.post(f"{base}new/", form.data(name="Till", url=url))
    assert response.status_code == 422
    assert "public internet" in parse(response).text and url in response.content.decode()
    assert queries.webhooks_of(business) == []


def test_each_action_can_be_undone_where_it_has_an_inverse(olivia: Client, business: str) -> None:
    webhook = create_webhook(business)
    base = f"/b/{business}/webhooks/{webhook.id}/"

    def press(name: str) -> None:
        form = form_to(parse(olivia.get(base)), f"{base}{name}/")
        assert olivia.post(f"{base}{name}/", form.data()).status_code in {200, 303}

    def undo(path: str) -> None:
        form = undo_form(olivia.get(path))
        assert olivia.post(form.action, form.data()).status_code == 303

    press("off")
    assert not reload(webhook).is_on
    undo(base)
    assert reload(webhook).is_on
    press("rotate")
    assert reload(webhook).has_previous_secret
    press("end-overlap")
    assert not reload(webhook).has_previous_secret
    press("remove")
    assert queries.webhooks_of(business) == []
    undo(f"/b/{business}/webhooks/")
    assert reload(webhook).url == webhook.url


def test_settings_are_saved_with_a_revision(olivia: Client, business: str) -> None:
    webhook = create_webhook(business, "https://hooks.example.com/old")
    base = f"/b/{business}/webhooks/{webhook.id}/"
    form = form_to(parse(olivia.get(base)), f"{base}edit/")
    changed = form.data(url="https://hooks.example.com/new", events=["theme.published"])
    assert olivia.post(f"{base}edit/", changed).status_code == 303
    saved = reload(webhook)
    assert (saved.url, saved.event_names) == ("https://hooks.example.com/new", ["theme.published"])
    undo = undo_form(olivia.get(base))
    assert olivia.post(undo.action, undo.data()).status_code == 303
    assert reload(webhook).url == "https://hooks.example.com/old"
    late = olivia.post(f"{base}edit/", form.data(name="Late"))
    assert late.status_code == 409


def test_a_test_is_queued_shown_and_can_be_cancelled(olivia: Client, business: str) -> None:
    webhook = create_webhook(business)
    base = f"/b/{business}/webhooks/{webhook.id}/"
    form = form_to(parse(olivia.get(base)), f"{base}test/")
    response = olivia.post(f"{base}test/", form.data(), follow=True)
    assert "webhook.test" in parse(response).text
    (delivery,) = deliveries_of(webhook)
    path = f"{base}deliveries/{delivery.place}/"
    page = olivia.get(path)
    assert calls_of(page).trips <= 2
    cancel = form_to(parse(page), f"{path}cancel/")
    assert olivia.post(f"{path}cancel/", cancel.data()).status_code == 303
    assert deliveries_of(webhook)[0].state == DeliveryState.CANCELLED


def test_the_home_page_names_a_webhook_that_fails_for_an_hour(olivia: Client, business: str) -> None:
    webhook = create_webhook(business, name="Till")
    text = "The webhook Till does not reach its receiver"
    for minutes, is_named in ((10, False), (70, True)):
        since = now() - timedelta(minutes=minutes)
        write.update(webhook.key, [Webhook.failing_since.set(since)])
        assert (text in parse(olivia.get(f"/b/{business}/")).text) is is_named


def test_admins_have_webhooks_of_the_platform(world: World) -> None:
    admin = world.browser("admin")
    webhook_id, _secret = create(admin, "/webhooks/")
    assert queries.load_webhook("", webhook_id).event_names == ["post.banned"]
    assert "A post is banned" in parse(admin.get(f"/webhooks/{webhook_id}/")).text


def test_another_business_sees_neither_webhook_nor_delivery(olivia: Client, business: str) -> None:
    add_business("lighthouse", "Lighthouse", "nuria@example.com")
    foreign = create_webhook("lighthouse")
    assert olivia.get(f"/b/lighthouse/webhooks/{foreign.id}/").status_code == 404
    assert olivia.get(f"/b/{business}/webhooks/{foreign.id}/").status_code == 404

"""Links to pages that are not published: signed, expiring, and without scripts or an account."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from content.queries.history import history_of
from content.sharing import token_of
from content.statuses import PageStatus
from dashboard.core.clock import frozen, now
from tests.content.site import BUSINESS, a_page, page_url, save_page, set_status_of
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of

BLOCKS = [{"type": "paragraph", "content": [{"type": "text", "text": "Coming <script>soon</script>"}]}]


def test_a_link_shows_the_draft_as_it_is_saved_until_it_expires(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    url = f"{page_url(page)}share/"
    answer = as_owner.post(url, form_to(as_owner.get(url), url).data(days="7"))
    link = parse(as_owner.get(answer.headers["Location"])).one("input", id="shared-link").attrs["value"]
    shown = Client().get(link)
    assert shown.status_code == 200 and "Coming &lt;script&gt;soon" in shown.content.decode()
    assert "default-src 'none'" in shown.headers["Content-Security-Policy"]
    assert "script-src" not in shown.headers["Content-Security-Policy"]
    assert (shown.headers["Referrer-Policy"], shown.headers["Cache-Control"]) == ("no-referrer", "no-store, private")
    assert calls_of(shown).trips == 1
    assert history_of(BUSINESS, page.node)[0].action == "page.share"
    page = save_page(page, title="New title")
    assert "New title" in Client().get(link).content.decode()
    with frozen(now() + timedelta(days=7, minutes=1)):
        assert Client().get(link).status_code == 404
    set_status_of(page, PageStatus.ARCHIVED)
    assert Client().get(link).status_code == 404


@pytest.mark.parametrize("token", ["x", "x:y", "W10:abc"])
def test_a_link_that_we_did_not_sign_is_not_found(table: str, token: str) -> None:
    assert Client().get(f"/draft/{token}/").status_code == 404


def test_a_changed_link_is_not_found(table: str, as_owner: Client) -> None:
    token = token_of(BUSINESS, a_page(blocks=BLOCKS).node, now() + timedelta(days=1))
    assert Client().get(f"/draft/{token}/").status_code == 200
    assert Client().get(f"/draft/{token[:-2]}aa/").status_code == 404


def test_an_invalid_lifetime_is_refused(table: str, as_owner: Client) -> None:
    page = a_page()
    assert as_owner.post(f"{page_url(page)}share/", {"days": "4000"}).status_code == 422
    for until in ("x", "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"):
        assert not parse(as_owner.get(f"{page_url(page)}share/?until={until}")).all("input", id="shared-link")

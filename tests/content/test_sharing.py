"""Links to pages that are not published: stored, revocable, expiring, and without scripts or an account."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import signing
from django.test import Client

from content.items import PageShareLink
from content.queries.history import history_of
from content.queries.shares import page_share_links
from content.services import sharing
from content.statuses import PageStatus
from dashboard.core.clock import frozen, now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts import tokens
from dashboard.table import read
from dashboard.table.commands import new_command
from tests.conftest import ACTOR, every_engine
from tests.content.site import BUSINESS, NEIGHBOURS, a_page, page_url, save_page, set_status_of
from tests.ui.html import form_to, parse, undo_form
from tests.ui.walk import calls_of

BLOCKS = [{"type": "paragraph", "content": [{"type": "text", "text": "Coming <script>soon</script>"}]}]


def link_of(node: str, days: int = 7, note: str = "") -> tuple[PageShareLink, str]:
    """A link and its address."""
    command = new_command(ACTOR)
    link = sharing.share(BUSINESS, node, days, note=note, command=command)
    return link, f"/draft/{sharing.token_of(link, command)}/"


def test_a_link_shows_the_draft_as_it_is_saved_until_it_expires(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    url = f"{page_url(page)}share/"
    answer = as_owner.post(url, form_to(as_owner.get(url), url).data(days="7", note="For Ana"))
    link = parse(answer).one("input", id="shared-link").attrs["value"]
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


@every_engine
def test_the_secret_is_not_stored_and_the_same_form_gives_the_same_link(table: str) -> None:
    page, command = a_page(), new_command(ACTOR)
    first, again = (sharing.share(BUSINESS, page.node, 1, command=command) for _ in range(2))
    assert first.key == again.key and len(page_share_links(BUSINESS, page.node)) == 1
    raw = read.raw_item(first.key)
    assert raw is not None and sharing.token_of(first, command).partition(".")[2] not in str(raw)
    assert int(raw["ttl"]["N"]) == pytest.approx((now() + timedelta(days=1)).timestamp(), abs=60)


def test_a_revoked_link_stops_working_until_that_is_undone(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    kept, revoked = link_of(page.node, note="Kept"), link_of(page.node, note="Old")
    url = f"{page_url(page)}share/"
    shown = parse(as_owner.get(url)).one("main").text
    assert "Kept" in shown and "Old" in shown and (ACTOR.name or ACTOR.email) in shown
    revoke = f"{url}{revoked[0].id}/revoke/"
    form_to(as_owner.get(url), revoke).send(as_owner)
    assert Client().get(revoked[1]).status_code == 404 and Client().get(kept[1]).status_code == 200
    listed = as_owner.get(url)
    assert "Old" not in parse(listed).one("table").text
    assert history_of(BUSINESS, page.node)[0].action == "page.unshare"
    assert as_owner.post(revoke, {}).status_code == 409
    undo_form(listed).send(as_owner)
    assert Client().get(revoked[1]).status_code == 200
    assert history_of(BUSINESS, page.node)[0].action == "page.reshare"
    assert as_owner.post(f"{url}{revoked[0].id}/restore/", {}).status_code == 409


def test_an_expired_link_is_not_listed_and_cannot_be_revoked(table: str) -> None:
    page = a_page()
    link, _address = link_of(page.node, days=1)
    with frozen(now() + timedelta(days=1, minutes=1)):
        assert page_share_links(BUSINESS, page.node) == []
        with pytest.raises(NotFound):
            sharing.revoke(BUSINESS, page.node, link.id, command=new_command(ACTOR))


def test_a_page_has_a_limited_number_of_links(table: str, as_owner: Client) -> None:
    page = a_page()
    links = [link_of(page.node)[0] for _ in range(sharing.MAX_LINKS)]
    with pytest.raises(Refused):
        link_of(page.node)
    refused = as_owner.post(f"{page_url(page)}share/", {"days": "1"})
    assert refused.status_code == 422 and "up to 20 links" in parse(refused).one("main").text
    sharing.revoke(BUSINESS, page.node, links[0].id, command=new_command(ACTOR))
    link_of(page.node)


def test_a_link_shows_only_its_own_page(table: str, as_owner: Client) -> None:
    page, other = a_page("One"), a_page("Two")
    foreign = a_page("Theirs", business=NEIGHBOURS)
    link, address = link_of(page.node)
    secret = address.strip("/").rpartition(".")[2]
    for business, node in (
        (BUSINESS, other.node),
        (NEIGHBOURS, foreign.node),
        (NEIGHBOURS, page.node),
        ("", page.node),
    ):
        token = tokens.pack(f"{business}#{node}", secret)
        assert Client().get(f"/draft/{token}/").status_code == 404
    assert as_owner.post(f"{page_url(other)}share/{link.id}/revoke/", {}).status_code == 404
    foreign_url = f"/b/{NEIGHBOURS}/site/pages/{page.node}/share/{link.id}/revoke/"
    assert as_owner.post(foreign_url, {}).status_code == 404


@pytest.mark.parametrize("token", ["x", "x:y", "W10:abc", "W10.abc", "YW5kaW5h.a", ".a", "é.a", "a" * 700])
def test_a_link_that_is_not_ours_is_not_found(table: str, token: str) -> None:
    assert Client().get(f"/draft/{token}/").status_code == 404


def test_a_link_that_was_only_signed_no_longer_works(table: str) -> None:
    """Such links were made before links were stored. They could not be revoked."""
    page = a_page(blocks=BLOCKS)
    until = int((now() + timedelta(days=1)).timestamp())
    token = signing.Signer(salt="shared page").sign_object([BUSINESS, page.node, until])
    assert Client().get(f"/draft/{token}/").status_code == 404


def test_an_invalid_lifetime_is_refused(table: str, as_owner: Client) -> None:
    page = a_page()
    assert as_owner.post(f"{page_url(page)}share/", {"days": "4000"}).status_code == 422
    assert as_owner.post(f"{page_url(page)}share/", {"days": "1", "note": "x" * 300}).status_code == 422
    assert page_share_links(BUSINESS, page.node) == []

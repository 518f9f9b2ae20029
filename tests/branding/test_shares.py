"""Share links show the preview of a version to people without an account, until they expire or are revoked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from branding import queries
from branding.items import ShareLink, Theme
from branding.services import drafts, shares
from dashboard.core.clock import frozen, now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.tokens import hashed
from dashboard.table import connection, keys, write
from dashboard.table.commands import new_command
from dashboard.table.guards import offline
from tests.branding.publishing_factory import (
    BUSINESS,
    NOON,
    OLIVIA,
    audit_entries,
    create_draft,
    create_share_link,
    publish,
    put_share_link,
)
from tests.conftest import add_business, every_engine, real_engines, sign_in
from tests.faults import bad_network, lose_reply, lose_request
from tests.table.notes import on_dynoxide
from tests.table.test_races import run_at_once
from tests.ui.html import form_to, forms, inline, parse, toasts
from tests.ui.walk import calls_of

DEAD_LINK_TEXT = "This link no longer works"


@pytest.fixture(autouse=True)
def andina(table: str) -> Iterator[None]:
    add_business(BUSINESS, "Coca-Cola Andina", OLIVIA.email)
    yield


@pytest.fixture
def olivia(people_by_role: dict[str, Person]) -> Client:
    return sign_in(people_by_role["owner"])


def open_link(token: str, path: str = "", **options: Any) -> Any:
    return Client(raise_request_exception=False).get(f"/share/{token}/{path}", **options)


def reload(link: ShareLink) -> ShareLink:
    return queries.load_share_link(BUSINESS, int(link.key_parts["version"]), link.id)


def share_url(theme: Theme) -> str:
    return f"/b/{BUSINESS}/branding/themes/{theme.number}/share/"


def test_only_the_hash_of_a_link_is_stored(table: str) -> None:
    theme = create_draft(name="Autumn")
    with frozen(NOON):
        _, token = create_share_link(BUSINESS, theme.number, days=7, note="For the agency")
        business, version, secret = token.rsplit(".", 2)
        assert (business, version) == (BUSINESS, "1") and re.fullmatch("[0-9a-f]{40}", secret)
        (stored,) = queries.share_links(BUSINESS, theme.number)
        assert stored.key == keys.SHARE.key(tenant=BUSINESS, version=1, hash=hashed(secret))
        assert (stored.note, stored.created_by_name, stored.views) == ("For the agency", OLIVIA.name, 0)
        assert stored.expires_at == NOON + timedelta(days=7)
    (entry,) = audit_entries(BUSINESS, "theme.share")
    assert entry.after == {"until": "2026-03-09T12:00:00Z", "note": "For the agency"}
    assert entry.target == {"type": "theme", "id": "theme-1", "title": "v1 Autumn"}
    with offline():
        everything = str(connection.client().scan(TableName=connection.table().table_name)["Items"])
    assert secret not in everything


@real_engines
def test_a_repeated_command_gives_the_same_link(table: str) -> None:
    theme, command = create_draft(), new_command(OLIVIA)
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply, lose_reply)
        links = [shares.create(BUSINESS, theme.number, days=1, command=command) for _ in range(3)]
    assert len({shares.token_of(each, command) for each in links}) == 1
    assert len(queries.share_links(BUSINESS, theme.number)) == len(audit_entries(BUSINESS, "theme.share")) == 1
    assert open_link(shares.token_of(links[0], command)).status_code == 200


def test_a_visitor_sees_only_the_preview(table: str) -> None:
    theme = create_draft(name="Autumn", primaryColor="#aa3300")
    _, token = create_share_link(BUSINESS, theme.number, days=30)
    response = open_link(token)
    page = parse(response)
    assert response.status_code == 200
    assert page.one("h1").text == "Coca-Cola Andina"
    assert "v1 Autumn" in page.text and "Draft – not published" in page.text and "This link expires on" in page.text
    frame = page.one("iframe")
    assert frame.attrs["src"] == f"/share/{token}/preview/?screen=home"
    inner = open_link(token, "preview/?screen=home")
    assert inner.status_code == 200 and "Coca-Cola Andina" in inner.content.decode()
    sheets = [each.attrs["href"] for each in parse(inner).all("link", rel="stylesheet")]
    assert f"/share/{token}/preview.css" in sheets
    css = open_link(token, "preview.css")
    assert css.headers["Content-Type"] == "text/css; charset=utf-8"
    assert b"--brand-primary-color: #aa3300;" in css.content
    # No link to the back office, no script, no form, no cookie.
    for answer in (response, inner, css):
        assert not answer.cookies
    links = [each.attrs["href"] for each in [*page.all("a"), *parse(inner).all("a")]]
    assert links and all(href.startswith((f"/share/{token}/", "#")) for href in links), links
    assert page.all("script", "form", "input") == [] and inline(page) == []


def test_screens_and_widths_are_links() -> None:
    _, token = create_share_link(BUSINESS, create_draft().number)
    page = parse(open_link(token))
    links = [each.attrs["href"] for nav in page.all("nav") for each in nav.all("a")]
    assert len(links) == 8
    chosen = parse(open_link(token, "?screen=forum&width=375"))
    frame = chosen.one("iframe")
    assert (frame.attrs["src"].rpartition("=")[2], frame.attrs["width"]) == ("forum", "375")
    current = [each.text for each in chosen.all("a", aria_current="page")]
    assert current == ["Forum", "Phone"]
    odd = parse(open_link(token, "?screen=<x>&width=9999")).one("iframe")
    # An unknown width is the full width of the window.
    assert (odd.attrs["src"].rpartition("=")[2], odd.attrs["width"]) == ("home", "100%")


def test_the_page_is_in_the_language_of_the_visitor() -> None:
    _, token = create_share_link(BUSINESS, create_draft().number)
    response = open_link(token, headers={"Accept-Language": "es-CL,es;q=0.9"})
    assert parse(response).one("html").attrs["lang"] == "es"


POLICY = {
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
}


def test_headers_prevent_referrers_caching_indexing_and_framing() -> None:
    _, token = create_share_link(BUSINESS, create_draft().number)
    wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
    for path in ("", "preview/", "preview.css"):
        for given in (token, wrong):
            response = open_link(given, path)
            assert response.headers["Referrer-Policy"] == "no-referrer"
            assert response.headers["Cache-Control"] == "no-store, private"
            assert response.headers["X-Robots-Tag"] == "noindex, nofollow"
            policy = {each.strip() for each in response.headers["Content-Security-Policy"].split(";")}
            if path != "preview.css":
                framed = path and given == token
                assert policy >= POLICY and not any("script" in each for each in policy)
                assert ("frame-ancestors 'self'" in policy) == bool(framed)
                assert response.headers["X-Frame-Options"] == ("SAMEORIGIN" if framed else "DENY")


def is_dead_link(token: str) -> bool:
    """Every kind of dead link shows the same text, at all three addresses."""
    answers = [open_link(token, path) for path in ("", "preview/", "preview.css")]
    assert {each.status_code for each in answers} in ({404}, {200})
    if answers[0].status_code == 200:
        return False
    texts = {re.sub(r"[0-9a-z]{16}", "", parse(each).text) for each in answers}
    assert texts == {
        f"{DEAD_LINK_TEXT} {DEAD_LINK_TEXT} It has expired or was revoked. Ask the person who sent it for a new one."
    }
    assert all("Coca-Cola" not in each.content.decode() for each in answers)
    return True


def test_an_expired_link_does_not_work() -> None:
    with frozen(NOON):
        _, token = create_share_link(BUSINESS, create_draft().number, days=1)
    with frozen(NOON + timedelta(days=1, seconds=-1)):
        assert not is_dead_link(token)
    with frozen(NOON + timedelta(days=1)):
        assert is_dead_link(token)
        assert queries.share_links(BUSINESS, 1) == []


def test_a_revoked_link_does_not_work(table: str) -> None:
    theme = create_draft()
    link, token = create_share_link(BUSINESS, theme.number, note="For the agency")
    other = create_share_link(BUSINESS, theme.number)[1]
    shares.revoke(BUSINESS, theme.number, link.id, command=new_command(OLIVIA))
    assert is_dead_link(token) and not is_dead_link(other)
    (entry,) = audit_entries(BUSINESS, "theme.unshare")
    assert (entry.before or {}).items() >= {"note": "For the agency", "views": 0}.items()
    assert link.id not in str(entry.serialize())
    with pytest.raises(NotFound, match="no longer works"):
        shares.revoke(BUSINESS, theme.number, link.id, command=new_command(OLIVIA))


def test_a_link_works_only_while_its_version_exists_and_is_not_discarded() -> None:
    theme = create_draft()
    _, token = create_share_link(BUSINESS, theme.number)
    gone = drafts.discard(BUSINESS, 1, revision=theme.revision, command=new_command(OLIVIA))
    assert is_dead_link(token)
    drafts.restore(BUSINESS, 1, revision=gone.revision, command=new_command(OLIVIA))
    assert not is_dead_link(token)
    publish(queries.load_theme(BUSINESS, 1))
    assert "Draft – not published" not in parse(open_link(token)).text
    write.remove(theme.key)
    assert is_dead_link(token)


def test_a_link_to_an_expired_draft_does_not_work() -> None:
    with frozen(NOON):
        create_draft()
    with frozen(NOON + drafts.DELETED_AFTER - timedelta(days=1)):
        _, token = create_share_link(BUSINESS, 1, days=30)
        assert not is_dead_link(token)
    with frozen(NOON + drafts.DELETED_AFTER):
        assert is_dead_link(token)


@pytest.mark.parametrize(
    "template",
    [
        "andina.1.{}",
        "andina.2.{secret}",
        "harbour.1.{secret}",
        "SYSTEM.1.{secret}",
        "no.such.business.1.{secret}",
        "andina.99999999.{secret}",
    ],
)
def test_an_invented_link_does_not_work(template: str) -> None:
    create_draft()
    add_business("harbour", "Harbour Coffee")
    _, token = create_share_link(BUSINESS, 1)
    secret = token.rpartition(".")[2]
    assert is_dead_link(template.format("0" * 40, secret=secret))


@pytest.mark.parametrize("token", ["x", "andina.1", f"andina.123456789.{'0' * 40}", f"andina.1.{'0' * 64}", "a" * 5000])
def test_a_malformed_token_is_404_without_a_read(token: str) -> None:
    response = open_link(token)
    assert response.status_code == 404
    assert calls_of(response).calls == []


def test_business_ids_with_dots_work() -> None:
    add_business("a.b-c_d.1", "Dotted")
    theme = create_draft("a.b-c_d.1")
    _, token = create_share_link("a.b-c_d.1", theme.number)
    assert parse(open_link(token)).one("h1").text == "Dotted"


def test_a_link_takes_one_read_and_one_write_for_the_count() -> None:
    _, token = create_share_link(BUSINESS, create_draft().number)
    for path, expected in (("", ["BatchGetItem", "UpdateItem"]), ("preview/", ["BatchGetItem"])):
        assert [call.operation for call in calls_of(open_link(token, path)).calls] == expected
        assert {call.business for call in calls_of(open_link(token, path)).calls} == {BUSINESS}


@every_engine
def test_views_are_counted_except_previews_prefetches_and_members(
    table: str, people_by_role: dict[str, Person]
) -> None:
    link, token = create_share_link(BUSINESS, create_draft().number)
    with frozen(now() + timedelta(minutes=5)):
        open_link(token)
        open_link(token, "?screen=forum")
        seen_at = now()
    assert reload(link).views == 2
    Client().head(f"/share/{token}/")
    open_link(token, "preview/")
    open_link(token, "preview.css")
    open_link(token, headers={"Sec-Purpose": "prefetch;prerender"})
    sign_in(people_by_role["owner"]).get(f"/share/{token}/")
    assert (reload(link).views, reload(link).last_viewed_at) == (2, seen_at)
    assert audit_entries(BUSINESS, "theme.unshare") == []


@real_engines
def test_concurrent_views_are_all_counted_and_a_revoked_link_stays_deleted(table: str) -> None:
    theme = create_draft()
    link, token = create_share_link(BUSINESS, theme.number)
    run_at_once(lambda _: open_link(token), threads=8)
    assert reload(link).views == 8
    shared_theme = shares.find_shared_theme(token)
    assert shared_theme is not None
    shares.revoke(BUSINESS, theme.number, link.id, command=new_command(OLIVIA))
    shares.count_view(shared_theme)
    assert queries.share_links(BUSINESS, theme.number) == []


@on_dynoxide
def test_a_failed_count_does_not_hide_the_page(table: str, caplog: pytest.LogCaptureFixture) -> None:
    _, token = create_share_link(BUSINESS, create_draft().number)
    with bad_network() as network:
        network.next("UpdateItem", *[lose_request] * 20)
        assert open_link(token).status_code == 200
    assert "a view of a link was not counted" in caplog.text


def test_a_version_has_at_most_20_links_and_expired_links_do_not_count() -> None:
    theme = create_draft()
    with frozen(NOON):
        for _ in range(shares.MAX_LINKS):
            put_share_link(BUSINESS, theme.number)
        with pytest.raises(Refused, match="up to 20 links"):
            create_share_link(BUSINESS, theme.number)
    create_share_link(BUSINESS, theme.number)
    assert len(queries.share_links(BUSINESS, theme.number)) == 1


def test_a_discarded_draft_cannot_be_shared() -> None:
    theme = create_draft()
    drafts.discard(BUSINESS, 1, revision=theme.revision, command=new_command(OLIVIA))
    with pytest.raises(Refused, match="discarded"):
        create_share_link(BUSINESS, 1)


# --- The screen ----------------------------------------------------------------------------------
def test_a_new_link_is_shown_once(olivia: Client) -> None:
    theme = create_draft()
    form = form_to(olivia.get(share_url(theme)), share_url(theme))
    assert form.data()["days"] == "7"
    answer = form.send(olivia, values={"days": "30", "note": "For the agency"})
    url = parse(answer).one("input", id="link").attrs["value"]
    assert url.startswith("http://testserver/share/andina.1.")
    assert "no-store" in answer.headers["Cache-Control"]
    path = url.removeprefix("http://testserver")
    assert Client().get(path).status_code == 200
    # The same form again gives the same link; a reloaded page no longer shows it.
    repeated = form.send(olivia, values={"days": "30", "note": "For the agency"})
    assert parse(repeated).one("input", id="link").attrs["value"] == url
    listed = olivia.get(share_url(theme))
    assert path not in listed.content.decode()
    (row,) = [each for each in parse(listed).all("tr") if "data-row" in each.attrs]
    assert "For the agency" in row.text and "Olivia Andrade" in row.text
    assert [each.text for each in row.all("td", class_="number")] == ["1"]
    assert calls_of(listed).trips == 2


def test_a_link_is_revoked_with_its_button(olivia: Client) -> None:
    theme = create_draft()
    _, token = create_share_link(BUSINESS, theme.number)
    (form,) = [each for each in forms(olivia.get(share_url(theme))) if each.action.endswith("/revoke/")]
    answer = form.send(olivia)
    assert (answer.status_code, answer.headers["Location"]) == (303, share_url(theme))
    assert is_dead_link(token)
    after = olivia.get(share_url(theme))
    assert toasts(after) == ["Link revoked."]
    assert forms(parse(after).one(id="toasts")) == [], "a revoked link has no undo"
    assert form.send(olivia).status_code == 303, "the repeated form reports success"


@pytest.mark.parametrize("fields", [{"days": "365"}, {"days": ""}, {"days": "x"}, {"note": "x" * 201}])
def test_invalid_input_creates_no_share_link(olivia: Client, fields: dict[str, str]) -> None:
    theme = create_draft()
    answer = olivia.post(share_url(theme), {"days": "7", "note": "a"} | fields)
    assert answer.status_code == 422
    assert queries.share_links(BUSINESS, theme.number) == []

"""The list of pages: by status, type and text, from their cards."""

from __future__ import annotations

from django.test import Client

from tests.content.site import SITE, put_outside_page
from tests.ui.html import parse


def titles(browser: Client, query: str = "") -> list[str]:
    page = parse(browser.get(f"{SITE}{query}"))
    return [each.text.split("/")[0].strip() for each in page.all("td", class_="main")]


def test_a_site_without_pages_says_so(table: str, as_owner: Client) -> None:
    assert "No pages yet" in parse(as_owner.get(SITE)).text


def test_pages_of_an_outside_writer_are_listed_by_status_type_and_text(table: str, as_owner: Client) -> None:
    put_outside_page("home", slug="/", title="Café Ñandú", schemaType="WebPage")
    put_outside_page("news", slug="/news/2026", title="News", status="draft", updatedAt="2026-02-05T08:00:00.000Z")
    put_outside_page("old", slug="/old", title="Old", status="Archived")
    put_outside_page("theirs", business="harbour", title="Theirs")
    assert titles(as_owner) == ["News", "Café Ñandú", "Old"] or titles(as_owner) == ["News", "Old", "Café Ñandú"]
    # A status in another spelling counts as ours.
    assert titles(as_owner, "?status=Draft") == ["News"]
    assert titles(as_owner, "?status=Archived") == ["Old"]
    assert titles(as_owner, "?q=nandu+cafe") == ["Café Ñandú"]
    assert titles(as_owner, "?q=/news") == ["News"]
    assert titles(as_owner, "?type=WebPage") == ["Café Ñandú"]
    assert "Nothing matches" in parse(as_owner.get(f"{SITE}?q=nothing")).text
    assert titles(as_owner, "?status=x") != []

"""The editor of the blocks of a page, as a plain form."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse
from pytest import MonkeyPatch

from content.blocks.edits import block_text
from content.blocks.nodes import heading, paragraph, text_node
from content.items import Content
from content.queries import routes
from content.queries.pages import load_page
from dashboard.table import keys
from tests.adoption.outside import put_raw
from tests.content.site import BUSINESS, a_page, put_outside_page, raw_version, save_page
from tests.ui.html import Form, form_to, parse, toasts
from tests.ui.walk import calls_of

HERO = {"type": "hero", "attrs": {"headline": "Slow rugs", "ctaLink": "/contact", "effect": None, "future": {"x": 1}}}
MAP = {"type": "mapEmbed", "attrs": {"lat": 1, "pins": [{"id": "p"}]}}
BLOCKS = [heading(1, "About"), paragraph("One two three"), HERO, MAP, paragraph("Seven eight nine")]


def url(page: Content, name: str = "page_edit") -> str:
    return reverse(name, args=[BUSINESS, page.node])


def editor(browser: Client, page: Content) -> Form:
    return form_to(browser.get(url(page)), url(page))


def blocks_now(page: Content) -> list[Any]:
    return load_page(BUSINESS, page.node).blocks or []


def press(browser: Client, form: Form, page: Content, action: str, **values: str) -> Form:
    answer = form.send(browser, values={**values, "action": action})
    assert answer.status_code == 200
    return form_to(answer, url(page))


def texts(form: Form) -> list[str]:
    return [value for name, value in form.fields if name.endswith("-text")]


def test_a_changed_block_is_saved_and_the_others_are_kept(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)

    done = editor(as_owner, page).send(as_owner, values={"k1-text": "One **two** three"}, follow=True)

    assert toasts(done) == ["About us saved as version 2."]
    bold = {"type": "text", "marks": [{"type": "bold"}], "text": "two"}
    assert blocks_now(page) == [BLOCKS[0], paragraph("One ", bold, " three"), *BLOCKS[2:]]
    assert raw_version(page.node, 1) is not None


def test_saving_without_a_change_makes_no_version(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)

    done = editor(as_owner, page).send(as_owner, follow=True)

    assert toasts(done) == ["Nothing was changed."]
    assert load_page(BUSINESS, page.node).number == 1


def test_buttons_change_the_form_and_only_save_changes_the_page(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    form = press(as_owner, editor(as_owner, page), page, "down:k0", **{"k0-text": "About **us**"})
    assert texts(form)[:2] == ["One two three", "About **us**"]
    form = press(as_owner, form, page, "add:k0:paragraph")
    added = next(name for name, _value in form.fields if name.startswith("x"))
    form = press(as_owner, form, page, "duplicate:k3", **{added: "Added"})
    form = press(as_owner, form, page, "remove:k4")
    assert blocks_now(page) == BLOCKS

    form.send(as_owner)

    saved = blocks_now(page)
    assert saved[0] == BLOCKS[1]
    assert block_text(saved[1]) == "About **us**"
    assert saved[2:] == [paragraph("Added"), HERO, MAP, MAP]


def test_items_of_a_block_are_added_moved_and_removed(table: str, as_owner: Client) -> None:
    items = [{"id": "1", "question": "One", "answer": "a", "rank": 1}, {"id": "2", "question": "Two", "answer": "b"}]
    page = a_page(blocks=[{"type": "faq", "attrs": {"headline": "FAQ", "items": items}}])
    form = press(as_owner, editor(as_owner, page), page, "move-item:k0:items-1")
    form = press(as_owner, form, page, "add-item:k0:items")
    form = press(as_owner, form, page, "remove-item:k0:items-0", **{"k0-items-2-question": "Three"})

    form.send(as_owner)

    attrs = blocks_now(page)[0]["attrs"]
    assert attrs["items"][0] == items[0]
    assert [each["question"] for each in attrs["items"]] == ["One", "Three"]
    assert set(attrs) == {"headline", "items"}


def test_a_block_is_chosen_below_another_one(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)

    answer = editor(as_owner, page).send(as_owner, values={"action": "choose:k0"})

    buttons = [each.attrs.get("value", "") for each in parse(answer).all("button")]
    assert "add:k0:hero" in buttons and "add:k4:hero" in buttons and "add:k1:hero" not in buttons


def test_bad_input_is_refused_at_its_field_and_kept(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)

    answer = editor(as_owner, page).send(as_owner, values={"k2-ctaLink": "javascript:alert(1)", "k1-text": "Kept"})

    assert answer.status_code == 422
    form = dict(form_to(answer, url(page)).fields)
    assert (form["k2-ctaLink"], form["k1-text"]) == ("javascript:alert(1)", "Kept")
    assert "1 block needs a correction" in parse(answer).text
    assert blocks_now(page) == BLOCKS


def test_a_page_that_is_too_large_is_refused_and_the_input_is_kept(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    long = "long " * 90_000

    answer = editor(as_owner, page).send(as_owner, values={"k1-text": long})

    assert answer.status_code == 422
    shown = parse(answer)
    assert "400 KB" in shown.text
    assert dict(form_to(answer, url(page)).fields)["k1-text"] == long
    assert blocks_now(page) == BLOCKS


def test_changes_of_two_people_to_different_blocks_are_merged(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    form = editor(as_owner, page)
    save_page(page, [*BLOCKS[:4], paragraph("Theirs")])

    done = form.send(as_owner, values={"k1-text": "Mine"}, follow=True)

    assert toasts(done) == ["About us saved as version 3, with the changes of others."]
    assert blocks_now(page) == [BLOCKS[0], paragraph("Mine"), HERO, MAP, paragraph("Theirs")]


def test_a_conflict_in_one_block_shows_both_versions_and_asks(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    form = editor(as_owner, page)
    theirs = save_page(page, [BLOCKS[0], paragraph("One two theirs"), *BLOCKS[2:]])

    answer = form.send(as_owner, values={"k1-text": "One two mine", "k0-text": "Ours"})

    assert answer.status_code == 409
    shown = parse(answer)
    assert [each.text for each in shown.all("ins")] == ["mine", "theirs"]
    assert blocks_now(page) == theirs.blocks
    asked = form_to(answer, url(page))
    mark = next(value for name, value in asked.fields if name == "resolve-1").split(":")[1]
    for choice, text in (("theirs", "One two theirs"), ("mine", "One two mine")):
        done = asked.send(as_owner, values={"resolve-1": f"{choice}:{mark}"})
        assert done.status_code == 303
        assert blocks_now(page) == [heading(1, "Ours"), paragraph(text), *BLOCKS[2:]]
        if choice == "theirs":
            save_page(load_page(BUSINESS, page.node), theirs.blocks)


def test_a_form_whose_version_is_gone_shows_what_was_typed(table: str, as_owner: Client) -> None:
    """An outside writer has put another page with the same number."""
    page = a_page(blocks=BLOCKS)
    form = editor(as_owner, page)
    put_outside_page(page.node, slug=page.slug, title=page.title, blocks=[paragraph("Something else")])

    answer = form.send(as_owner, values={"k1-text": "A long text of mine"})

    assert answer.status_code == 409
    assert "A long text of mine" in parse(answer).text
    assert blocks_now(page) == [paragraph("Something else")]


def test_a_form_that_was_cut_off_saves_nothing(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    form = editor(as_owner, page)
    cut = [(name, value) for name, value in form.fields if name not in ("end", "k4-text")]
    data: dict[str, list[str]] = {}
    for name, value in cut:
        data.setdefault(name, []).append(value)

    assert as_owner.post(url(page), data).status_code == 422
    assert blocks_now(page) == BLOCKS


def test_unheard_of_actions_and_markers_change_nothing(table: str, as_owner: Client) -> None:
    page = a_page(blocks=BLOCKS)
    form = editor(as_owner, page)
    for action in ("up:", "up:nobody", "add::mapEmbed", "add-item:k1:items", "remove-item:k2:headline-x", "x", ":::"):
        assert len(press(as_owner, form, page, action).fields) == len(form.fields)
    sent = form.send(as_owner, values={"block": "k0~k~99999~0000", "action": "save"})
    assert sent.status_code == 409
    assert blocks_now(page) == BLOCKS


def test_a_page_with_very_many_fields_is_saved_in_one_form(table: str, as_owner: Client) -> None:
    """The fields of the last blocks are behind a button."""
    many = [{"type": "hero", "attrs": {"headline": f"Hero {number}"}} for number in range(200)]
    page = a_page(blocks=many)
    form = editor(as_owner, page)
    assert len(form.fields) < 2_000
    form = press(as_owner, form, page, "open:k199", **{"k0-headline": "First"})

    form.send(as_owner, values={"k199-headline": "Last"})

    saved = blocks_now(page)
    assert (saved[0]["attrs"]["headline"], saved[199]["attrs"]["headline"]) == ("First", "Last")
    assert saved[1:199] == many[1:199]


def test_a_page_of_the_service_without_blocks_can_be_edited(table: str, as_owner: Client) -> None:
    put_outside_page("bare")
    page = load_page(BUSINESS, "bare")
    form = press(as_owner, editor(as_owner, page), page, "add::heading")
    added = next(name for name, _value in form.fields if name.endswith("-text"))

    form.send(as_owner, values={added: "Hello"})

    assert blocks_now(page) == [heading(2, "Hello")]


def test_problems_of_the_page_are_listed_with_their_blocks(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[paragraph("No title")])

    assert "The page has no heading of level 1." in parse(as_owner.get(url(page))).text


def test_the_page_of_another_business_is_not_found(table: str, as_owner: Client) -> None:
    put_outside_page("theirs", business="harbour")

    for name in ("page_edit", "page_preview", "page_preview_frame"):
        assert as_owner.get(reverse(name, args=[BUSINESS, "theirs"])).status_code == 404
        assert as_owner.get(reverse(name, args=["harbour", "theirs"])).status_code == 404


def test_links_to_addresses_that_do_not_exist_are_reported(
    table: str, as_owner: Client, monkeypatch: MonkeyPatch
) -> None:
    a_page("Prices", slug="/prices")
    # As an outside writer spells it.
    put_raw(keys.ROUTE.key(tenant=BUSINESS, slug="/Old"), IsRedirect=True, RedirectTo="/prices")

    def link(address: str) -> Any:
        return paragraph(text_node("Our offer", {"type": "link", "attrs": {"href": address}}))

    alive = [
        link(address) for address in ("/prices", "/prices/?a=1", "/Old", "/contact", "/shop/rug", "https://a.example/x")
    ]
    page = a_page(blocks=[heading(1, "About"), *alive, link("/gone")])
    dead = "No published page has this address."

    shown = parse(as_owner.get(url(page))).text
    assert shown.count(dead) == 1
    assert f"{dead} /gone" in shown
    answer = editor(as_owner, page).send(as_owner, values={"action": "remove:k7"})
    assert dead not in parse(answer).text
    assert calls_of(as_owner.get(url(page))).trips == 2

    monkeypatch.setattr(routes, "MAX_LINKABLE", 1)
    assert dead not in parse(as_owner.get(url(page))).text

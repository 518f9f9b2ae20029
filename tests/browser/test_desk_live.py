"""An open list of the desk stays current: decisions of colleagues, counts and relative times."""

from __future__ import annotations

from playwright.sync_api import expect

from dashboard.table.commands import Actor
from forum.actions import Action
from forum.items import Comment, Post
from forum.targets import ForumTarget
from tests.attacks.outside_host import NAME, http, outside_host
from tests.branding.pictures import png
from tests.browser.axe import complaints
from tests.browser.conftest import Open
from tests.browser.test_moderation_desk import create_queue, decided_cards, focus_first, open_cards
from tests.forum.factories import create_comment, create_post, decide

INES = Actor("ines@example.com", "Inés Mora")


def name_of(item: Post | Comment) -> str:
    return ForumTarget.of(item).path


def test_decisions_of_colleagues_counts_and_times_appear_in_an_open_list(open_as: Open) -> None:
    items = create_queue(4)
    page = open_as("moderator", "/forum/")
    page.clock.install()
    page.reload()
    expect(open_cards(page)).to_have_count(4)
    first, *others = reversed(items)
    page.keyboard.press("j")
    page.clock.run_for(2_000)
    decide(others[0], Action.BAN, by=INES)
    decide(first, Action.DELETE, by=INES)
    page.clock.run_for(13_000)
    row = page.locator(f"[data-name='{name_of(others[0])}']")
    expect(row).to_contain_text("Inés Mora banned it")
    expect(page.locator(".tabs [aria-current] .count")).to_have_text("2")
    # The card with the focus says it, and stays under the cursor.
    focused = page.locator(f"[data-name='{name_of(first)}']")
    expect(focused.locator("[data-open]")).to_have_text("Inés Mora deleted it")
    expect(focused.locator(".row-link")).to_be_focused()
    assert complaints(page) == []
    page.keyboard.press("j")
    expect(focused).to_contain_text("Inés Mora deleted it")
    expect(decided_cards(page)).to_have_count(2)
    expect(open_cards(page).first.locator("time").first).to_have_text("just now")
    page.clock.run_for(120_000)
    expect(open_cards(page).first.locator("time").first).to_have_text("2 min ago")


def test_decisions_of_colleagues_appear_on_the_page_of_a_post_and_of_an_author(open_as: Open) -> None:
    first, second = create_queue(2)
    page = open_as("moderator", f"/forum/posts/{name_of(first)}/")
    page.clock.install()
    page.reload()
    page.clock.run_for(2_000)
    decide(first, Action.BAN, by=INES)
    page.clock.run_for(13_000)
    expect(page.locator(f"[data-name='{name_of(first)}'] .case-ban")).to_contain_text("Banned by Inés Mora")
    expect(page.locator("[data-history]")).to_contain_text("Inés Mora")
    page.get_by_role("button", name="Restore").click()
    expect(page.locator(".case-ban")).to_have_count(0)

    page.goto(f"/forum/people/{second.user_id}/")
    page.clock.run_for(2_000)
    decide(second, Action.BAN, by=INES)
    page.clock.run_for(13_000)
    row = page.locator(f"[data-name='{name_of(second)}']")
    expect(row.locator(".case-ban")).to_contain_text("Banned by Inés Mora")
    expect(page.locator("[data-history]").last).to_contain_text("Inés Mora")
    assert complaints(page) == []


def test_a_comment_with_its_context_and_a_picture_at_large_size_on_a_phone(open_as: Open, monkeypatch: object) -> None:
    create_queue(0)
    with outside_host(monkeypatch) as host:  # type: ignore[arg-type]
        host.answers |= {"/a.png": http(png(1))}
        post = create_post("palabra2 con foto https://tickets.example/x", images=[f"http://{NAME}/a.png"])
        parent = create_comment(post, "Buenos días a todos")
        create_comment(post, "palabra2 también", reply_to=ForumTarget.of(parent).comment)
        page = open_as("moderator", "/forum/", viewport={"width": 390, "height": 844}, has_touch=True)
        expect(open_cards(page)).to_have_count(2)
        expect(page.locator(".case-links")).to_have_text("tickets.example")
        context = page.locator("[data-context]")
        context.locator("summary").tap()
        expect(context).to_contain_text("Buenos días a todos")
        expect(context).to_contain_text("palabra2 con foto")

        page.get_by_role("link", name="Show picture").tap()
        picture = page.locator("[data-picture] img")
        expect(picture).to_have_css("filter", "blur(24px)")
        picture.tap()
        expect(picture).to_have_css("filter", "none")
        picture.tap()
        large = page.get_by_role("dialog", name="Picture").locator("img")
        expect(large).to_be_visible()
        assert complaints(page) == []
        page.get_by_role("button", name="Close").tap()
        expect(picture).to_have_css("filter", "none")
        # The picture stays without blur when its card is replaced, and after a reload once it is shown again.
        card = page.locator(f"[data-name='{name_of(post)}']")
        card.get_by_role("button", name="Delete").tap()
        page.get_by_role("button", name="Undo").last.tap()
        expect(card.locator("[data-picture] img")).to_have_css("filter", "none")
        page.reload()
        page.get_by_role("link", name="Show picture").tap()
        expect(page.locator("[data-picture] img")).to_have_css("filter", "none")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_toggles_choose_posts_or_comments(open_as: Open) -> None:
    post, *_others = create_queue(2)
    assert isinstance(post, Post)
    create_comment(post, "palabra2 también")
    page = open_as("moderator", "/forum/")
    expect(open_cards(page)).to_have_count(3)
    page.get_by_label("Posts", exact=True).uncheck()
    expect(open_cards(page)).to_have_count(1)
    focus_first(page)
    page.keyboard.press("a")
    expect(decided_cards(page)).to_have_count(1)
    page.reload()
    expect(page.locator(".empty")).to_contain_text("Still to review: 2 posts")
    page.get_by_role("link", name="Show all").click()
    expect(open_cards(page)).to_have_count(2)

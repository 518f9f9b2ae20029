"""Screenshots of every page, at two widths, in both themes and both languages: `make screenshots`.

All are written to `.data/screenshots/`; those in the README are also written to `docs/images/`.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from playwright.sync_api import Browser

from tests.chromium import browser
from tests.demo import engine
from tests.live_server import serve

from dashboard.core.clock import now  # isort: skip
from dashboard.platform.webhooks.queries import deliveries, webhooks_of  # isort: skip
from franchises.queries.branches import branches_of  # isort: skip
from franchises.queries.products import stock_of_branch  # isort: skip

BASE = Path(__file__).resolve().parent.parent
ALL_IMAGES = BASE / ".data" / "screenshots"
DOCS_IMAGES = BASE / "docs" / "images"
PAGES = {
    "home": "/",
    "people": "/people/",
    "person": "/people/camila@trastienda.test/",
    "invite": "/people/new/",
    "businesses": "/businesses/",
    "business": "/businesses/andina/",
    "unknown_businesses": "/table/found/",
    "found-business": "/table/found/id/Pan_Caliente/",
    "found-owners": "/table/found/?show=owners",
    "found-owner": "/table/found/owner/?owner=7d0c1f3e-2222-4a2b-9c3d-0a1b2c3d4e5f",
    "inside": "/b/andina/",
    "business-people": "/b/andina/people/",
    "keys": "/b/andina/keys/",
    "key-new": "/b/andina/keys/new/",
    "platform-keys": "/keys/",
    "platform-key-new": "/keys/new/",
    "api": "/api/",
    "history": "/b/andina/audit/",
    "security-log": "/security/",
    "table": "/table/",
    "table-item": "/table/item/?pk=TENANT%23andina&sk=SIGNAL%23r1",
    "table-person": "/table/item/?pk=USER%23owner@trastienda.test&sk=PROFILE",
    "table-no-item": "/table/item/?pk=TENANT%23andina&sk=POLL",
    "brand": "/b/andina/branding/",
    "brand-editor": "/b/andina/branding/themes/5/",
    "brand-overlay": "/b/andina/branding/themes/4/?view=overlay&width=768",
    "brand-publish": "/b/andina/branding/themes/5/publish/",
    "brand-compare": "/b/andina/branding/compare/?a=1&b=4",
    "brand-timeline": "/b/andina/branding/timeline/",
    "brand-schedule": "/b/andina/branding/themes/5/schedule/",
    "brand-share": "/b/andina/branding/themes/5/share/",
    "brand-files": "/b/andina/branding/assets/",
    "brand-missing": "/b/123/branding/",
    "activity": "/activity/rooms/?day={yesterday}",
    "activity-now": "/activity/",
    "activity-day": "/activity/day/?day={yesterday}",
    "activity-moment": "/activity/moment/",
    "activity-events": "/activity/events/",
    "forum": "/forum/",
    "forum-banned": "/forum/?show=banned&order=likes",
    "forum-comments": "/forum/?kind=comments",
    "log": "/forum/log/",
    "statistics": "/forum/numbers/",
    "announce": "/forum/announce/",
    "filter": "/forum/profanity/",
    "filter-word": "/forum/profanity/word/?word=puta",
    "filter-review": "/forum/profanity/review/",
    "filter-import": "/forum/profanity/import/",
    "filter-versions": "/forum/profanity/versions/",
    "filter-version": "/forum/profanity/versions/4/",
    "reasons": "/forum/reasons/",
    "rooms": "/rooms/",
    "room": "/rooms/sala1/",
    "room-version": "/rooms/sala1/content/3/",
    "event-people": "/rooms/people/",
    "domains": "/rooms/domains/",
    "conversations": "/b/andina/conversations/",
    "conversations-bot": "/b/andina/conversations/?show=BOT",
    "conversation": "/b/andina/conversations/conv-demo-2/",
    "conversation-bot": "/b/andina/conversations/conv-demo-3/",
    "bookings": "/b/andina/bookings/?day={workday}",
    "bookings-week": "/b/andina/bookings/?view=week&day={workday}",
    "bookings-list": "/b/andina/bookings/?view=agenda",
    "booking-new": "/b/andina/bookings/new/",
    "booking-hint": "/b/andina/bookings/why/",
    "services": "/b/andina/bookings/services/",
    "providers": "/b/andina/bookings/providers/",
    "customers": "/b/andina/bookings/customers/",
    "booking-rules": "/b/andina/bookings/rules/",
    "franchises": "/stores/",
    "stores": "/b/andina/stores/",
    "branches": "/b/andina/stores/branches/",
    "branch": "/b/andina/stores/{branch}/",
    "products": "/b/andina/stores/products/",
    "product": "/b/andina/stores/products/{product}/",
    "products-sold": "/b/andina/stores/products/?show=sold",
    "grid": "/b/andina/stores/{branch}/grid/",
    "transfer": "/b/andina/stores/transfer/?from={branch}",
    "counts": "/b/andina/stores/counts/",
    "stock-import": "/b/andina/stores/import/",
    "movements": "/b/andina/stores/movements/",
    "mail": "/b/andina/mail/",
    "webhooks": "/b/andina/webhooks/",
    "webhook-new": "/b/andina/webhooks/new/",
    "webhook": "/b/andina/webhooks/{webhook}/",
    "delivery": "/b/andina/webhooks/{webhook}/deliveries/{delivery}/",
    "usage": "/b/andina/usage/",
    "usage-platform": "/usage/",
    "mail-texts": "/b/andina/mail/texts/",
    "mail-text": "/b/andina/mail/texts/booking.reminder/",
    "suspended": "/b/riverside/",
    "switch": "/businesses/switch/",
    "audit": "/audit/",
    "import": "/people/import/",
    "rules": "/people/security/",
    "operations": "/operations/",
    "second-factor": "/account/second-factor/",
    "account": "/account/",
    "search": "/go/?q=ca",
    "components": "/ui/",
    "not-found": "/nothing-here/",
}
# Text to type before the screenshot: page, field and text.
TEXT_TO_TYPE = {"filter": (".try textarea", "Qué M1ERDA de noche, hijo de p.u.t.a. La disputa y el artículo, bien.")}
# Keys to press before the screenshot: `j` selects a post, which shows the history of its author.
KEYS_TO_PRESS = {"forum": "j"}
WIDTHS = {1280: 800, 390: 844}
IN_README = {
    "brand-editor-1280-light-en",
    "history-1280-dark-en",
    "inside-390-dark-es",
    "filter-1280-light-en",
    "forum-1280-light-en",
    "statistics-1280-dark-en",
    "rooms-1280-light-en",
    "bookings-1280-light-en",
    "branch-1280-light-en",
    "activity-1280-light-en",
}


def take_screenshots(chromium: Browser, base: str, width: int, scheme: str, language: str) -> None:
    size = {"width": width, "height": WIDTHS[width]}
    locale = {"en": "en-GB", "es": "es-CO"}[language]
    context = chromium.new_context(
        viewport=size,  # type: ignore[arg-type]
        color_scheme=scheme,  # type: ignore[arg-type]
        locale=locale,
        timezone_id="America/Bogota",
    )
    page = context.new_page()
    page.goto(f"{base}/login/")
    _save(page.screenshot(), f"login-{width}-{scheme}-{language}")
    page.fill("[name=email]", "admin@trastienda.test")
    page.fill("[name=password]", "trastienda-demo")
    page.press("[name=password]", "Enter")
    page.wait_for_url(f"{base}/")
    for name, url in PAGES.items():
        page.goto(base + url.format(workday=_workday(), yesterday=_yesterday(), **_store_ids(), **_webhook_ids()))
        if name in TEXT_TO_TYPE:
            page.fill(*TEXT_TO_TYPE[name])
            page.wait_for_timeout(600)
        if name in KEYS_TO_PRESS:
            page.keyboard.press(KEYS_TO_PRESS[name])
            page.wait_for_timeout(600)
        page.wait_for_load_state("networkidle")
        page.wait_for_function("!document.querySelector('.htmx-request')")
        _save(page.screenshot(full_page=name == "components"), f"{name}-{width}-{scheme}-{language}")
    context.close()


def _workday() -> str:
    """The nearest Wednesday: most providers of the demo work then, and the demo has bookings around today."""
    today = now().date()
    return (today + timedelta(days=(2 - today.weekday() + 3) % 7 - 3)).isoformat()


def _yesterday() -> str:
    return (now() - timedelta(days=1)).date().isoformat()


def _store_ids() -> dict[str, str]:
    """The first branch of the demo and its product with the highest stock."""
    branch = branches_of("andina")[0].id
    return {"branch": branch, "product": stock_of_branch("andina", branch, limit=1).items[0].id}


def _webhook_ids() -> dict[str, str]:
    """The webhook of the demo that fails, and its newest delivery."""
    webhook = next(each for each in webhooks_of("andina") if each.is_failing)
    return {"webhook": webhook.id, "delivery": deliveries("andina", webhook.id, limit=1).items[0].place}


def _save(image: bytes, name: str) -> None:
    (ALL_IMAGES / f"{name}.png").write_bytes(image)
    if name in IN_README:
        (DOCS_IMAGES / f"{name}.png").write_bytes(image)


def main() -> None:
    from django.core.management import call_command

    ALL_IMAGES.mkdir(parents=True, exist_ok=True)
    DOCS_IMAGES.mkdir(parents=True, exist_ok=True)
    with engine(), serve() as base, browser() as chromium:
        call_command("seed_demo")
        call_command("run_due", verbosity=0)
        for language in ("en", "es"):
            for scheme in ("light", "dark"):
                for width in WIDTHS:
                    take_screenshots(chromium, base, width, scheme, language)
    print(f"{len(list(ALL_IMAGES.glob('*.png')))} screenshots in {ALL_IMAGES.relative_to(BASE)}")


if __name__ == "__main__":
    main()

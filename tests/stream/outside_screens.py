"""Items in the form in which the services write them, and the screens where people see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from dashboard.core.clock import now
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key

BUSINESS = "4be1c0d2"
PROVIDER = "pro_0a1b2c3d"
HOME = f"/b/{BUSINESS}/"
AT_MS = "2026-05-19T14:02:07.318Z"
AT_MICROSECONDS = "2026-05-10T12:00:00.654321+00:00"
# The bookings are on this day and on the next one; those of the past on the day before yesterday.
DAY = (now() + timedelta(days=21)).replace(hour=15, minute=0, second=0, microsecond=0)
PAST = DAY - timedelta(days=23)


@dataclass(frozen=True)
class Screen:
    """A text on a page. `{n}` is the number of the write: the text of the other write is not on the page."""

    who: str
    url: str
    text: str
    # After which writes the text is on the page.
    after: tuple[int, ...] = (1, 2)

    def problem(self, shown: str, n: int) -> str:
        """What is wrong with the page after write `n`; empty if nothing is."""
        wanted, other = self.text.format(n=n), self.text.format(n=3 - n)
        if n not in self.after:
            return f"{self.url}: {wanted!r} is still there" if wanted in shown else ""
        if wanted not in shown:
            return f"{self.url}: {wanted!r} is missing"
        return f"{self.url}: {other!r} is still there" if other != wanted and other in shown else ""


@dataclass(frozen=True)
class OutsideKind:
    """A kind of item: what its service puts with the first and with the second write, and its screens."""

    # A key stands for an item that the service deletes.
    writes: Callable[[int], list[Raw | Key]]
    screens: tuple[Screen, ...]


KINDS: list[OutsideKind] = []


def shown_on(*screens: Screen) -> Callable[[Callable[[int], Iterator[Raw | Key]]], None]:
    """Register the items that a function returns, with the screens where they belong."""
    return lambda writes: KINDS.append(OutsideKind(lambda n: list(writes(n)), screens))


def item(at: Key, **values: Any) -> Raw:
    key: Raw = {"PK": {"S": at.pk}, "SK": {"S": at.sk}}
    return key | {name: to_attribute(value) for name, value in values.items()}


# --- The event -----------------------------------------------------------------------------------
def filter_config(*more_words: str) -> Raw:
    config = keys.CONFIG.key(name="profanity")
    words = ["tonto", *more_words]
    return item(config, blacklist=words, severity={"tonto": "medium"}, autoModerationThreshold=0.99)


@shown_on(Screen("staff", "/forum/profanity/", "palabra{n}"))
def _words(n: int) -> Iterator[Raw | Key]:
    yield filter_config(f"palabra{n}")


@shown_on(
    Screen("moderator", "/forum/", "Qué tonto plan", after=(1,)),
    Screen("moderator", "/forum/?show=active", "Qué tonto plan", after=(1,)),
    Screen("moderator", "/forum/?show=active&order=likes", "Qué tonto plan", after=(1,)),
    Screen("moderator", "/forum/?show=banned", "Qué tonto plan", after=(2,)),
    Screen("moderator", "/forum/posts/9b1f/", "Qué tonto plan {n}"),
    Screen("moderator", "/forum/people/lucia@empresa.example/", "Qué tonto plan {n}"),
)
def _post(n: int) -> Iterator[Raw | Key]:
    values: dict[str, Any] = {"userId": "lucia@empresa.example", "content": f"Qué tonto plan {n}", "createdAt": AT_MS}
    status = "active" if n == 1 else "banned"
    images = ["https://assets.example/uploads/1755600000000-receta.jpg"]
    yield item(keys.POST.key(post="9b1f"), **values, status=status, likes=15, commentsCount=2, images=images)


@shown_on(
    Screen("moderator", "/forum/", "Eso es tonto", after=(1,)),
    Screen("moderator", "/forum/?show=banned", "Eso es tonto", after=(2,)),
    Screen("moderator", "/forum/posts/9b20/", "Eso es tonto {n}"),
    Screen("moderator", "/forum/posts/9b20/comments/c-01/", "Eso es tonto {n}"),
    Screen("moderator", "/forum/people/Tomas@Empresa.example/?kind=comments", "Eso es tonto {n}"),
)
def _comment(n: int) -> Iterator[Raw | Key]:
    values: dict[str, Any] = {"userId": "Tomas@Empresa.example", "createdAt": AT_MS}
    yield item(keys.POST.key(post="9b20"), **values, content="Recetas", status="active", likes=1, commentsCount=1)
    status = "active" if n == 1 else "banned"
    yield item(keys.COMMENT.key(post="9b20", comment="c-01"), **values, content=f"Eso es tonto {n}", status=status)


@shown_on(
    Screen("moderator", "/forum/log/?until=2026-05-20", "Motivo del servicio {n}"),
    Screen("moderator", "/forum/log/?target=9b20", "Motivo del servicio {n}"),
    Screen("moderator", "/forum/posts/9b20/", "Motivo del servicio {n}"),
)
def _moderation_entry(n: int) -> Iterator[Raw | Key]:
    at, admin = "2026-05-19T15:00:00Z", "lider@empresa.example"
    key = keys.MODERATION.key(date=at[:10], at=at, admin=admin, action="a1")
    target = {"targetType": "post", "targetId": "9b20"}
    yield item(key, **target, action="restore", reason=f"Motivo del servicio {n}", adminId=admin, timestamp=at)


@shown_on(
    Screen("staff", "/rooms/people/", "Lucía{n} Mejía"),
    Screen("staff", "/rooms/people/?country=Colombia", "Lucía{n}", after=(1,)),
    Screen("staff", "/rooms/people/lucia@empresa.example/", "Lucía{n}"),
)
def _attendee(n: int) -> Iterator[Raw | Key]:
    values = {"email": "lucia@empresa.example", "name": f"Lucía{n}", "lastname": "Mejía"}
    country = "Colombia" if n == 1 else "Perú"
    yield item(
        keys.PERSON.key(email="lucia@empresa.example"),
        **values,
        country=country,
        negocio="Negocio 2",
        progress=["sala1", "sala2", "sala2"],
        createdAt=AT_MS,
        lastLoginAt=AT_MS,
    )


@shown_on(
    Screen("staff", "/rooms/", "sala1"),
    Screen("staff", "/rooms/sala1/", "Closed by schedule", after=(1,)),
    Screen("staff", "/rooms/sala1/", "overridden by an outside service", after=(2,)),
)
def _room(n: int) -> Iterator[Raw | Key]:
    opening = DAY.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    override = None if n == 1 else "closed"
    yield item(keys.ROOM.key(room="sala1"), openAt=opening, manualOverride=override, createdAt=AT_MS)


@shown_on(
    Screen("staff", "/rooms/sala4/", "Salón de la Fama {n}"),
    Screen("staff", "/rooms/sala4/content/1/", "Salón de la Fama {n}"),
)
def _room_content(n: int) -> Iterator[Raw | Key]:
    yield item(keys.ROOM.key(room="sala4"), manualOverride="open", updatedAt=AT_MS)
    content = keys.ROOM_CONTENT.key(room="sala4", version=1)
    yield item(content, type="vimeo", title=f"Salón de la Fama {n}", vimeoUrl="https://vimeo.com/900000001")


@shown_on(Screen("staff", "/rooms/domains/", "empresa{n}.example"))
def _domains(n: int) -> Iterator[Raw | Key]:
    yield item(keys.CONFIG.key(name="domains"), whitelist=[f"@empresa{n}.example"])


# --- The website service -------------------------------------------------------------------------
@shown_on(
    Screen("admin", "/businesses/", "Fern & Loom {n}"),
    Screen("admin", "/businesses/?status=SUSPENDED", "Fern & Loom", after=(2,)),
    Screen("admin", "/businesses/fern-and-loom/", "Fern & Loom {n}"),
    Screen("admin", "/b/fern-and-loom/", "Fern & Loom {n}"),
)
def _site(n: int) -> Iterator[Raw | Key]:
    yield item(
        keys.TENANT.key(tenant="fern-and-loom"),
        id="fern-and-loom",
        name=f"Fern & Loom {n}",
        status="LIVE" if n == 1 else "SUSPENDED",
        plan="Pro",
        domain=f"fernandloom{n}.example",
        Domain=f"fernandloom{n}.example",
        theme={"primaryColor": "#000000"},
        integrations={"google": {"clientSecret": "GOCSPX-secret"}},
        createdAt=AT_MS,
    )


@shown_on(Screen("owner", f"{HOME}audit/", "Página {n}"))
def _site_audit(n: int) -> Iterator[Raw | Key]:
    key = keys.AUDIT.key(tenant=BUSINESS, at=AT_MS, id="aa000000-0000-4000-8000-000000000001")
    who = {"actorId": "8e20d9aa", "actorEmail": "ilie@agency.example"}
    yield item(key, **who, action="UPDATE_PAGE", entityId="71c4", entityTitle=f"Página {n}", createdAt=AT_MS)


@shown_on(
    Screen("owner", f"{HOME}site/products/", "Rug {n}"),
    Screen("owner", f"{HOME}site/products/2d2d2d2d/", "Rug {n}"),
)
def _site_product(n: int) -> Iterator[Raw | Key]:
    key = keys.PRODUCT.key(tenant=BUSINESS, id="2d2d2d2d")
    yield item(key, title=f"Rug {n}", price="349.00", status="active", createdAt=AT_MS, Type="Product")


@shown_on(
    Screen("owner", f"{HOME}site/signals/", "Asks {n}"),
    Screen("owner", f"{HOME}site/signals/?status=New", "Asks {n}"),
)
def _site_signal(n: int) -> Iterator[Raw | Key]:
    key = keys.SIGNAL.key(tenant=BUSINESS, id="51a0c001")
    yield item(key, title=f"Asks {n}", source="Reddit", status="New", createdAt=AT_MS, Type="Signal")


@shown_on(Screen("owner", f"{HOME}site/files/", "loom-{n}.webp"))
def _site_file(n: int) -> Iterator[Raw | Key]:
    key = keys.SITE_ASSET.key(tenant=BUSINESS, id="90a0b0c0")
    yield item(key, fileName=f"loom-{n}.webp", fileType="image/webp", createdAt=AT_MS, Type="Asset")


@shown_on(
    Screen("owner", f"{HOME}bookings/customers/", "Otto B. {n}"),
    Screen("owner", f"{HOME}bookings/customers/otto@buyer.example/", "Otto B. {n}"),
)
def _site_customer(n: int) -> Iterator[Raw | Key]:
    key = keys.CUSTOMER.key(tenant=BUSINESS, customer="otto@buyer.example")
    yield item(key, name=f"Otto B. {n}", phone=None, orderCount=1, totalSpent=553, loyaltyPoints=553)


# --- The branding service ------------------------------------------------------------------------
@shown_on(
    Screen("owner", f"{HOME}branding/", "v3"),
    Screen("owner", f"{HOME}branding/themes/3/", "#B5651{n}"),
    Screen("owner", f"{HOME}branding/timeline/", "v3 is live", after=(2,)),
    Screen("owner", f"/api/v1/businesses/{BUSINESS}/theme", "#B56512", after=(2,)),
)
def _theme(n: int) -> Iterator[Raw | Key]:
    status = "DRAFT" if n == 1 else "PUBLISHED"
    published = {} if n == 1 else {"publishedAt": "2025-10-08T09:41:10.123456Z", "publishedBy": "user-314"}
    values: dict[str, Any] = {"version": 3, "updatedAt": "2025-10-05T12:00:00Z", **published}
    logo = {"assetId": "logo-sol", "assetType": "logo", "uri": "s3://branding-dev/logo-sol.png"}
    metadata = {"palette.primary": f"#B5651{n}", "palette.secondary": "#FFF4E0", "metadata.version": "1"}
    key = keys.THEME.key(tenant=BUSINESS, version=3)
    yield item(key, **values, type="THEME", status=status, metadata=metadata, assets=[logo])
    if published:
        yield item(keys.PUBLISHED.key(tenant=BUSINESS), type="PUBLISHED_MARKER", **values)


@shown_on(
    Screen("owner", f"{HOME}branding/assets/?role=logo", "logo-fn", after=(1,)),
    Screen("owner", f"{HOME}branding/assets/?role=banner", "logo-fn", after=(2,)),
    Screen("owner", f"{HOME}branding/assets/logo-fn/", "mi-logo-{n}.png"),
)
def _asset(n: int) -> Iterator[Raw | Key]:
    kind = "logo" if n == 1 else "banner"
    values: dict[str, Any] = {"businessId": BUSINESS, "assetType": kind, "mime": "image/png", "size": 1234}
    link = keys.ASSET_LINK.key(tenant=BUSINESS, asset="logo-fn")
    uri = f"s3://branding-dev/mi-logo-{n}.png"
    yield item(keys.ASSET.key(asset="logo-fn"), type="ASSET", **values, uri=uri, createdAt=AT_MS)
    yield item(link, type="ASSET_LINK", assetId="logo-fn", assetType=kind, createdAt=AT_MS)


@shown_on(Screen("admin", "/table/found/", "panaderia-sol"))
def _theme_of_unknown_business(n: int) -> Iterator[Raw | Key]:
    key = keys.THEME.key(tenant="panaderia-sol", version=n)
    yield item(key, type="THEME", status="DRAFT", version=n, updatedAt=AT_MS)

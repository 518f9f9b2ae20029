"""Demo brands: one with a history, drafts, files and a schedule; one with one version; one of an outside writer."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta

from PIL import Image, ImageDraw

from branding import images, queries
from branding.items import AssetRole
from branding.services import assets, drafts, publishing, schedules
from dashboard.core.clock import now
from dashboard.platform.accounts.demo import ACCOUNTS
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import days_ago
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Actor, Command
from dashboard.table.connection import table

_LAUNCH = {
    "primaryColor": "#b3261e",
    "secondaryColor": "#ffe3dc",
    "accentColor": "#f2a900",
    "surfaceColor": "#fff7f4",
    "textColor": "#2a1512",
    "mutedColor": "#6b514c",
    "typography": "grotesque",
}
_SUMMER = {
    "primaryColor": "#c2185b",
    "secondaryColor": "#ffe0ec",
    "accentColor": "#00a3a1",
    "typography": "rounded",
    "cornerRadius": "large",
    "spacing": "airy",
}
_NIGHT = {
    "primaryColor": "#ff8a80",
    "secondaryColor": "#3b2b35",
    "accentColor": "#ffd54f",
    "backgroundColor": "#171216",
    "surfaceColor": "#231b21",
    "textColor": "#f6eef2",
    "mutedColor": "#bfaeb6",
    "headingTypography": "didone",
    "shadow": "none",
}
_COFFEE = {
    "primaryColor": "#5d4037",
    "secondaryColor": "#efebe9",
    "accentColor": "#ffab40",
    "backgroundColor": "#fffaf5",
    "surfaceColor": "#f6ede4",
    "textColor": "#2b1d16",
    "mutedColor": "#6d5a4f",
    "typography": "old-style",
    "cornerRadius": "small",
}


def seed(size: int = 1) -> int:
    """Create the demo versions and return their number. A business that has any is skipped."""
    return sum(create(size) for business, create in _BUSINESSES.items() if queries.find_brand_meta(business) is None)


def _andina(size: int) -> int:
    actor = _actor("owner")
    with days_ago(22, "andina files"):
        logo = _upload("andina", AssetRole.LOGO, "andina-logo.png", _logo("#b3261e", "#ffe3dc"), actor)
        banner = _upload("andina", AssetRole.BANNER, "cordillera.png", _banner("#b3261e", "#f2a900", "#fff3ec"), actor)
        _upload("andina", AssetRole.LOGO, "old-logo.png", _logo("#444444", "#dddddd"), actor)
    files = {"logo": logo, "banner": banner}
    steps: list[tuple[float, str, dict[str, str], bool]] = [
        (20, "Launch", _LAUNCH, True),
        (11, "Summer", _SUMMER, True),
        (6, "Launch, quieter", {"accentColor": "#8a6d00", "shadow": "none"}, True),
        (2, "Night", _NIGHT, False),
        (1, "Summer again", _SUMMER | {"mutedColor": "#b0a8ab"}, False),
    ]
    for number, (days, name, values, is_live) in enumerate(steps, start=1):
        with days_ago(days, f"andina {number}"):
            source = 1 if number > 1 else None
            command = Command(f"demo-theme-andina-{number}", actor)
            drafts.create("andina", source=source, values=values, files=files, name=name, command=command)
            if is_live:
                before = number - 1 or None
                note = "As agreed with the agency" if number == 1 else ""
                publishing.publish(
                    "andina", number, expected_live_version=before, note=note, command=command.part("publish")
                )
    with days_ago(1, "andina schedule"):
        _schedule_night(actor)
    for number in range(len(steps) + 1, len(steps) + 1 + 5 * (size - 1)):
        with days_ago(1, f"andina {number}"):
            drafts.create("andina", source=1, command=Command(f"demo-theme-andina-{number}", actor))
    return len(steps) + 5 * (size - 1)


def _schedule_night(actor: Actor) -> None:
    night = queries.load_theme("andina", 4)
    schedules.schedule(
        "andina",
        night.number,
        due_at=(now() + timedelta(days=4)).replace(minute=0, second=0, microsecond=0),
        zone="America/Santiago",
        note="For the night market",
        accept_low_contrast=True,
        revision=night.revision,
        command=Command("demo-schedule-andina", actor),
    )


def _harbour(size: int) -> int:
    actor = _actor("owner2")
    with days_ago(9, "harbour"):
        logo = _upload("harbour", AssetRole.LOGO, "harbour.png", _logo("#5d4037", "#f6ede4"), actor)
        command = Command("demo-theme-harbour-1", actor)
        drafts.create("harbour", values=_COFFEE, files={"logo": logo}, name="Roastery", command=command)
        publishing.publish("harbour", 1, expected_live_version=None, command=command.part("publish"))
    return 1


def _intrale(size: int) -> int:
    """Items of outside writers: drafts as in the seed and in the service's format, and a marker without its theme."""
    for key, item in {
        keys.BRAND_META.key(tenant="123"): {"type": "BUSINESS", "name": "Intrale", "lastVersion": 43},
        keys.THEME.key(tenant="123", version=42): {
            "type": "THEME",
            "version": 42,
            "status": "draft",
            "metadata": {"primaryColor": "#0F172A", "secondaryColor": "#22D3EE", "typography": "intrale-regular"},
            "assets": [keys.asset_reference("logo-123"), keys.asset_reference("banner-123")],
            "updatedAt": "2025-09-21T10:00:00Z",
        },
        keys.THEME.key(tenant="123", version=43): {
            "type": "THEME",
            "version": 43,
            "status": "DRAFT",
            "metadata": {"palette.primary": "#0F766E", "palette.secondary": "#ccfbf1", "metadata.version": "43"},
            "assets": [{"assetId": "logo-43", "assetType": "logo", "uri": "s3://branding-dev/logo-43.png"}],
            "updatedAt": "2025-10-08T09:41:10.123456Z",
        },
        keys.PUBLISHED.key(tenant="123"): {
            "type": "PUBLISHED_MARKER",
            "version": 41,
            "publishedAt": "2025-09-10T08:30:00Z",
            "publishedBy": "user-789",
            "reportedVersion": 41,
        },
    }.items():
        table().put_item(*key, attributes={name: to_attribute(value) for name, value in item.items()})
    return 2


_BUSINESSES: dict[str, Callable[[int], int]] = {"andina": _andina, "harbour": _harbour, "123": _intrale}


def _actor(name: str) -> Actor:
    email = f"{name}@{DOMAIN}"
    return Actor(email, ACCOUNTS[email][0])


def _upload(business: str, role: AssetRole, name: str, picture: Image.Image, actor: Actor) -> str:
    content = io.BytesIO()
    picture.save(content, "PNG")
    read = images.read(content.getvalue(), role)
    command = Command(f"demo-file-{business}-{name.replace('.', '-')}", actor)
    return assets.upload(business, read, name=name, role=role, command=command).id


def _logo(ink: str, ground: str) -> Image.Image:
    """Two peaks in a disc."""
    side = 384
    picture = Image.new("RGBA", (side * 2, side * 2), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((8, 8, side * 2 - 8, side * 2 - 8), fill=ink)
    draw.polygon([(110, 560), (330, 200), (550, 560)], fill=ground)
    draw.polygon([(370, 560), (500, 350), (650, 560)], fill=ground)
    return picture.resize((side, side), Image.Resampling.LANCZOS)


def _banner(near: str, far: str, sky: str) -> Image.Image:
    """Hills behind hills."""
    picture = Image.new("RGB", (1600, 560), sky)
    draw = ImageDraw.Draw(picture)
    draw.ellipse((1160, 60, 1380, 280), fill=far)
    for base, ink in ((300, far), (390, near)):
        hills = [(x, base + (x * 7919 % 160) - (90 if x % 400 else 0)) for x in range(0, 1601, 200)]
        draw.polygon([*hills, (1600, 560), (0, 560)], fill=ink)
    return picture


def seed_demo(size: int) -> str:
    return f"{seed(size)} brand versions"

"""What lists show of products, resources, contexts, signals and files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.functional import Promise

from content.items import Product, ProductCopy, Signal, SignalStatus, SiteAsset
from content.library.fields import PRODUCT_STATUSES, SIGNAL_STATUSES, price_text
from dashboard.table.items import Item
from dashboard.table.nested import members_of, texts_in
from dashboard.web.money import format_amount

ReadText = Callable[[Any], str]
_SIGNAL_LEVELS = {SignalStatus.NEW: "warn", SignalStatus.DRAFTED: "info", SignalStatus.REPLIED: "good"}


@dataclass(frozen=True)
class LibraryColumn:
    """One column of a list."""

    label: Promise
    read: ReadText
    is_number: bool = False


@dataclass(frozen=True)
class ItemState:
    """The state of an item, as a badge."""

    label: str
    level: str


ReadState = Callable[[Any], ItemState | None]


def product_price(product: Product | ProductCopy) -> str:
    return price_text(product)


def product_state(product: Product) -> ItemState | None:
    status = product.status or ""
    label = str(PRODUCT_STATUSES.get(status, status))
    return ItemState(label, "good" if status == "active" else "plain") if label else None


def signal_state(signal: Signal) -> ItemState:
    """A signal without a status is new: the service writes one, but imports may not."""
    status = signal.status or SignalStatus.NEW
    return ItemState(str(SIGNAL_STATUSES.get(status, status)), _SIGNAL_LEVELS.get(status, "plain"))  # type: ignore[call-overload]


def signal_sub(signal: Signal) -> str:
    return " · ".join(each for each in (signal.source, signal.author) if each)


def signal_pain(signal: Signal) -> str:
    return "" if signal.pain_score is None else f"{signal.pain_score:g}"


def context_sub(context: Item) -> str:
    """The tags, which services store as a list or as one text."""
    tags = context.raw.get("tags", {})
    if "S" in tags:
        return str(tags["S"])[:200]
    return ", ".join(texts_in(each.get("S") for each in members_of(tags.get("L"))))[:200]


def stored_state(status: str | None) -> ItemState | None:
    """A status as the website service calls it."""
    return ItemState(status, "plain") if status else None


def amount_of(amount: Any, currency: str | None) -> str:
    return "" if amount is None else format_amount(Decimal(str(amount)), currency)


def site_file_size(asset: SiteAsset) -> str:
    return filesizeformat(asset.size) if asset.size is not None and asset.size >= 0 else ""

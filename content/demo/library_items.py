"""The items of the demo's libraries, newest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from content.items import SignalStatus
from dashboard.platform.demos.logins import DOMAIN
from dashboard.table.commands import Actor


@dataclass(frozen=True)
class DemoItem:
    """One item: how many days ago it was added, its fields, and other attributes."""

    days: float
    values: Mapping[str, Any]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    status: SignalStatus | None = None
    # The content of a file.
    content: str = ""


def _product(days: float, title: str, price: str, sku: str, **values: Any) -> DemoItem:
    fields = {"title": title, "price": price, "sku": sku, "currency": "CLP", "status": "active"}
    categories = ["tazas" if sku.startswith("TAZA") else "cafe"]
    attributes = {
        "categoryIds": categories,
        "tags": ["tienda"],
        "weight": 1200,
        "volumePricing": [{"minQuantity": 6, "price": price}],
    }
    return DemoItem(days, fields | {"availability": "in_stock"} | values, attributes)


_PRODUCTS = (
    _product(2, "Café en grano Andino 1 kg", "14990", "CAFE-1000", inventory_quantity=16),
    _product(5, "Taza de loza gres", "6990", "TAZA-01", inventory_quantity=40, sale_price="5490"),
    _product(
        9,
        "Caja de regalo «Fiestas Patrias» con seis bebidas, dos alfajores y una bolsa reutilizable de algodón",
        "18990",
        "REGALO-FP-2026",
        availability="preorder",
    ),
    _product(14, "Molinillo manual", "32990", "MOL-02", status="draft", availability="out_of_stock"),
    _product(21, "Filtros de papel (100)", "3990", "FIL-100", status="archived"),
)
_RESOURCES = (
    DemoItem(3, {"file_name": "guia-de-preparacion.txt"}, content="Guía: 60 g de café por litro, agua a 93 °C.\n"),
    DemoItem(11, {"file_name": "catalogo-2026.txt"}, content="Catálogo 2026\n"),
)
_CONTEXTS = (
    DemoItem(
        4,
        {"title": "Tono de la marca", "text": "Cercano y breve.\nTuteamos.\nSin tecnicismos."},
        {"tags": ["marca", "tono"]},
    ),
    DemoItem(
        8,
        {"title": "Cliente ideal", "text": "Personas que preparan café en casa y compran una vez al mes."},
        {"tags": ["audiencia"], "settings": {"model": "large", "apiKey": "demo-not-a-real-key"}},
    ),
)
_SIGNALS = (
    DemoItem(
        1,
        {
            "title": "¿Dónde comprar café en grano fresco en Santiago?",
            "source": "Reddit",
            "url": "https://reddit.example/r/chile/abc",
            "author": "u/cafetero",
            "pain_score": 8,
            "wallet_signal": True,
            "content_snapshot": "Busco café tostado esta semana, que no sea de supermercado.",
            "analysis": "Nombra la ciudad y quiere comprar pronto.",
        },
    ),
    DemoItem(
        2,
        {
            "title": "Regalos para oficina: ¿cajas con productos locales?",
            "source": "LinkedIn",
            "url": "https://linkedin.example/posts/1",
            "author": "Carolina Soto",
            "pain_score": 6,
            "wallet_signal": True,
            "analysis": "Compra para un equipo de 40 personas.",
            "draft_reply": "Hola, Carolina. Armamos cajas de 10 a 60 unidades; te envío el catálogo.",
        },
    ),
    DemoItem(
        6,
        {"title": "Recomienden un molinillo manual", "source": "Twitter", "author": "@moliendo", "pain_score": 5},
        status=SignalStatus.REPLIED,
    ),
    DemoItem(
        7,
        {"title": "El café sube otra vez", "source": "Web", "url": "https://foro.example/t/77", "pain_score": 2},
        status=SignalStatus.DISMISSED,
    ),
)
_FILES = (
    DemoItem(3, {"file_name": "portada.webp"}, {"fileType": "image/webp", "size": 284113}),
    DemoItem(10, {"file_name": "equipo.jpg"}, {"fileType": "image/jpeg", "contentType": "image/jpeg"}),
    DemoItem(12, {"file_name": "menu.pdf"}, {"fileType": "application/pdf", "size": 88210}),
)
_OLIVIA = Actor(f"owner@{DOMAIN}", "Olivia Andrade")
_KINDS = {
    "products": _PRODUCTS,
    "resources": _RESOURCES,
    "contexts": _CONTEXTS,
    "signals": _SIGNALS,
    "files": _FILES,
}
SITES = tuple(("andina", _OLIVIA, kind, items) for kind, items in _KINDS.items())

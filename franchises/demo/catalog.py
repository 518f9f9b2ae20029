"""The branches and products of the demo."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.platform.demos.logins import DOMAIN
from dashboard.table.commands import Actor


@dataclass(frozen=True)
class DemoProduct:
    name: str
    sku: str
    min_stock: int | None
    price: str
    # The branches that have it, as indexes, with the first stock.
    branches: tuple[int, ...]
    stock: int = 60


@dataclass(frozen=True)
class DemoFranchise:
    business: str
    name: str
    owner: Actor
    branches: tuple[str, ...]
    products: tuple[DemoProduct, ...]
    # A branch that closed some days ago, as an index.
    closed: int | None = None
    # Sales and deliveries of each day.
    moves_a_day: int = 4


_ALL, _SHOPS = (0, 1, 2, 3, 4, 5), (0, 1, 2, 3)
ANDINA = DemoFranchise(
    "andina",
    "Tiendas Andina",
    Actor(f"owner@{DOMAIN}", "Olivia Andrade"),
    (
        "Sucursal Centro",
        "Sucursal Providencia",
        "Sucursal Ñuñoa",
        "Kiosco Terminal de Buses Alameda, segundo nivel, andén 14 poniente",
        "Bodega Quilicura",
        "Sucursal Maipú",
    ),
    (
        DemoProduct("Agua mineral 600 ml", "7801620005431", 24, "900", _ALL, 120),
        DemoProduct("Bebida cola 1,5 L", "7801610001202", 18, "1890", _ALL, 90),
        DemoProduct("Bebida cola 350 ml", "7801610001196", 36, "990", _ALL, 144),
        DemoProduct("Bebida naranja 1,5 L", "7801610002100", 12, "1790", _SHOPS),
        DemoProduct("Jugo de durazno 1 L", "7801620300209", 10, "1590", (0, 1, 2, 4)),
        DemoProduct("Té helado limón 500 ml", "7801620015020", 12, "1190", _SHOPS, 48),
        DemoProduct("Café molido 250 g", "CAFE-250", 8, "4990", (0, 1, 2, 4), 30),
        DemoProduct("Café en grano 1 kg", "CAFE-1000", 4, "14990", (0, 1, 4), 16),
        DemoProduct("Galletas de avena", "", 10, "1290", _SHOPS, 40),
        DemoProduct("Barra de cereal", "", 20, "590", _SHOPS, 80),
        DemoProduct("Alfajor de chocolate", "7802215502019", 15, "790", _SHOPS, 60),
        DemoProduct("Sándwich de ave y palta", "", None, "2990", (0, 1, 3), 18),
        DemoProduct(
            "Caja de regalo «Fiestas Patrias» con seis bebidas, dos alfajores y una bolsa reutilizable de algodón",
            "REGALO-FP-2026",
            3,
            "18990",
            (0, 1),
            12,
        ),
        DemoProduct("Vasos de cartón (100)", "VASO-100", 5, "6490", (4,), 40),
        DemoProduct("Servilletas (500)", "SERV-500", 5, "3990", (4,), 35),
        DemoProduct("Azúcar 1 kg", "7801505001015", 6, "1490", (0, 4), 25),
    ),
    closed=5,
)
HARBOUR = DemoFranchise(
    "harbour",
    "Harbour Roastery Shops",
    Actor(f"owner2@{DOMAIN}", "Óscar Nguyen"),
    ("Quayside", "Old Town"),
    (
        DemoProduct("House blend 250 g", "5060001000017", 10, "8.50", (0, 1), 40),
        DemoProduct("Decaf 250 g", "5060001000024", 6, "9.00", (0, 1), 24),
        DemoProduct("Filter papers", "", 5, "3.20", (0,), 30),
        DemoProduct("Enamel mug", "MUG-01", 4, "12.00", (0, 1), 15),
    ),
    moves_a_day=1,
)

"""Demo data of stores: two franchises with branches, products and the movements of two months."""

from __future__ import annotations

from franchises.demo import stores


def seed_demo(size: int) -> str:
    """Add what is missing, and return how many items were added."""
    products, movements = stores.seed()
    return f"{products} products in stores, {movements} stock movements"

"""Branches and products in a path. Their ids are whole sort keys: `branch-001`, `product-001`."""

from __future__ import annotations


class _IdConverter:
    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class BranchConverter(_IdConverter):
    regex = "branch-[^/]{1,200}"


class ProductConverter(_IdConverter):
    regex = "product-[^/]{1,200}"

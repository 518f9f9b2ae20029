"""The forum's work for later."""

from __future__ import annotations

from forum import seals

__all__ = ["seals"]

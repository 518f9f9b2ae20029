"""A demo forum: the starter list made to fit an event in three steps, and ten days of talk that it was measured by."""

from __future__ import annotations

from forum.demo.telling import seed

__all__ = ["seed"]

"""Reasons made past the form."""

from __future__ import annotations

from dashboard.configs import queries
from dashboard.configs.changes import Change
from dashboard.configs.services import saving
from dashboard.configs.services.saving import Why
from dashboard.table.operations import Actor, new_operation
from forum.configs.reasons import REASONS, slug
from tests.conftest import ALMA


def a_reason(text: str, by: Actor = ALMA) -> int:
    """One more reason; the number of the version that has it."""
    change = Change(None, {"en": text, "es": text})
    seen = queries.current(REASONS)
    config = saving.save(
        REASONS,
        {f"reason:{slug(text)}": change},
        why=Why("One more"),
        seen=seen.seen if seen else 0,
        operation=new_operation(by),
    )
    return int(config.version or 0)

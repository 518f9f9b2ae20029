"""What the conflict page shows of blocks that two people changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from content.blocks.comparison import REMOVED, FieldDifference, compare
from content.blocks.document_form import DocumentForm
from content.blocks.edits import RICH_FIELD, TEXT_FIELD
from content.blocks.labels import label_of, title_of
from content.blocks.merge import BlockConflict
from content.blocks.rich_text import plain_text_of


@dataclass(frozen=True)
class ConflictView:
    """A block that two people changed: its fields in both versions, word by word."""

    origin: int
    label: str | Promise
    title: str
    mark: str
    is_removed_by_me: bool
    is_removed_by_them: bool
    mine: list[FieldDifference]
    theirs: list[FieldDifference]


def build_conflicts(conflicts: Sequence[BlockConflict]) -> list[ConflictView]:
    return [
        ConflictView(
            each.origin,
            label_of(each.base),
            title_of(each.base),
            each.mark,
            not each.mine,
            not each.theirs,
            _changed_fields(each.base, each.mine),
            _changed_fields(each.base, each.theirs),
        )
        for each in conflicts
    ]


def _changed_fields(base: Any, nodes: list[Any]) -> list[FieldDifference]:
    """What a block became, compared with what it was. One block can become several."""
    differences = compare([base], nodes)
    return [each for difference in differences if difference.kind != REMOVED for each in difference.fields]


def lost_texts(form: DocumentForm) -> list[str]:
    """What a person typed, for a form whose version is gone."""
    texts = [
        plain_text_of(text) if name == RICH_FIELD else text
        for entry in form.entries
        for name, sent in entry.sent.items()
        for text in sent
        if text.strip() and not (name == TEXT_FIELD and RICH_FIELD in entry.sent)
    ]
    return [text for text in dict.fromkeys(texts) if not text.isdigit() and text != "on"]

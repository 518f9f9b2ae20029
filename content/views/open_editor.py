"""A page in the editor of its blocks, as a request sends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from branding.public import Style
from content.blocks.checks import KnownAddresses
from content.blocks.document_form import DocumentForm
from content.blocks.fingerprints import fingerprint
from content.blocks.merge import MergedDocument, merge
from content.items import Content
from content.queries.versions import load_version
from dashboard.core.errors import NotFound
from dashboard.core.ids import new_id

EDITOR = "editor_id"
# The fingerprint of the blocks that the person opened.
OPENED = "opened"


@dataclass
class OpenEditor:
    """A page in the editor: as it is now, as the person opened it, and the form."""

    page: Content
    revision: int
    opened: list[Any]
    form: DocumentForm
    # Whether the version that the person opened was found.
    is_known: bool = True
    # Tells this open editor from the same person's others.
    id: str = field(default_factory=new_id)
    # Whether another editor of the person kept something after it was offered here.
    is_overtaken: bool = False
    # The names of the others who have the page open.
    others: Sequence[str] = ()
    known: KnownAddresses | None = None
    # The colours of the live theme.
    style: Style | None = None

    @classmethod
    def of(cls, current: Content) -> OpenEditor:
        blocks = current.blocks or []
        return cls(current, current.revision, blocks, DocumentForm.of(blocks))

    @classmethod
    def sent(cls, data: QueryDict, current: Content) -> OpenEditor:
        revision = whole_number(data.get("revision", ""))
        opened = _opened_blocks(current, revision)
        mark = data.get(OPENED, "")
        form = DocumentForm.sent(opened, data)
        return cls(current, revision, opened, form, fingerprint(opened) == mark and not form.lost, editor_id(data))

    @property
    def is_changed(self) -> bool:
        has_errors = any(change.errors for change in self.form.changes())
        return has_errors or fingerprint(self.form.document()) != fingerprint(self.opened)

    def merged(self, choices: dict[int, str]) -> MergedDocument:
        return merge(self.opened, self.form.merge_entries(), self.page.blocks or [], choices)


def editor_id(data: QueryDict) -> str:
    """The id of the open editor that sent a form; a new one if it sent none."""
    sent = data.get(EDITOR, "")
    return sent if 0 < len(sent) <= 60 and sent.isascii() else new_id()


def _opened_blocks(current: Content, revision: int) -> list[Any]:
    """The blocks of the version that the person opened; those of the page as it is now if that version is gone."""
    if revision == current.revision:
        return current.blocks or []
    try:
        return load_version(str(current.key_parts["tenant"]), current.node, revision).blocks or []
    except NotFound:
        return current.blocks or []


def whole_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0

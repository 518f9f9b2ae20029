"""The editor of the blocks of a page, in one form. Buttons of blocks change the form; only Save changes the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from content.blocks.checks import check_document
from content.blocks.document_form import DocumentForm, act
from content.blocks.edits import BlockChange
from content.blocks.fingerprints import fingerprint
from content.blocks.merge import MergedDocument, merge
from content.blocks.presenters import block_kinds, build_conflicts, build_views, lost_texts
from content.items import Content
from content.permissions import Permission
from content.queries.pages import load_page
from content.queries.versions import load_version
from content.services import pages as services
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.commands import command_of, sent_fields
from dashboard.web.pages import page, see_other
from dashboard.web.toasts import toast

TAB = "pages"
SAVE, RESOLVE = "save", "resolve-"
# The fingerprint of the blocks that the person opened.
OPENED = "opened"
# How often a save is merged again because someone else saved meanwhile.
ATTEMPTS = 4


@dataclass
class OpenEditor:
    """A page in the editor: as it is now, as the person opened it, and the form."""

    page: Content
    revision: int
    opened: list[Any]
    form: DocumentForm
    # Whether the version that the person opened was found.
    is_known: bool = True

    @classmethod
    def of(cls, current: Content) -> OpenEditor:
        blocks = current.blocks or []
        return cls(current, current.revision, blocks, DocumentForm.of(blocks))

    @classmethod
    def sent(cls, request: Request, current: Content) -> OpenEditor:
        revision = _number(request.POST.get("revision", ""))
        opened = _opened_blocks(current, revision)
        mark = request.POST.get(OPENED, "")
        form = DocumentForm.sent(opened, request.POST)
        return cls(current, revision, opened, form, fingerprint(opened) == mark and not form.lost)

    @property
    def is_changed(self) -> bool:
        return fingerprint(self.form.document()) != fingerprint(self.opened)

    def merged(self, choices: dict[int, str]) -> MergedDocument:
        return merge(self.opened, self.form.merge_entries(), self.page.blocks or [], choices)


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: Request, business: str, node: str) -> HttpResponse:
    """Edit the blocks of a page. `action` is the button that was pressed."""
    current = load_page(business, node)
    if request.method != "POST":
        return _show(request, OpenEditor.of(current))
    editor = OpenEditor.sent(request, current)
    if not editor.form.is_complete:
        raise Refused(_("The end of the form was lost. Go back, and save fewer changes at once."))
    action = request.POST.get("action", SAVE)
    if not editor.is_known:
        return _conflict(request, editor, None)
    if action != SAVE:
        return _show(request, editor, shown=act(editor.form, action), picker=action.startswith("choose:"))
    if any(change.errors for change in editor.form.changes()):
        return _show(request, editor, status=422)
    return _save(request, editor)


def _save(request: Request, editor: OpenEditor) -> HttpResponse:
    """Save, merged with what others saved since the page was opened."""
    command, choices = command_of(request), _choices(request)
    business, node = str(editor.page.key_parts["tenant"]), editor.page.node
    for _attempt in range(ATTEMPTS):
        merged = editor.merged(choices)
        if merged.conflicts:
            return _conflict(request, editor, merged)
        try:
            saved = services.save(business, node, {}, merged.document, revision=editor.page.revision, command=command)
        except Conflict:
            editor.page = load_page(business, node)
            continue
        except Refused as refusal:
            return _show(request, editor, refusal=str(refusal.text), status=422)
        _toast(request, saved, merged)
        return see_other(request, reverse("page_edit", args=[business, node]))
    raise Conflict(editor.page)


def _toast(request: Request, saved: Content, merged: MergedDocument) -> None:
    values = {"title": saved.display_title, "version": saved.number}
    if merged.has_theirs:
        toast(request, _("%(title)s saved as version %(version)d, with the changes of others.") % values, of=saved)
    else:
        toast(request, _("%(title)s saved as version %(version)d.") % values, of=saved)


def _show(
    request: Request,
    editor: OpenEditor,
    *,
    shown: str = "",
    picker: bool = False,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    changes = editor.form.changes()
    context = _context(editor) | {
        "blocks": build_views(editor.form, changes, shown),
        "kinds": block_kinds(),
        "shown": shown,
        "picker": shown if picker else "",
        "unsaved": "changed" if request.method == "POST" and editor.is_changed else "",
        "refusal": refusal,
        "error_count": sum(bool(change.errors) for change in changes),
        "findings": check_document(_document(changes)),
        "is_outdated": editor.revision != editor.page.revision,
    }
    return page(request, "content/page_edit.html", context, status=status)


def _conflict(request: Request, editor: OpenEditor, merged: MergedDocument | None) -> HttpResponse:
    """Both versions of each block that both changed; without the opened version, only the texts that were sent."""
    context = _context(editor) | {
        "conflicts": build_conflicts(merged.conflicts) if merged else [],
        "lost": lost_texts(editor.form) if merged is None else [],
        "fields": [field for field in sent_fields(request) if not field[0].startswith(RESOLVE)] if merged else [],
    }
    return page(request, "content/page_edit_conflict.html", context, status=409)


def _context(editor: OpenEditor) -> dict[str, Any]:
    return {
        "page": editor.page,
        "tab": TAB,
        "who": editor.page.updated_by_name or editor.page.updated_by or "",
        "revision": editor.revision,
        "opened": fingerprint(editor.opened),
    }


def _document(changes: list[BlockChange]) -> list[Any]:
    return [node for change in changes for node in change.nodes]


def _opened_blocks(current: Content, revision: int) -> list[Any]:
    """The blocks of the version that the person opened; those of the page as it is now if that version is gone."""
    if revision == current.revision:
        return current.blocks or []
    try:
        return load_version(str(current.key_parts["tenant"]), current.node, revision).blocks or []
    except NotFound:
        return current.blocks or []


def _choices(request: Request) -> dict[int, str]:
    """What the person decided about each conflict, by the position of the block."""
    sent = {name.removeprefix(RESOLVE): value for name, value in request.POST.items() if name.startswith(RESOLVE)}
    return {_number(name): str(value) for name, value in sent.items()}


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0

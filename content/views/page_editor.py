"""The editor of the blocks of a page, in one form. Buttons of blocks change the form; only Save changes the page."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from branding.public import find_style
from content.addresses import FIXED, SHOP_PREFIXES, normalized
from content.blocks.checks import KnownAddresses, check_document
from content.blocks.conflict_presenters import build_conflicts, lost_texts
from content.blocks.document_form import END, act
from content.blocks.edits import BlockChange
from content.blocks.fingerprints import fingerprint
from content.blocks.merge import MergedDocument
from content.blocks.presenters import blank_view, block_kinds, build_views
from content.items import Content, UnsavedPage
from content.page_contrast import check_contrast
from content.permissions import Permission
from content.presenters import PageFindingRow, build_finding_rows
from content.queries.editors import load_page_and_unsaved, people_in_editor
from content.queries.pages import load_page
from content.queries.routes import linkable_addresses, url_prefixes
from content.rich_texts import RICH_TOOLS, block_labels, rich_texts
from content.services import editors
from content.services import pages as services
from content.views.open_editor import OpenEditor, whole_number
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, DomainError, Refused
from dashboard.core.ids import new_id
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.commands import command_of, sent_fields
from dashboard.web.pages import page, see_other
from dashboard.web.toasts import toast

TAB = "pages"
SAVE, RESOLVE = "save", "resolve-"
# What to do with the changes that were kept for the person.
CONTINUE, DISCARD = "continue", "discard"
# How often a save is merged again because someone else saved meanwhile.
ATTEMPTS = 4


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: Request, business: str, node: str) -> HttpResponse:
    """Edit the blocks of a page. `action` is the button that was pressed."""
    if request.method != "POST":
        (current, unsaved), others, slugs, prefixes, style = gather(
            partial(load_page_and_unsaved, business, node, request.person.email),
            partial(people_in_editor, business, node, request.person.email),
            partial(linkable_addresses, business),
            partial(url_prefixes, business),
            partial(find_style, business),
        )
        editor = OpenEditor.of(current)
        editor.others, editor.known, editor.style = others, _known(slugs, prefixes), style
        return _show(request, editor, unsaved=unsaved)
    action = request.POST.get("action", SAVE)
    if action == CONTINUE:
        return _continue(request, business, node)
    # Without JavaScript, only this tells the others.
    current, others, slugs, prefixes, style, _nothing = gather(
        partial(load_page, business, node),
        partial(people_in_editor, business, node, request.person.email),
        partial(linkable_addresses, business),
        partial(url_prefixes, business),
        partial(find_style, business),
        partial(editors.note_presence, business, node, by=request.actor),
    )
    editor = OpenEditor.sent(request.POST, current)
    editor.others, editor.known, editor.style = others, _known(slugs, prefixes), style
    if not editor.form.is_complete:
        raise Refused(_("The end of the form was lost. Go back, and save fewer changes at once."))
    if action == DISCARD:
        editor.is_overtaken = not editors.discard(
            business, node, kept_id=request.POST.get("kept_id", ""), by=request.actor
        )
    if not editor.is_known:
        return _conflict(request, editor, None)
    if action != SAVE:
        return _show(request, editor, shown=act(editor.form, action), picker=action.startswith("choose:"))
    if any(change.errors for change in editor.form.changes()):
        return _show(request, editor, status=422)
    return _save(request, editor)


def _continue(request: Request, business: str, node: str) -> HttpResponse:
    """Show the changes that were kept for the person."""
    current, unsaved = load_page_and_unsaved(business, node, request.person.email)
    if unsaved is None or END not in unsaved.form:
        return see_other(request, reverse("page_edit", args=[business, node]))
    editor = OpenEditor.sent(unsaved.form, current)
    # The editor that kept them may still be open: it is another one from now on.
    editor.id, kept_id = new_id(), unsaved.kept_id or ""
    if not editors.take_over(business, node, kept_id=kept_id, editor=editor.id, by=request.actor):
        return see_other(request, reverse("page_edit", args=[business, node]))
    if not editor.is_known:
        return _conflict(request, editor, None)
    return _show(request, editor, shown=act(editor.form, unsaved.form.get("action", "")))


def _keep(request: Request, editor: OpenEditor) -> dict[str, Any]:
    """Keep what was sent. What another editor of the person kept stays, and is offered."""
    business, node = str(editor.page.key_parts["tenant"]), editor.page.node
    if request.POST.get("action") == CONTINUE or not (editor.is_changed or editor.is_overtaken):
        return {"is_sent": False, "offer": None}
    is_sent = editor.is_changed
    is_kept = is_sent and editors.keep(business, node, request.POST, editor=editor.id, by=request.actor)
    unsaved = None if is_kept else load_page_and_unsaved(business, node, request.person.email)[1]
    return {"is_sent": is_sent, "is_kept": is_kept, "kept_at": now(), "offer": _offer(editor, unsaved)}


def _offer(editor: OpenEditor, unsaved: UnsavedPage | None) -> UnsavedPage | None:
    """The changes that another editor of the person kept."""
    return unsaved if unsaved is not None and unsaved.editor != editor.id else None


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
        # The page is saved, whatever becomes of what was kept.
        with suppress(DomainError):
            editors.close(business, node, editor=editor.id, by=request.actor)
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
    unsaved: UnsavedPage | None = None,
    shown: str = "",
    picker: bool = False,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    changes = editor.form.changes()
    kept = _keep(request, editor) if request.method == "POST" else {"is_sent": False, "offer": _offer(editor, unsaved)}
    context = (
        _context(editor)
        | kept
        | {
            "blocks": build_views(editor.form, changes, shown),
            "kinds": block_kinds(),
            "blank": blank_view(),
            "labels": block_labels(),
            "rich_tools": RICH_TOOLS,
            "rich_texts": rich_texts(),
            "shown": shown,
            "picker": shown if picker else "",
            "unsaved": "changed" if request.method == "POST" and editor.is_changed else "",
            "others": editor.others,
            "refusal": refusal,
            "error_count": sum(bool(change.errors) for change in changes),
            "findings": _findings(editor, changes),
            "is_outdated": editor.revision != editor.page.revision,
        }
    )
    return page(request, "content/page_edit.html", context, status=status)


def _conflict(request: Request, editor: OpenEditor, merged: MergedDocument | None) -> HttpResponse:
    """Both versions of each block that both changed; without the opened version, only the texts that were sent."""
    _keep(request, editor)
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
        "editor_id": editor.id,
    }


def _known(slugs: set[str] | None, prefixes: list[str]) -> KnownAddresses | None:
    if slugs is None:
        return None
    return KnownAddresses(slugs | FIXED, (*SHOP_PREFIXES, *map(normalized, prefixes)))


def _findings(editor: OpenEditor, changes: list[BlockChange]) -> list[PageFindingRow]:
    """What the check finds, each with the link to its block in the form."""
    document = _document(changes)
    found = check_document(document, editor.known)
    if editor.style is not None:
        found += check_contrast(document, editor.style, editor.page.theme_override)
    pairs = zip(editor.form.entries, changes, strict=True)
    anchors = [entry.prefix for entry, change in pairs for _node in change.nodes]
    return build_finding_rows(sorted(found, key=lambda each: each.number), anchors=anchors)


def _document(changes: list[BlockChange]) -> list[Any]:
    return [node for change in changes for node in change.nodes]


def _choices(request: Request) -> dict[int, str]:
    """What the person decided about each conflict, by the position of the block."""
    sent = {name.removeprefix(RESOLVE): value for name, value in request.POST.items() if name.startswith(RESOLVE)}
    return {whole_number(name): str(value) for name, value in sent.items()}

"""Editors of the demo that are open: a colleague is on a page, and the owner has changes that are not saved."""

from __future__ import annotations

from datetime import timedelta

from django.http import QueryDict

from content.blocks.document_form import END, MARKER, DocumentForm
from content.blocks.fingerprints import fingerprint
from content.blocks.nodes import type_of
from content.demo.site import ANDINA, OWNERS
from content.items import PagePresence
from content.queries.pages import load_page
from content.queries.routes import find_route
from content.services import editors
from dashboard.core.clock import now
from dashboard.core.ids import predictable
from dashboard.platform.demos.logins import DOMAIN
from dashboard.table import keys, write

ADDRESS = "/quienes-somos"
COLLEAGUE = f"designer@{DOMAIN}"
# An editor that nobody closes: a real one reports itself every 20 seconds.
OPEN_FOR = timedelta(hours=12)
TYPED = "Somos una familia de Santiago. Desde 1946 llevamos bebidas a cada barrio."


def seed() -> int:
    """Put what is missing; returns how many people have an open editor or unsaved changes."""
    route = find_route(ANDINA, ADDRESS)
    if route is None or not route.node:
        return 0
    _open(route.node)
    return 1 + _type(route.node)


def _open(node: str) -> None:
    key = keys.PAGE_PRESENCE.key(tenant=ANDINA, node=node, email=COLLEAGUE)
    until = int((now() + OPEN_FOR).timestamp())
    write.update(key, [PagePresence.name.set("Diego Rivas"), PagePresence.ttl.set(until)])


def _type(node: str) -> int:
    """The form as the owner's browser sent it: the text of the first paragraph is another one."""
    page = load_page(ANDINA, node)
    blocks = page.blocks or []
    form = QueryDict(mutable=True)
    form.update({"revision": str(page.revision), "opened": fingerprint(blocks), "editor_id": "demo-editor"})
    for entry in DocumentForm.of(blocks).entries:
        form.appendlist(MARKER, entry.marker)
        if type_of(entry.node) == "paragraph" and TYPED not in form.values():
            form[f"{entry.prefix}-text"] = TYPED
    form[END] = "1"
    with predictable("unsaved page"):
        return int(editors.keep(ANDINA, node, form, editor="demo-editor", by=OWNERS[ANDINA]))

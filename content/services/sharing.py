"""Links to a page that is not published: make one, revoke it, and find what it shows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _

from content.items import Content, PageShareLink
from content.queries.pages import load_page
from content.queries.shares import SharedPage, find_shared_page, load_page_share_link, page_share_links
from content.services.audit import record_page_change
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.accounts import tokens
from dashboard.table import tenancy
from dashboard.table.commands import Command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, idempotent

# Working links of a page.
MAX_LINKS = 20
# No id of a business or a page contains it.
_SEPARATOR = "#"


@idempotent
def share(business: str, node: str, days: int, *, note: str = "", command: Command) -> PageShareLink:
    """Create a link, of which only a hash is stored. The same form sent again returns the same link."""
    page = load_page(business, node)
    if len(page_share_links(business, node)) >= MAX_LINKS:
        text = _("A page can have up to %(most)s links. Revoke one first.")
        raise Refused(text % {"most": MAX_LINKS})
    link = PageShareLink.new(tenant=business, node=node, hash=tokens.hashed(_secret(command)))
    link.created_by, link.created_by_name = command.by.email, command.by.name or None
    link.note, link.ttl = note or None, int((now() + timedelta(days=days)).timestamp())
    transaction = Transaction(command)
    transaction.create(link)
    transaction.check(page.key, Content.pk.exists(), lambda _page: NotFound())
    record_page_change(transaction, "share", page, None, _audit_values(link))
    return transaction.commit(link)


@idempotent
def revoke(business: str, node: str, digest: str, *, command: Command) -> PageShareLink:
    """The link stops working at once. It stays until it expires, so that this can be undone."""
    link = load_page_share_link(business, node, digest)
    if link.is_revoked:
        raise Conflict(link, _("This link was revoked already."))
    link.revoked_at = now()
    return _change(business, node, link, "unshare", command)


@idempotent
def restore(business: str, node: str, digest: str, *, command: Command) -> PageShareLink:
    """Let a revoked link work again, until the time at which it would have expired."""
    link = load_page_share_link(business, node, digest)
    if not link.is_revoked:
        raise Conflict(link, _("This link works already."))
    link.revoked_at = None
    return _change(business, node, link, "reshare", command)


def _change(business: str, node: str, link: PageShareLink, action: str, command: Command) -> PageShareLink:
    page = load_page(business, node)
    transaction = Transaction(command)
    transaction.save_unversioned(link, link.unchanged("PK", "revokedAt"), Conflict)
    record_page_change(transaction, action, page, _audit_values(link), None)
    return transaction.commit(link)


def token_of(link: PageShareLink, command: Command) -> str:
    """The token in the address of the link that this command created; it is not stored."""
    parts = link.key_parts
    return tokens.pack(f"{parts['tenant']}{_SEPARATOR}{parts['node']}", _secret(command))


def find_page_of_token(token: str) -> SharedPage | None:
    """None if the link does not work, for any reason."""
    unpacked = tokens.unpack(token)
    if unpacked is None:
        return None
    business, _separator, node = unpacked[0].partition(_SEPARATOR)
    if not node or not tenancy.can_be_bound(business):
        return None
    with tenancy.bind(tenancy.Binding(business)):
        return find_shared_page(business, node, tokens.hashed(unpacked[1]))


def _secret(command: Command) -> str:
    return command.secret("page share link")


def _audit_values(link: PageShareLink) -> dict[str, Any]:
    """Without the hash."""
    values = {"expires_at": to_wire(link.expires_at), "link_note": link.note}
    return {name: value for name, value in values.items() if value}

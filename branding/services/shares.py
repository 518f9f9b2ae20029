"""Create, count and revoke share links, which show a version to people without an account."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _

from branding import queries
from branding.items import ShareLink, Theme
from branding.paths import SECRET_LENGTH
from branding.services.drafts import record_change
from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.tokens import hashed
from dashboard.platform.audit.services import record
from dashboard.table import oplog, tenancy, write
from dashboard.table.commands import Command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, idempotent

# How many days a link can work.
LIFETIME_DAYS = (1, 7, 30)
# Working links per version.
MAX_LINKS = 20


@idempotent
def create(business: str, version: int, *, days: int, note: str = "", command: Command) -> ShareLink:
    """Create a link, of which only a hash is stored. The same form sent again returns the same link."""
    theme = queries.load_theme(business, version)
    if theme.is_discarded:
        raise Refused(_("This draft is discarded. Restore it first."))
    if len(queries.share_links(business, version)) >= MAX_LINKS:
        text = _("A version can have up to %(most)s links. Revoke one first.")
        raise Refused(text % {"most": MAX_LINKS})
    link = ShareLink.new(tenant=business, version=version, hash=hashed(_secret(command)))
    link.version, link.note, link.views = version, note or None, 0
    link.created_by, link.created_by_name = command.by.email, command.by.name or None
    link.ttl = int((now() + timedelta(days=days)).timestamp())
    transaction = Transaction(command)
    transaction.create(link)
    transaction.check(theme.key, Theme.pk.exists(), lambda _item: NotFound())
    record_change(transaction, "theme.share", theme, after=_audit_values(link))
    return transaction.commit(link)


def token_of(link: ShareLink, command: Command) -> str:
    """The token in the URL of the link that this command created; it is not stored."""
    return f"{link.key_parts['tenant']}.{link.key_parts['version']}.{_secret(command)}"


@idempotent
def revoke(business: str, version: int, digest: str, *, command: Command) -> None:
    """Delete the link. Its secret is not stored, so this cannot be undone."""
    link = queries.load_share_link(business, version, digest)
    transaction = Transaction(command)
    transaction.remove(link.key, ShareLink.pk.exists(), lambda _item: NotFound())
    before = _audit_values(link) | {"views": int(link.views or 0)}
    target, title = queries.audit_target(version), f"v{version}"
    record(transaction, "theme.unshare", target=target, kind="theme", title=title, business=business, before=before)
    transaction.commit(None)


def find_shared_theme(token: str) -> queries.SharedTheme | None:
    """The theme that a token shows; None if the link does not work for any reason."""
    business, version, secret = token.rsplit(".", 2)
    if not tenancy.can_be_bound(business):
        return None
    with tenancy.bind(tenancy.Binding(business)):
        return queries.find_shared_theme(business, int(version), hashed(secret))


def count_view(shared: queries.SharedTheme) -> None:
    """Count a view, if the link exists: one that is revoked at the same time must not be created again."""
    link = shared.link
    actions = [ShareLink.views.add(1), ShareLink.last_viewed_at.set(now())]
    with (
        tenancy.bind(tenancy.Binding(shared.theme.business)),
        oplog.attributed_to(f"{queries.find_shared_theme.__module__}.{queries.find_shared_theme.__name__}"),
    ):
        write.update(link.key, actions, ShareLink.pk.exists())


def _secret(command: Command) -> str:
    return command.secret("share link")[:SECRET_LENGTH]


def _audit_values(link: ShareLink) -> dict[str, Any]:
    """The values of an audit entry, without the hash."""
    expires_at = link.expires_at
    values = {"until": to_wire(expires_at) if expires_at else None, "note": link.note}
    return {name: value for name, value in values.items() if value}

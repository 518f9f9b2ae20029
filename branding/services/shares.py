"""Links that show a version to people without an account: made, counted and revoked."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _

from branding import queries
from branding.items import ShareLink, Theme
from branding.paths import SECRET
from branding.services.drafts import record_change as note_theme
from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.tokens import hashed
from dashboard.platform.audit.services import record
from dashboard.table import oplog, tenancy, write
from dashboard.table.commands import Command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, idempotent

# For how many days a link can be made.
DAYS = (1, 7, 30)
# So many links that work, a version.
MOST = 20


@idempotent
def create(business: str, version: int, *, days: int, text: str = "", command: Command) -> ShareLink:
    """A link, of which only a hash is kept. The same form sent again gives the same one."""
    theme = queries.theme(business, version)
    if theme.is_discarded:
        raise Refused(_("This draft is discarded. Bring it back first."))
    if len(queries.shares(business, version)) >= MOST:
        text_of = _("This version has %(most)s links that work. Revoke one that is not needed any more.")
        raise Refused(text_of % {"most": MOST})
    link = ShareLink.at(tenant=business, version=version, hash=hashed(_secret(command)))
    link.version, link.note, link.views = version, text or None, 0
    link.created_by, link.created_by_name = command.by.email, command.by.name or None
    link.ttl = int((now() + timedelta(days=days)).timestamp())
    transaction = Transaction(command)
    transaction.create(link)
    transaction.check(theme.key, Theme.pk.exists(), lambda _item: NotFound())
    note_theme(transaction, "theme.share", theme, after=_told(link))
    return transaction.commit(link)


def token_of(link: ShareLink, command: Command) -> str:
    """What stands in the address of the link that this command has made: nobody else can say it again."""
    return f"{link.key_parts['tenant']}.{link.key_parts['version']}.{_secret(command)}"


@idempotent
def revoke(business: str, version: int, digest: str, *, command: Command) -> None:
    """From now on the link shows nothing. Its secret is nowhere, so that this cannot be taken back."""
    link = queries.share(business, version, digest)
    transaction = Transaction(command)
    transaction.remove(link.key, ShareLink.pk.exists(), lambda _item: NotFound())
    before = _told(link) | {"views": int(link.views or 0)}
    target, title = queries.target_of(version), f"v{version}"
    record(transaction, "theme.unshare", target=target, kind="theme", title=title, business=business, before=before)
    transaction.commit(None)


def find(token: str) -> queries.Shared | None:
    """What a link shows; none where it shows nothing, whatever the reason."""
    business, version, secret = token.rsplit(".", 2)
    if not tenancy.can_be_bound(business):
        return None
    with tenancy.bind(tenancy.Binding(business)):
        return queries.shared(business, int(version), hashed(secret))


def count_view(shared: queries.Shared) -> None:
    """Someone has looked. Only while the link is there: one that is revoked now must not come back to life."""
    link = shared.link
    counted = [ShareLink.views.add(1), ShareLink.last_viewed_at.set(now())]
    with (
        tenancy.bind(tenancy.Binding(shared.theme.business)),
        oplog.asking(f"{queries.shared.__module__}.{queries.shared.__name__}"),
    ):
        write.touch(link.key, counted, ShareLink.pk.exists())


def _secret(command: Command) -> str:
    return command.secret("share link")[:SECRET]


def _told(link: ShareLink) -> dict[str, Any]:
    """What the trail says of a link: never its hash."""
    ends = link.expires_at
    says = {"until": to_wire(ends) if ends else None, "note": link.note}
    return {name: value for name, value in says.items() if value}

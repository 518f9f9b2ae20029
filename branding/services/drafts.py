"""Drafts: made, changed, kept, discarded and brought back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from branding import queries, tokens
from branding.items import BrandMeta, Status, Theme
from branding.services import uses
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.audit.services import MAX_SNAPSHOT, record
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, unchanged

# Nobody has touched it for so long: then it goes.
ARCHIVED_AFTER = timedelta(days=90)
DISCARDED_FOR = timedelta(days=30)
FIRST = 1

Values = dict[str, str]


class _NumberTaken(Conflict):
    """Two drafts are made at once: the second one takes the next number."""


@idempotent
def create(
    business: str,
    *,
    source: int | None = None,
    values: Values | None = None,
    files: dict[str, str] | None = None,
    name: str | None = None,
    command: Command,
) -> Theme:
    """A new draft, with the next number: as another version is, or as every look begins; then with these changes."""
    origin = queries.theme(business, source) if source is not None else None
    return retry_on(_NumberTaken, lambda: _create(business, origin, values or {}, files, name, command))


def _create(
    business: str,
    origin: Theme | None,
    values: Values,
    files: dict[str, str] | None,
    name: str | None,
    command: Command,
) -> Theme:
    counter = queries.find_brand_meta(business)
    last = max(_counted(counter), queries.newest_number(business), FIRST - 1)
    if last + 1 >= tokens.VERSIONS:
        raise Refused(_("No number is left for another version."))
    draft = Theme.at(tenant=business, version=last + 1)
    draft.type, draft.version, draft.status = "THEME", last + 1, Status.DRAFT
    draft.metadata = _with(origin.metadata if origin else tokens.DEFAULTS, values)
    draft.assets = list(origin.assets or []) if origin else []
    draft.asset_roles = origin.asset_roles if origin else {}
    draft.made_from = origin.number if origin else None
    draft.name = (origin.name if origin else None) if name is None else name or None
    draft.created_by_name = command.by.name or command.by.email
    inherited = draft.files
    if files is not None:
        draft.show_files(files)
    _will_archive(draft, ARCHIVED_AFTER)
    transaction = Transaction(command)
    _take_number(transaction, business, counter, last)
    transaction.create(draft, otherwise=_NumberTaken)
    uses.follow(transaction, draft, before=inherited)
    after = snapshot(draft) | ({"made_from": origin.label} if origin else {})
    record_change(transaction, "theme.create", draft, after=after)
    return transaction.commit(draft)


def _counted(counter: BrandMeta | None) -> int:
    """The highest number that the business remembers; what cannot be one counts for nothing."""
    last = int(counter.last_version or 0) if counter else 0
    return last if last < tokens.VERSIONS else 0


def _take_number(transaction: Transaction, business: str, counter: BrandMeta | None, last: int) -> None:
    """The business remembers its highest number: one whose draft is long gone is not used again."""
    if counter is None:
        counter = BrandMeta.at(tenant=business)
        counter.type, counter.last_version = "BUSINESS", last + 1
        transaction.create(counter, otherwise=_NumberTaken)
        return
    known: Any = counter.last_version
    a_number: Condition = BrandMeta.last_version.is_type()  # type: ignore[no-untyped-call]
    condition = BrandMeta.pk.exists() & ~a_number if known is None else BrandMeta.last_version == known
    transaction.update(counter.key, [BrandMeta.last_version.set(last + 1)], condition, _NumberTaken)


@idempotent
def save(
    business: str,
    version: int,
    *,
    values: Values,
    files: dict[str, str],
    name: str,
    revision: int,
    command: Command,
) -> Theme:
    """Change a draft as the person saw it. Of a version that was ever in force, this makes a new draft."""
    at = queries.standing(business, version)
    theme = at.theme
    if not theme.is_open or at.in_force == version:
        if theme.revision != revision:
            raise Conflict(theme)
        return create(business, source=version, values=values, files=files, name=name, command=command)
    before, undo, had = snapshot(theme), fields(theme), theme.files
    theme.metadata = _with(theme.metadata, values)
    theme.name = name or None
    if files != theme.shown_files:
        theme.show_files(files)
    if fields(theme) == undo and not theme.is_discarded:
        return unchanged(theme, {"before": undo}, command)
    theme.type, theme.version, theme.status = theme.type or "THEME", theme.number, Status.DRAFT
    if not theme.is_kept:
        _will_archive(theme, ARCHIVED_AFTER)
    transaction = Transaction(command)
    transaction.save(theme, revision=revision)
    uses.follow(transaction, theme, before=had)
    record_change(transaction, "theme.save", theme, before=before, after=snapshot(theme))
    # The way back goes with the record that it was done, which has no room for what another service may keep here.
    return transaction.commit(theme, {"before": undo} if len(repr(undo)) <= MAX_SNAPSHOT else None)


@idempotent
def keep(business: str, version: int, *, revision: int, command: Command) -> Theme:
    """A draft that stays until someone discards it."""
    theme = _draft(business, version)
    if theme.is_kept:
        return unchanged(theme, {}, command)
    return _move(theme, None, Status.DRAFT, "theme.keep", revision, command)


@idempotent
def let_go(business: str, version: int, *, revision: int, command: Command) -> Theme:
    """Undo `keep`: the draft archives itself again if nobody touches it."""
    theme = _draft(business, version, in_force=False)
    _refuse_if_planned(business, version)
    return _move(theme, ARCHIVED_AFTER, Status.DRAFT, "theme.let_go", revision, command)


@idempotent
def discard(business: str, version: int, *, revision: int, command: Command) -> Theme:
    """Out of the way, and gone after a while; until then it can be brought back."""
    theme = _draft(business, version, in_force=False)
    if theme.is_discarded:
        raise Conflict(theme, _("This draft is discarded already."))
    _refuse_if_planned(business, version)
    return _move(theme, DISCARDED_FOR, Status.DISCARDED, "theme.discard", revision, command)


@idempotent
def restore(business: str, version: int, *, revision: int, command: Command) -> Theme:
    """Bring back a draft that was discarded."""
    theme = _draft(business, version)
    if not theme.is_discarded:
        raise Conflict(theme, _("This draft is not discarded."))
    return _move(theme, ARCHIVED_AFTER, Status.DRAFT, "theme.restore", revision, command)


def _draft(business: str, version: int, *, in_force: bool = True) -> Theme:
    """A version that can still change. Another service may have put one in force and left it a draft: such a one can
    be kept, but not go."""
    at = queries.standing(business, version)
    if not at.theme.is_open or (not in_force and at.in_force == version):
        raise Conflict(at.theme, _("This version was published: it stays as it is."))
    return at.theme


def _refuse_if_planned(business: str, version: int) -> None:
    """A draft that someone waits for has to be there when its time comes."""
    if any(each.number == version and not each.missed for each in queries.schedules(business)):
        raise Refused(_("This draft is to go live on its own. Cancel that first."))


def _move(theme: Theme, for_: timedelta | None, status: Status, action: str, revision: int, command: Command) -> Theme:
    before = state(theme)
    theme.status = status
    _will_archive(theme, for_)
    transaction = Transaction(command)
    transaction.save(theme, revision=revision)
    uses.follow(transaction, theme, before=theme.files)
    record_change(transaction, action, theme, before=before, after=state(theme))
    return transaction.commit(theme)


def _will_archive(theme: Theme, after: timedelta | None) -> None:
    theme.time_to_archive = int((now() + after).timestamp()) if after is not None else None
    theme.ttl = theme.expiry()


def _with(metadata: Any, values: Values) -> dict[str, Any]:
    """What other services wrote stays; a value that is taken away is not kept as an empty one.

    A map or a number in the place of a token comes back from a form as text: that changes nothing.
    """
    known = dict(metadata or {})
    changed = {name: value for name, value in values.items() if value != _as_text(known.get(name))}
    return {name: value for name, value in (known | changed).items() if changed.get(name) != ""}


def _as_text(value: Any) -> str:
    return str(value or "")


def fields(theme: Theme) -> dict[str, Any]:
    """What a form can change, as it would send it: the tokens as they are stored, the files, the name."""
    metadata = theme.metadata or {}
    values = {name: _as_text(metadata.get(name)) for name in tokens.BY_NAME}
    return values | {role: theme.file(role) or "" for role in ("logo", "banner", "icon")} | {"name": theme.name or ""}


def snapshot(theme: Theme) -> dict[str, Any]:
    """What the trail says of a version: what people set, and nothing that they did not."""
    return {name: value for name, value in fields(theme).items() if value}


def state(theme: Theme) -> dict[str, Any]:
    archives = theme.archives_at
    return {"status": theme.status, "archives": archives.date().isoformat() if archives else "never"}


def record_change(transaction: Transaction, action: str, theme: Theme, **states: Any) -> None:
    target = queries.target_of(theme.number)
    record(transaction, action, target=target, kind="theme", title=theme.title, business=theme.business, **states)

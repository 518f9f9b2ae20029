"""Replace a file by a new one in every draft; versions that are or were live keep the old file."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _

from branding import queries
from branding.images import Picture
from branding.items import Asset, Theme
from branding.services import assets, drafts
from dashboard.core.errors import Conflict, Refused
from dashboard.table.commands import Command
from dashboard.table.retries import Backoff
from dashboard.table.transactions import find_done

# How many drafts one request changes.
MAX_DRAFTS = 100


@dataclass
class Replacement:
    """The result, by version."""

    asset: Asset
    # Drafts that use the new file now.
    changed: list[int] = field(default_factory=list)
    # Drafts that could not be changed.
    skipped: list[int] = field(default_factory=list)
    # Versions that are or were live and keep the old file.
    unchanged: list[int] = field(default_factory=list)


def replace(business: str, old: str, picture: Picture, *, name: str, command: Command) -> Replacement:
    """Upload a file and use it in the drafts that use the old one. Sent again, it continues where it stopped."""
    old_asset = queries.load_asset(business, old)
    asset = assets.upload(business, picture, name=name, role=old_asset.role, command=command)
    if asset.id == old:
        raise Refused(_("This is the same file. Choose a different one."), "file")
    return _replace_in_drafts(business, old, asset, command)


def _replace_in_drafts(business: str, old: str, asset: Asset, command: Command) -> Replacement:
    """Each draft is its own transaction, so that a conflict in one does not stop the others."""
    result = Replacement(asset, changed=_changed_before(business, asset.id, command))
    live_version = _find_live_version(business)
    for theme in queries.themes_using(business, old, limit=MAX_DRAFTS):
        if not theme.is_editable or theme.number == live_version:
            result.unchanged.append(theme.number)
        elif _replace_in_draft(theme, old, asset.id, _draft_command(command, theme)):
            result.changed.append(theme.number)
        elif theme.is_draft:
            result.skipped.append(theme.number)
    return result


def undo_replace(business: str, old: str, new: str, versions: list[int], *, command: Command) -> Replacement:
    """Use the old file again in the drafts that were changed, where that is still possible."""
    result = Replacement(queries.load_asset(business, old))
    live_version = _find_live_version(business)
    using_new = queries.themes_using(business, new, limit=MAX_DRAFTS)
    using_old = queries.themes_using(business, old, limit=MAX_DRAFTS)
    for theme in using_new + using_old:
        if theme.number not in versions or theme.number in result.changed:
            continue
        draft_command = _draft_command(command, theme)
        is_live = theme.number == live_version
        if find_done(draft_command) is not None or (not is_live and _replace_in_draft(theme, new, old, draft_command)):
            result.changed.append(theme.number)
        else:
            result.skipped.append(theme.number)
    return result


def _find_live_version(business: str) -> int | None:
    """An outside writer may have made a draft live without changing its status: it must not change."""
    marker = queries.find_marker(business)
    return marker.number if marker else None


def _changed_before(business: str, new: str, command: Command) -> list[int]:
    """The drafts that this command changed when it was sent before, so that the answer is the same."""
    themes = queries.themes_using(business, new, limit=MAX_DRAFTS)
    return [
        theme.number for theme in themes if theme.is_draft and find_done(_draft_command(command, theme)) is not None
    ]


def _draft_command(command: Command, theme: Theme) -> Command:
    return command.part(f"draft {theme.number}")


def _replace_in_draft(theme: Theme, old: str, new: str, command: Command) -> bool:
    """Change only the file, so that what others save at the same time is kept. False if that is not possible."""
    backoff = Backoff(tries=6)
    business = theme.business
    while True:
        files = {role: new if asset == old else asset for role, asset in theme.assets_by_role.items()}
        if not theme.is_draft or files == theme.assets_by_role:
            return False
        try:
            drafts.save(
                business,
                theme.number,
                values={},
                files=files,
                name=theme.name or "",
                revision=theme.revision,
                command=command,
            )
            return True
        except Conflict:
            if not backoff.wait():
                return False
        except Refused:
            return False
        theme = queries.load_theme(business, theme.number)

"""A new file in the place of another: every open draft comes to show it, and whatever was published stays as it was."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _

from branding import queries
from branding.images import Picture
from branding.items import Asset, Theme
from branding.services import assets, drafts
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.table.commands import Command
from dashboard.table.retries import Backoff
from dashboard.table.transactions import find_done

# As many drafts as one request goes through.
MOST_DRAFTS = 100


@dataclass
class Replaced:
    """What has become of it."""

    asset: Asset
    # The drafts that show the new file now; those that could not be changed; what was published and keeps the old one.
    moved: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    keep: list[int] = field(default_factory=list)


def replace(business: str, old: str, picture: Picture, *, name: str, command: Command) -> Replaced:
    """Upload a file and let the drafts that show the old one show it. Sent again, it goes on where it broke off."""
    known = queries.find_file(business, old).asset
    if known is None or known.is_deleted:
        raise NotFound
    asset = assets.upload(business, picture, name=name, role=known.role, command=command)
    if asset.id == old:
        raise Refused(_("This is the same file: there is nothing to replace."), "file")
    return swap(Replaced(asset), business, old, asset.id, command)


def swap(so_far: Replaced, business: str, old: str, new: str, command: Command) -> Replaced:
    """Each draft is a transaction of its own: one that someone else is changing keeps none of the others waiting."""
    so_far.moved = _moved_before(business, new, command)
    in_force = _in_force(business)
    for theme in queries.showing(business, old, most=MOST_DRAFTS):
        if not theme.is_open or theme.number == in_force:
            so_far.keep.append(theme.number)
        elif _show(theme, business, old, new, _part(command, theme)):
            so_far.moved.append(theme.number)
        elif theme.is_draft:
            so_far.left.append(theme.number)
    return so_far


def put_back(business: str, old: str, new: str, versions: list[int], *, command: Command) -> Replaced:
    """Undo: the drafts that came to show the new file show the old one again, as far as they still can."""
    known = queries.find_file(business, old).asset
    if known is None or known.is_deleted:
        raise NotFound
    done, in_force = Replaced(known), _in_force(business)
    for theme in queries.showing(business, new, most=MOST_DRAFTS) + queries.showing(business, old, most=MOST_DRAFTS):
        if theme.number not in versions or theme.number in done.moved:
            continue
        part = _part(command, theme)
        may = theme.number != in_force
        if find_done(part) is not None or (may and _show(theme, business, new, old, part)):
            done.moved.append(theme.number)
        else:
            done.left.append(theme.number)
    return done


def _in_force(business: str) -> int | None:
    """What nobody changes: another service may have put a draft in force without a word to it."""
    marker = queries.marker(business)
    return marker.number if marker else None


def _moved_before(business: str, new: str, command: Command) -> list[int]:
    """What this very command did when it was sent first: a repeat is told the same."""
    drafts_there = [theme for theme in queries.showing(business, new, most=MOST_DRAFTS) if theme.is_draft]
    return [theme.number for theme in drafts_there if find_done(_part(command, theme)) is not None]


def _part(command: Command, theme: Theme) -> Command:
    return command.part(f"draft {theme.number}")


def _show(theme: Theme, business: str, old: str, new: str, command: Command) -> bool:
    """Only the file changes, so that whatever someone saves at the same time stays; published meanwhile, it is left."""
    backoff = Backoff(tries=6)
    while True:
        files = {role: new if file == old else file for role, file in theme.shown_files.items()}
        if not theme.is_draft or files == theme.shown_files:
            return False
        try:
            given = {"values": {}, "files": files, "name": theme.name or ""}
            drafts.save(business, theme.number, **given, revision=theme.revision, command=command)  # type: ignore[arg-type]
            return True
        except Conflict:
            if not backoff.wait():
                return False
        except Refused:
            return False
        theme = queries.theme(business, theme.number)

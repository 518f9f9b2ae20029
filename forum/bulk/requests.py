"""What someone wants done to many: the action, and to what; as a form says it, as the work keeps it, and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from dashboard.core.errors import NotFound, Refused
from forum.items import ACTIVE, BANNED, DELETED
from forum.states import Action
from forum.targets import Kind, Target

# What is chosen one by one needs no counting; beyond that one asks for everything.
MOST = 100
MAX_AUTHOR = 300
# More digits than a revision ever has.
MAX_REVISION = 12


class Show(StrEnum):
    """The lists of the desk."""

    REVIEW = "review"
    ACTIVE = ACTIVE
    BANNED = BANNED
    DELETED = DELETED


class Of(StrEnum):
    POSTS = "posts"
    COMMENTS = "comments"


ACTIONS = (Action.BAN, Action.RESTORE, Action.DELETE, Action.APPROVE)

DO: dict[str, str | Promise] = {
    Action.BAN: gettext_lazy("Ban %(what)s"),
    Action.RESTORE: gettext_lazy("Restore %(what)s"),
    Action.DELETE: gettext_lazy("Delete %(what)s"),
    Action.APPROVE: gettext_lazy("Approve %(what)s"),
}
# Each list before it is counted, and then.
LISTS: dict[tuple[str, str], tuple[Any, Any]] = {
    (Show.REVIEW, Of.POSTS): (
        gettext_lazy("the posts of the review queue"),
        ngettext_lazy("%(count)s post of the review queue", "%(count)s posts of the review queue", "count"),
    ),
    (Show.REVIEW, Of.COMMENTS): (
        gettext_lazy("the comments of the review queue"),
        ngettext_lazy("%(count)s comment of the review queue", "%(count)s comments of the review queue", "count"),
    ),
    (Show.ACTIVE, Of.POSTS): (
        gettext_lazy("the active posts"),
        ngettext_lazy("%(count)s active post", "%(count)s active posts", "count"),
    ),
    (Show.ACTIVE, Of.COMMENTS): (
        gettext_lazy("the active comments"),
        ngettext_lazy("%(count)s active comment", "%(count)s active comments", "count"),
    ),
    (Show.BANNED, Of.POSTS): (
        gettext_lazy("the banned posts"),
        ngettext_lazy("%(count)s banned post", "%(count)s banned posts", "count"),
    ),
    (Show.BANNED, Of.COMMENTS): (
        gettext_lazy("the banned comments"),
        ngettext_lazy("%(count)s banned comment", "%(count)s banned comments", "count"),
    ),
    (Show.DELETED, Of.POSTS): (
        gettext_lazy("the deleted posts"),
        ngettext_lazy("%(count)s deleted post", "%(count)s deleted posts", "count"),
    ),
    (Show.DELETED, Of.COMMENTS): (
        gettext_lazy("the deleted comments"),
        ngettext_lazy("%(count)s deleted comment", "%(count)s deleted comments", "count"),
    ),
}
POSTS = ngettext_lazy("%(count)s post", "%(count)s posts", "count")
COMMENTS = ngettext_lazy("%(count)s comment", "%(count)s comments", "count")
BOTH = ngettext_lazy("%(count)s post or comment", "%(count)s posts and comments", "count")
OF_PERSON = ngettext_lazy("%(count)s post or comment of %(who)s", "%(count)s posts and comments of %(who)s", "count")


@dataclass(frozen=True)
class Chosen:
    """One of a selection, as the person saw it."""

    target: Target
    revision: int


@dataclass(frozen=True)
class BulkRequest:
    """An action, and the list or the person it is for; neither where single ones are chosen, nor for a version."""

    action: str
    reason: str = ""
    show: str = ""
    kind: str = ""
    author: str = ""
    # The version of the filter whose bans are taken back.
    version: int | None = None
    # Where the person came from, and goes back to.
    back: str = ""

    @classmethod
    def from_dict(cls, about: Mapping[str, Any] | None) -> BulkRequest:
        """As the work keeps it."""
        told = {name: value for name, value in (about or {}).items() if name in cls.__dataclass_fields__}
        version = told.pop("version", None)
        return cls(**{"action": ""} | told, version=None if version is None else int(version))

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value not in ("", None)}

    def in_words(self, count: int | None = None, chosen: Any = BOTH) -> str:
        """What will happen; to how many, once that is known."""
        if self.version is not None:
            return self._of_version(count)
        return str(DO[self.action]) % {"what": self._what(count, chosen)}

    def _what(self, count: int | None, chosen: Any) -> str:
        if self.author:
            said = {"who": self.author, "count": count}
            return OF_PERSON % said if count is not None else _("everything of %(who)s") % said
        if self.show:
            before, then = LISTS[self.show, self.kind]
            return str(before) if count is None else then % {"count": count}
        return str(chosen % {"count": count or 0})

    def _of_version(self, count: int | None) -> str:
        if count is None:
            return _("Restore what version %(number)s of the filter banned") % {"number": self.version}
        said = {"what": BOTH % {"count": count}, "number": self.version}
        return _("Restore %(what)s that version %(number)s of the filter banned") % said


def the_words(chosen: list[Chosen]) -> Any:
    """How a selection is counted: posts, comments, or both."""
    kinds = {each.target.kind for each in chosen}
    return BOTH if len(kinds) > 1 else COMMENTS if Kind.COMMENT in kinds else POSTS


def action_of(text: str) -> Action:
    if text not in ACTIONS:
        raise Refused(_("Choose what to do: ban, restore, delete or approve."))
    return Action(text)


def list_of(data: Mapping[str, str]) -> dict[str, Any]:
    """The list, or the person, whose everything is meant."""
    # As it is: with a space behind it another service means somebody else.
    author = data.get("author", "")
    if author.strip():
        if len(author) > MAX_AUTHOR:
            raise Refused(_("There is nobody of this name."))
        return {"author": author}
    show, kind = data.get("show", ""), data.get("kind", "") or Of.POSTS
    if show not in set(Show) or kind not in set(Of):
        raise Refused(_("There is no such list. Open the desk again and choose one."))
    return {"show": show, "kind": kind}


def chosen_by(values: list[str]) -> list[Chosen]:
    """What was ticked: a revision and a name each, several in one value where a script has gathered them."""
    words = [word for value in values for word in value.split()]
    found = {each.target.name: each for each in map(_chosen, words[: MOST + 1])}
    if not words or len(words) > MOST:
        said = _("Select between 1 and %(most)s, or do it to everything the list shows.")
        raise Refused(said % {"most": MOST})
    return list(found.values())


def _chosen(word: str) -> Chosen:
    revision, _colon, name = word.partition(":")
    target = Target.picked(name)
    good = revision.isascii() and revision.isdigit() and len(revision) <= MAX_REVISION
    try:
        # A name that cannot stand in a key is no name.
        _key = target.key
    except NotFound:
        good = False
    if not good:
        raise Refused(_("This selection cannot be read. Open the list again and select once more."))
    return Chosen(target, int(revision))

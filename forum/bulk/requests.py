"""A bulk request: the action, and the posts and comments that it is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from dashboard.core.errors import NotFound, Refused
from forum.actions import ACTIONS, Action, BulkTexts
from forum.forms.content_filters import ContentFilterForm
from forum.statuses import BOTH_KINDS, KINDS, LISTS, POSTS
from forum.targets import ForumTarget, TargetKind

# The largest selection. For more there are the actions on everything in a list.
MOST = 100
MAX_AUTHOR = 300
MAX_WORDS = 100
MAX_FILTERS = 8000
# A revision never has so many digits.
MAX_REVISION = 12


POST_COUNT_TEXT = ngettext_lazy("%(count)s post", "%(count)s posts", "count")
COMMENT_COUNT_TEXT = ngettext_lazy("%(count)s comment", "%(count)s comments", "count")
MIXED_COUNT_TEXT = ngettext_lazy("%(count)s post or comment", "%(count)s posts and comments", "count")
AUTHOR_COUNT_TEXT = ngettext_lazy(
    "%(count)s post or comment of %(who)s", "%(count)s posts and comments of %(who)s", "count"
)


@dataclass(frozen=True)
class Chosen:
    """A selected post or comment, with the revision that the person saw."""

    target: ForumTarget
    revision: int


@dataclass(frozen=True)
class BulkRequest:
    """An action on a list, on everything of an author, on the bans of a filter version, or on a selection."""

    action: str
    reason: str = ""
    show: str = ""
    kind: str = ""
    # The words of a search in the list.
    q: str = ""
    # The other filters of the list: the fields of a `ContentFilter`.
    filters: dict[str, Any] = field(default_factory=dict)
    author: str = ""
    # The version of the filter whose bans are undone.
    version: int | None = None
    # The page that the person came from.
    back: str = ""

    @classmethod
    def from_dict(cls, about: Mapping[str, Any] | None) -> BulkRequest:
        """From `about` of a job."""
        values = {name: value for name, value in (about or {}).items() if name in cls.__dataclass_fields__}
        version = values.pop("version", None)
        return cls(**{"action": ""} | values, version=None if version is None else int(version))

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value not in ("", None, {})}

    def title(self, count: int | None = None, count_text: Any = MIXED_COUNT_TEXT) -> str:
        """What it does; to how many, once they are counted."""
        if self.version is None:
            return str(self._texts.title) % {"what": self._what(count, count_text)}
        if count is None:
            return _("Restore what version %(number)s of the filter banned") % {"number": self.version}
        values = {"what": MIXED_COUNT_TEXT % {"count": count}, "number": self.version}
        return _("Restore %(what)s that version %(number)s of the filter banned") % values

    def progress(self, count: int, count_text: Any = MIXED_COUNT_TEXT) -> str:
        return str(self._texts.progress) % {"what": self._what(count, count_text)}

    @property
    def _texts(self) -> BulkTexts:
        return cast(BulkTexts, ACTIONS[self.action].bulk)

    def _what(self, count: int | None, count_text: Any) -> str:
        if self.author:
            values = {"who": self.author, "count": count}
            return AUTHOR_COUNT_TEXT % values if count is not None else _("everything of %(who)s") % values
        if self.show:
            what = self._list_text(count)
            if self.filters:
                return _("%(what)s that match the filters") % {"what": what}
            return _("%(what)s with “%(words)s”") % {"what": what, "words": self.q} if self.q else what
        return str(count_text % {"count": count or 0})

    def _list_text(self, count: int | None) -> str:
        names = LISTS[self.show]
        if self.kind != BOTH_KINDS:
            return str(names.names[self.kind]) if count is None else names.count_texts[self.kind] % {"count": count}
        what = _("all posts and comments") if count is None else MIXED_COUNT_TEXT % {"count": count}
        return f"{what} ({names.tab})"


def count_text_of(chosen: list[Chosen]) -> Any:
    """How a selection is counted: as posts, as comments, or as both."""
    kinds = {each.target.kind for each in chosen}
    return (
        MIXED_COUNT_TEXT if len(kinds) > 1 else COMMENT_COUNT_TEXT if TargetKind.COMMENT in kinds else POST_COUNT_TEXT
    )


def action_of(text: str) -> Action:
    spec = ACTIONS.get(text)
    if spec is None or not spec.bulk:
        raise Refused(_("Choose an action."))
    return spec.name


def list_of(data: Mapping[str, str]) -> dict[str, Any]:
    """The list or the author of a request on everything."""
    # Not stripped: for an outside writer an id with a space at its end is another one.
    author = data.get("author", "")
    if author.strip():
        if len(author) > MAX_AUTHOR:
            raise Refused(_("This person does not exist."))
        return {"author": author}
    show, kind = data.get("show", ""), data.get("kind", "") or POSTS
    if show not in LISTS or kind not in {BOTH_KINDS, *KINDS}:
        raise Refused(_("This list does not exist. Reload the page and try again."))
    words = data.get("q", "").strip()[:MAX_WORDS]
    text = data.get("filters", "")
    filters = ContentFilterForm(QueryDict(text[:MAX_FILTERS]))
    content_filter = filters.content_filter(words)
    if filters.errors or len(text) > MAX_FILTERS:
        raise Refused(_("The filters are not valid. Reload the page and try again."))
    return {
        "show": show,
        "kind": kind,
        "q": words,
        "filters": content_filter.to_dict() if content_filter.is_set else {},
    }


def chosen_by(values: list[str]) -> list[Chosen]:
    """The selection: a revision and a target each. A script may send several in one value."""
    words = [word for value in values for word in value.split()]
    found = {each.target.path: each for each in map(_chosen, words[: MOST + 1])}
    if not words or len(words) > MOST:
        text = _("Select 1 to %(most)s, or act on everything in the list.")
        raise Refused(text % {"most": MOST})
    return list(found.values())


def _chosen(word: str) -> Chosen:
    revision, _colon, name = word.partition(":")
    target = ForumTarget.from_selection_id(name)
    good = revision.isascii() and revision.isdigit() and len(revision) <= MAX_REVISION
    try:
        # A name that cannot be part of a key does not exist.
        _key = target.key
    except NotFound:
        good = False
    if not good:
        raise Refused(_("This selection is not valid. Reload the page and try again."))
    return Chosen(target, int(revision))

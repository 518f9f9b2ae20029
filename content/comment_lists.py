"""Which comments a list shows: those with a status, on a page or of an author, that match the filters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass
from typing import Any

from django.utils.translation import gettext as _

from content.comment_refs import decode_text
from content.comment_statuses import BADGES, OTHER, CommentStatus, listed_status
from content.items import PageComment
from content.items.lists import folded_email
from content.queries import comments as queries
from dashboard.core.errors import Refused
from dashboard.table.query_params import HIGHEST_CHARACTER, is_empty_range
from dashboard.table.read import Page
from dashboard.table.search import SearchPage, has_words

# So many comments are searched at once: no index has their texts.
SEARCHED_AT_ONCE = 300
STATUSES = (*map(str, CommentStatus), OTHER)
MAX_TEXT = 1400


@dataclass(frozen=True)
class CommentList:
    """One of `status`, `page` and `author` is set. The bounds are prefixes of a timestamp, both included."""

    status: str = ""
    page: str = ""
    author: str = ""
    # Words in the text or in the name of its author.
    q: str = ""
    # The e-mail address or a part of the name of the author.
    by: str = ""
    since: str | None = None
    until: str | None = None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> CommentList:
        """From what `to_dict` returned, which is stored with a bulk action."""
        return cls(**{name: value for name, value in values.items() if name in cls.__dataclass_fields__})

    def to_dict(self) -> dict[str, str]:
        return {name: value for name, value in asdict(self).items() if value}

    @property
    def scope(self) -> tuple[str, ...]:
        return tuple(str(each or "") for each in astuple(self))

    @property
    def is_search(self) -> bool:
        """Whether comments that are read do not belong to the list."""
        return bool(self.q or self.by)

    @property
    def is_filtered(self) -> bool:
        return self.is_search or bool(self.since or self.until)

    @property
    def title(self) -> str:
        """What a bulk action on it is about, before it is counted."""
        if self.status:
            known = self.status in list(CommentStatus)
            what = str(BADGES[CommentStatus(self.status)].label) if known else _("Other status")
        else:
            what = _("one page") if self.page else _("one author")
        return _("%(what)s that match the filters") % {"what": what} if self.is_filtered else what

    def read(self, business: str, start_key: Any = None, limit: int | None = None) -> Page[PageComment]:
        """A page of the index that fits best. `matches` checks what the index does not answer."""
        if is_empty_range(self.since, self.until):
            return Page([])
        most = limit or (SEARCHED_AT_ONCE if self.is_search else queries.PAGE)
        options: dict[str, Any] = {"since": self.since, "until": self.until, "start_key": start_key, "limit": most}
        author = self.author or (folded_email(self.by) if "@" in self.by and not self.page else "")
        if author:
            return queries.comments_of_author(business, author, **options)
        if self.page:
            return queries.comments_of_page(business, self.page, **options)
        return queries.comments_by_status(business, self.status, **options)

    def matches(self, comment: PageComment) -> bool:
        author = f"{comment.author_name or ''} {comment.author_email or ''}"
        return (
            (not self.status or listed_status(comment.status) == self.status)
            and has_words(f"{comment.content or ''} {author}", self.q)
            and (comment.author_key == folded_email(self.by) or has_words(author, self.by))
            and (not self.since or comment.ref.at >= self.since)
            and (not self.until or comment.ref.at <= self.until + HIGHEST_CHARACTER)
        )

    def page_of(self, found: Page[PageComment]) -> Page[PageComment]:
        """The matching comments of a page; of a search it says how many were searched."""
        if not self.is_search:
            return found
        back_to = found.items[-1].written_at if found.items else None
        return SearchPage(list(filter(self.matches, found.items)), found.next_start_key, len(found.items), back_to)


def list_of(data: Mapping[str, str]) -> dict[str, str]:
    """The status, the page or the author that a form names."""
    status = data.get("show", "")
    if status:
        if status not in STATUSES:
            raise Refused(_("This list does not exist. Reload the page and try again."))
        return {"status": status}
    for name in ("page", "author"):
        try:
            return {name: decode_text(data.get(name, "")[:MAX_TEXT])}
        except ValueError:
            continue
    raise Refused(_("This list does not exist. Reload the page and try again."))

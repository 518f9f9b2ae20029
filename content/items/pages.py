"""A page: its current version, its card, its earlier versions and its schedule."""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import UnicodeAttribute

from content.media_uses import marks_in
from content.statuses import PageStatus
from dashboard.core.names import folded
from dashboard.table import keys
from dashboard.table.attributes import (
    ExactListAttribute,
    LenientBooleanAttribute,
    LenientNumberAttribute,
    LenientUnicodeAttribute,
    PlainMapAttribute,
    WordListAttribute,
)
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class PageAttributes:
    """What the current version of a page and its earlier versions have in common."""

    page_id = LenientUnicodeAttribute(null=True, attr_name="id")
    node_id = LenientUnicodeAttribute(null=True, attr_name="nodeId")
    type = LenientUnicodeAttribute(null=True, attr_name="Type")
    title = LenientUnicodeAttribute(null=True)
    slug = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)
    version = LenientNumberAttribute(null=True)
    blocks = ExactListAttribute(null=True)
    tags = WordListAttribute(null=True)
    seo_title = LenientUnicodeAttribute(null=True, attr_name="seoTitle")
    seo_description = LenientUnicodeAttribute(null=True, attr_name="seoDescription")
    seo_keywords = LenientUnicodeAttribute(null=True, attr_name="seoKeywords")
    featured_image = LenientUnicodeAttribute(null=True, attr_name="featuredImage")
    comments_mode = LenientUnicodeAttribute(null=True, attr_name="commentsMode")
    access_policy = PlainMapAttribute(null=True, attr_name="accessPolicy")
    theme_override = PlainMapAttribute(null=True, attr_name="themeOverride")
    hide_nav = LenientBooleanAttribute(null=True, attr_name="hideNav")
    hide_footer = LenientBooleanAttribute(null=True, attr_name="hideFooter")
    hide_sharing = LenientBooleanAttribute(null=True, attr_name="hideSharing")
    schema_type = LenientUnicodeAttribute(null=True, attr_name="schemaType")
    author = LenientUnicodeAttribute(null=True)
    author_email = LenientUnicodeAttribute(null=True, attr_name="authorEmail")
    restored_from = LenientNumberAttribute(null=True, attr_name="restoredFromVersion")
    # Only this product writes these: the template that the page was made from, what made the version, and a note.
    template = LenientUnicodeAttribute(null=True)
    version_action = LenientUnicodeAttribute(null=True, attr_name="versionAction")
    version_note = LenientUnicodeAttribute(null=True, attr_name="versionNote")

    @property
    def number(self) -> int:
        """The number of the version. The first one where an outside writer has stored none."""
        return max(int(self.version or 1), 1)

    @property
    def state(self) -> str:
        """The status in our spelling; as it is stored if it is none of ours."""
        return PageStatus.read(self.status)

    @property
    def page_type(self) -> str:
        """What kind of page it is: its type for search engines, else its template."""
        return self.schema_type or self.template or ""


class PolicyEntry:
    """One text of the access policy. The other entries of the map are kept."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, page: PageAttributes | None, owner: type | None = None) -> str:
        policy = (page.access_policy if page is not None else None) or {}
        value = policy.get(self.name)
        if isinstance(value, list):
            return ", ".join(str(each) for each in value)
        return "" if value is None else str(value)

    def __set__(self, page: PageAttributes, value: str | None) -> None:
        policy = dict(page.access_policy or {})
        if value:
            policy[self.name] = self.to_stored(value)
        else:
            policy.pop(self.name, None)
        page.access_policy = policy or None

    def to_stored(self, value: str) -> str | list[str]:
        return value


class PolicyList(PolicyEntry):
    """A list of texts in the access policy, edited as text with commas."""

    def to_stored(self, value: str) -> list[str]:
        return [each.strip() for each in value.split(",") if each.strip()]


class Content(PageAttributes, Item):
    """The current version of a page.

    Its revision is the number of its version: outside writers increase it with each save, as we do.
    """

    key_pattern = keys.CONTENT
    attributes_from_key = {"nodeId": "node"}

    access_type = PolicyEntry("type")
    access_groups = PolicyList("requiredGroups")
    access_product = PolicyEntry("requiredProductId")

    @property
    def node(self) -> str:
        return str(self.key_parts["node"])

    @property
    def display_title(self) -> str:
        return self.title or self.slug or self.node

    @property
    def revision(self) -> int:
        return self.number

    @revision.setter
    def revision(self, number: int) -> None:
        self.stored_revision = number


class ContentCard(Item):
    """The part of a page that lists show."""

    key_pattern = keys.CONTENT_CARD
    needs_key_parts = True
    editable = False

    title = LenientUnicodeAttribute(null=True)
    slug = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)
    version = LenientNumberAttribute(null=True)
    page_type = LenientUnicodeAttribute(null=True, attr_name="pageType")
    tags = WordListAttribute(null=True)
    # The title and the slug in the form in which they are searched.
    search_text = UnicodeAttribute(null=True, attr_name="searchText")

    # The pictures and links of the page, by which the uses of a file are found.
    address_marks = WordListAttribute(null=True, attr_name="addressMarks")

    @property
    def node(self) -> str:
        return str(self.key_parts["node"])

    @property
    def display_title(self) -> str:
        return self.title or self.slug or self.node

    def copy_from(self, page: Content) -> None:
        """Take the values of the page as it is now."""
        self.title, self.slug, self.version = page.title, page.slug, page.version
        self.status, self.page_type = page.state or None, page.page_type or None
        self.tags = page.tags
        self.search_text = folded(f"{page.title or ''} {page.slug or ''}") or None
        self.address_marks = marks_in(page.blocks, page.featured_image) or None
        self.created_at = page.created_at
        # The service sets no update time when it creates a page.
        self.updated_at = page.updated_at or page.created_at
        self.updated_by, self.updated_by_name = page.updated_by, page.updated_by_name

    def index_keys(self) -> Iterator[IndexKey]:
        business = self.key_parts["tenant"]
        yield from keys.CONTENTS.optional_key(tenant=business, updated_at=self.updated_at)
        yield from keys.CONTENTS_BY_STATUS.optional_key(tenant=business, status=self.status, updated_at=self.updated_at)


class ContentVersion(PageAttributes, Item):
    """An earlier version of a page."""

    key_pattern = keys.CONTENT_VERSION
    needs_key_parts = True
    editable = False

    snapshot_at = TimestampAttribute(null=True, attr_name="snapshotCreatedAt")


class PageSchedule(Item):
    """When a page is published by itself, and why that failed."""

    key_pattern = keys.PAGE_SCHEDULE

    # In the list of due tasks until it is done.
    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    timezone = UnicodeAttribute(null=True)
    # Who is named as the person who published it.
    created_by = UnicodeAttribute(null=True, attr_name="createdBy")
    created_by_name = UnicodeAttribute(null=True, attr_name="createdByName")
    title = UnicodeAttribute(null=True)
    # Why the page was not published at its time.
    missed = UnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at and not self.missed:
            yield keys.DUE.key(due_at=self.due_at)

"""Queries for the versions of a page."""

from __future__ import annotations

from content.items import Content, ContentVersion
from dashboard.core.errors import NotFound
from dashboard.table import keys, read, schema
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 20
IN_VERSION_LISTS = (
    "title",
    "slug",
    "status",
    "version",
    "updatedAt",
    "createdAt",
    "updatedBy",
    "updatedByName",
    "versionAction",
    "versionNote",
    "restoredFromVersion",
    "snapshotCreatedAt",
)


@access_pattern("Which version of this page has this number?", keys.CONTENT_VERSION)
def load_version(business: str, node: str, number: int) -> ContentVersion:
    try:
        found = read.get(ContentVersion, keys.CONTENT_VERSION.key(tenant=business, node=node, version=number))
    except BadKey:
        raise NotFound from None
    if found is None:
        raise NotFound
    return found


@access_pattern(
    "Which versions does this page have below this number, and which one is the latest?",
    keys.CONTENT,
    keys.CONTENT_VERSION,
)
def load_versions(
    business: str, node: str, below: int, limit: int = PAGE
) -> tuple[Content | None, list[Content | ContentVersion]]:
    """The current version, and a page of versions, the latest first. None of them with its body.

    Numbers are not padded, so the table does not sort them: the versions are read by their numbers. A number that is
    missing was left out by the service.
    """
    parts = {"tenant": business, "node": node}
    try:
        wanted = [keys.CONTENT.key(**parts)]
        wanted += [keys.CONTENT_VERSION.key(**parts, version=each) for each in _numbers(below, limit)]
    except BadKey:
        return None, []
    current, *earlier = read.get_many(wanted, attributes=IN_VERSION_LISTS)
    if not isinstance(current, Content):
        return None, []
    found: list[Content | ContentVersion] = [each for each in earlier if isinstance(each, ContentVersion)]
    return current, [current, *found] if _numbers(below, limit).start >= current.number else found


@access_pattern("What is in these versions of this page, and in the page now?", keys.CONTENT, keys.CONTENT_VERSION)
def load_two_versions(business: str, node: str, *numbers: int) -> tuple[Content | None, dict[int, ContentVersion]]:
    """The page, and those of the versions that exist, by their numbers, in one consistent round trip."""
    parts, wanted = {"tenant": business, "node": node}, sorted({number for number in numbers if number > 0})
    try:
        all_keys = [keys.CONTENT.key(**parts), *(keys.CONTENT_VERSION.key(**parts, version=each) for each in wanted)]
    except BadKey:
        return None, {}
    current, *earlier = read.get_many(all_keys)
    found = {number: each for number, each in zip(wanted, earlier, strict=True) if isinstance(each, ContentVersion)}
    return current if isinstance(current, Content) else None, found


def _numbers(below: int, limit: int) -> range:
    return range(below - 1, max(below - 1 - limit, 0), -1)


@access_pattern("What is the highest number of an earlier version of this page?", keys.CONTENT_VERSION, partition=True)
def highest_version(business: str, node: str) -> int:
    """Reads the keys of all versions. Only for a page whose numbers an outside writer has used twice."""
    collection = keys.CONTENT_VERSION.collection(tenant=business, node=node)
    found = read.every_item(collection, ContentVersion, attributes=(schema.SK,), consistent=True)
    return max((int(each.key_parts["version"]) for each in found), default=0)

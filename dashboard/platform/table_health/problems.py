"""The problems of single items that outside writers can cause. No I/O."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from dashboard.table import keys, schema
from dashboard.table.index_keys import NotComputable, class_of, index_keys_of
from dashboard.table.items import Raw, key_of
from dashboard.table.keypattern import omitted_keys


class ProblemReason(StrEnum):
    """Why an item is not found where it belongs. The values are stored."""

    MALFORMED_KEY = "malformed_key"
    MISTYPED = "mistyped"
    INVALID_PART = "invalid_part"
    NOT_COMPUTABLE = "not_computable"
    MISSING_KEYS = "missing_keys"
    WRONG_KEYS = "wrong_keys"
    # Found only by code that writes the keys: the table refuses them, or the item changes all the time.
    NOT_WRITTEN = "not_written"
    # Found only by code that reads other items too.
    UNKNOWN_FILE = "unknown_file"


class ItemProblem(NamedTuple):
    reason: ProblemReason
    # The names of the attributes or indexes, or the kind that the key resembles.
    detail: str = ""


def problems_of(raw: Raw, indexes: Iterable[schema.Index] = schema.INDEXES) -> Iterator[ItemProblem]:
    """The problems of an item as it is stored."""
    key = key_of(raw)
    if keys.identify(*key) is None:
        resembled = keys.resembled_pattern(key)
        if resembled is not None:
            yield ItemProblem(ProblemReason.MALFORMED_KEY, f"{resembled.kind}: {resembled.sk}")
        return
    cls = class_of(raw)
    if cls is None:
        return
    try:
        with omitted_keys() as omitted:
            index_keys = index_keys_of(raw, indexes)
            mistyped = cls.of(raw, partial=True).mistyped
    except NotComputable as error:
        yield ItemProblem(ProblemReason.NOT_COMPUTABLE, str(error).partition(": ")[2])
        return
    assert index_keys is not None, "its kind has a class"
    if mistyped:
        yield ItemProblem(ProblemReason.MISTYPED, ", ".join(sorted(mistyped)))
    if omitted:
        yield ItemProblem(ProblemReason.INVALID_PART, ", ".join(dict.fromkeys(pattern.index for pattern in omitted)))
    changes = index_keys.changes()
    if changes:
        has_wrong = any(name in raw for name in changes)
        yield ItemProblem(
            ProblemReason.WRONG_KEYS if has_wrong else ProblemReason.MISSING_KEYS, ", ".join(sorted(changes))
        )


def files_of(raw: Raw) -> Iterator[str]:
    """The ids of the files that a theme or an asset link refers to. A file with its own address is stored elsewhere."""
    pattern, parts = keys.identify(*key_of(raw)) or (None, {})
    if pattern == keys.ASSET_LINK:
        yield str(parts["asset"])
    elif pattern == keys.THEME:
        references = (each.get("S", "") for each in raw.get("assets", {}).get("L", ()))
        yield from (asset for reference in references if (asset := keys.asset_of(reference)))

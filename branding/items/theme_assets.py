"""The entries of a theme's `assets`: `ASSET#<id>` as in the seed, or a map as the branding service writes it.

Pure functions. An entry that is neither stays in the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dashboard.table import keys
from dashboard.table.nested import StoredMap, is_map, text_of


def asset_id(entry: Any) -> str | None:
    """The id of the file; None if the entry names none."""
    named = StoredMap.of(entry).text("assetId")
    found = (keys.asset_of(named) or named) if named else keys.asset_of(text_of(entry) or "")
    return found if keys.can_be_asset(found) else None


def role_of(entry: Any) -> str | None:
    """The role of a map, in lower case. A reference has no role."""
    return StoredMap.of(entry).text("assetType").lower() or None


def has_maps(entries: Iterable[Any]) -> bool:
    return any(is_map(each) and asset_id(each) for each in entries)


def find_map(entries: Iterable[Any], asset: str) -> StoredMap:
    """The map of a file; empty if it has none."""
    return StoredMap.of(next((each for each in entries if is_map(each) and asset_id(each) == asset), None))


def replace_file(entries: list[Any], role: str, old: str | None, new: str | None, uris: Mapping[str, str]) -> list[Any]:
    """The entries with another file in this role, at the same place. All other entries stay as they are."""
    at = [
        index for index, each in enumerate(entries) if old and asset_id(each) == old and role_of(each) in {role, None}
    ]
    previous = entries[at[0]] if at else None
    made = [_new_map(entries, previous, role, new, uris)] if new else []
    if not at:
        return [*entries, *made]
    return [*entries[: at[0]], *made, *entries[at[0] + 1 :]]


def _new_map(entries: Iterable[Any], previous: Any, role: str, asset: str, uris: Mapping[str, str]) -> dict[str, Any]:
    spelling = StoredMap.of(previous).get("assetType", role)
    uri = uris.get(asset) or find_map(entries, asset).text("uri") or keys.asset_reference(asset)
    return {"assetId": asset, "assetType": spelling, "uri": uri}

"""The entries of a theme's `assets`: `ASSET#<id>` as in the seed, or a map as the branding service writes it.

Pure functions. An entry that is neither stays in the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dashboard.table import keys


def asset_id(entry: Any) -> str | None:
    """The id of the file; None if the entry names none."""
    if isinstance(entry, Mapping):
        named = entry.get("assetId")
        found = (keys.asset_of(named) or named) if isinstance(named, str) else None
    else:
        found = keys.asset_of(entry) if isinstance(entry, str) else None
    return found if keys.can_be_asset(found) else None


def role_of(entry: Any) -> str | None:
    """The role of a map, in lower case. A reference has no role."""
    role = entry.get("assetType") if isinstance(entry, Mapping) else None
    return role.lower() if isinstance(role, str) else None


def has_maps(entries: Iterable[Any]) -> bool:
    return any(isinstance(each, Mapping) and asset_id(each) for each in entries)


def find_map(entries: Iterable[Any], asset: str) -> Mapping[str, Any] | None:
    return next((each for each in entries if isinstance(each, Mapping) and asset_id(each) == asset), None)


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
    spelling = previous.get("assetType", role) if isinstance(previous, Mapping) else role
    known = find_map(entries, asset)
    uri = uris.get(asset) or (known.get("uri") if known else None) or keys.asset_reference(asset)
    return {"assetId": asset, "assetType": spelling, "uri": uri}

"""The tokens in the `metadata` of a theme, in the three forms that are found. Pure functions.

- Our names, as in the seed: `primaryColor`.
- Dotted names in one flat map of strings, as the branding service writes them: `palette.primary`.
- The same names as nested maps: `palette` with `primary`.

A value is written where it was found. A new one gets the form of the others.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from dashboard.table.nested import StoredMap, is_map

# The dotted name of each token that has one. The others have only our name.
DOTTED = {
    "primaryColor": "palette.primary",
    "secondaryColor": "palette.secondary",
    "accentColor": "palette.accent",
    "backgroundColor": "palette.background",
    "surfaceColor": "palette.surface",
    "textColor": "palette.onSurface",
    "mutedColor": "palette.muted",
    "typography": "typography.body",
    "headingTypography": "typography.headline",
}
# The only group that is found as a nested map: `typography` is also one of our names.
_GROUP = "palette"

Location = tuple[str, ...]


def locations(name: str) -> Iterator[Location]:
    """Where a token can be, the first one first."""
    yield (name,)
    dotted = DOTTED.get(name)
    if dotted is not None:
        yield (dotted,)
        group, _dot, entry = dotted.partition(".")
        if group == _GROUP:
            yield (group, entry)


def value_of(metadata: Any, name: str) -> Any:
    """The stored value of a token; None if it has none."""
    location = _find(metadata, name)
    return None if location is None else _get(metadata, location)


def extra_entries(metadata: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that are not one of these tokens."""
    metadata = StoredMap.of(metadata)
    found = {location for name in names if (location := _find(metadata, name))}
    entries: dict[Location, Any] = {(name,): value for name, value in metadata.items()}
    group = metadata.map(_GROUP)
    if group and any(len(location) > 1 for location in found):
        del entries[(_GROUP,)]
        entries |= {(_GROUP, name): value for name, value in group.items()}
    return {".".join(location): value for location, value in entries.items() if location not in found}


def merge(metadata: Any, values: Mapping[str, str], *, dotted: bool = False) -> dict[str, Any]:
    """Change the tokens and keep all other entries. An empty value removes the token.

    A form returns a map or a number as text, which does not count as a change. `dotted` is the form of an empty map.
    """
    merged: dict[str, Any] = copy.deepcopy(dict(metadata or {}))
    is_dotted = any("." in name for name in merged) or (dotted and not merged)
    for name, value in values.items():
        if value == as_text(value_of(merged, name)):
            continue
        location = _find(merged, name) or _new_location(merged, name, is_dotted=is_dotted)
        holder = merged if len(location) == 1 else merged[location[0]]
        if value:
            holder[location[-1]] = value
        else:
            holder.pop(location[-1], None)
    return merged


def as_text(value: Any) -> str:
    return str(value or "")


def _find(metadata: Any, name: str) -> Location | None:
    return next((each for each in locations(name) if _get(metadata, each) is not None), None)


def _get(metadata: Any, location: Location) -> Any:
    for name in location:
        metadata = StoredMap.of(metadata).get(name)
    return metadata


def _new_location(metadata: Mapping[str, Any], name: str, *, is_dotted: bool) -> Location:
    dotted = DOTTED.get(name)
    if dotted is None:
        return (name,)
    group, _dot, entry = dotted.partition(".")
    if group == _GROUP and is_map(metadata.get(_GROUP)):
        return (group, entry)
    return (dotted,) if is_dotted else (name,)

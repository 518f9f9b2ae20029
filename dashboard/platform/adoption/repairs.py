"""Repairs that record what was found: for every kind that belongs to a business, and for unknown kinds."""

from __future__ import annotations

from dashboard.platform.adoption.discovery import load_discovery, load_owner, record_business, record_found
from dashboard.platform.adoption.kinds import OWN_KINDS
from dashboard.platform.stream.repairs import repairs_of
from dashboard.table import keys

_KINDS = {pattern.kind for pattern in keys.PATTERNS if "tenant" in {*pattern.pk.fields, *pattern.sk.fields}}
# The registry's name for items whose key matches no pattern.
_UNKNOWN_KIND = ""

for _kind in [*sorted(_KINDS - OWN_KINDS), _UNKNOWN_KIND]:
    repairs_of(_kind, load=load_discovery)(record_found)
repairs_of("tenant", load=load_owner)(record_business)

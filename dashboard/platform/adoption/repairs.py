"""Repairs that record unknown businesses, from every kind that names a business and unknown kinds, and their owners."""

from __future__ import annotations

from dashboard.platform.adoption.kinds import OWN_KINDS
from dashboard.platform.adoption.unknown_ids import (
    load_business_lookup,
    load_owner_lookup,
    record_outside_owner,
    record_unknown_business,
)
from dashboard.platform.stream.rules import repairs_of
from dashboard.table import keys

_KINDS = {pattern.kind for pattern in keys.PATTERNS if "tenant" in {*pattern.pk.fields, *pattern.sk.fields}}
# The registry's name for items whose key matches no pattern.
_UNKNOWN_KIND = ""

for _kind in [*sorted(_KINDS - OWN_KINDS), _UNKNOWN_KIND]:
    repairs_of(_kind, load=load_business_lookup)(record_unknown_business)
repairs_of("tenant", load=load_owner_lookup)(record_outside_owner)

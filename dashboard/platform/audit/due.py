"""The due task of the audit trail: each night, the previous day is sealed."""

from __future__ import annotations

from dashboard.platform.audit.seals import queries, services
from dashboard.platform.audit.seals.items import Sealing
from dashboard.platform.audit.seals.trails import Trail, app_trails, audit_trail, business_trails, trail_at
from dashboard.platform.due.registry import before_each_run, due

# The number of keys in one call.
BATCH = 100


@before_each_run
def ensure_platform_seals() -> str | None:
    trail = audit_trail()
    if queries.find_sealing(trail.sealing) is None and services.begin(trail):
        return "began to seal the platform's trail"
    return None


@due("sealing")
def seal_trail(sealing: Sealing) -> str:
    """Seal a trail. The task of the platform's trail also starts the sealing of new businesses and other logs."""
    trail = trail_at(sealing.key)
    started_text, altered = _begin_missing() if trail.scope == audit_trail().scope else ("", [])
    done = services.seal(trail, sealing)
    if altered:
        raise services.Altered(" ".join(altered))
    sealed_text = f"sealed {done.entries} entries of {done.days} days, through {done.through or 'no day yet'}"
    return sealed_text + started_text


def _begin_missing() -> tuple[str, list[str]]:
    """Start the sealing of new trails. Returns a text about them, and the errors of trails that were altered."""
    altered: list[str] = []
    count = sum(_begin(batch, altered) for batch in business_trails(BATCH))
    texts = [f"; began to seal {count} businesses"] if count else []
    for trail in app_trails():
        if trail.has_entries() and _begin([trail], altered):
            texts.append(f"; began to seal the {trail.name}")
    return "".join(texts), altered


def _begin(trails: list[Trail], altered: list[str]) -> int:
    count = 0
    for trail, there in zip(trails, queries.sealings([trail.sealing for trail in trails]), strict=True):
        try:
            count += there is None and services.begin(trail)
        except services.Altered as error:
            altered.append(str(error))
    return count

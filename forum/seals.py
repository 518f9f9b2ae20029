"""Seals the moderation log, like the audit trail: each day is a partition."""

from __future__ import annotations

from dashboard.platform.audit.seals.daily import DailyTrail
from dashboard.platform.audit.seals.trails import register_sealed_log
from dashboard.table import keys
from forum.queries import raw_log

NAME = "moderation log"


@register_sealed_log
def moderation_log() -> DailyTrail:
    return DailyTrail(
        scope="MODLOG",
        kind=NAME,
        name=NAME,
        sealing=keys.SEALING_MODLOG.key(),
        seals=keys.SEAL_MODLOG.collection(),
        seal=lambda day: keys.SEAL_MODLOG.key(date=day),
        part=lambda day, number: keys.SEAL_PART_MODLOG.key(date=day, part=number),
        parts=lambda day: keys.SEAL_PART_MODLOG.collection(date=day),
        entries=lambda since, until, start, limit: raw_log.entries_of_day(since, start, limit),
        position=lambda raw: raw["SK"]["S"],
        first_day=raw_log.first_day,
        indexed_entries=raw_log.indexed_entries,
        partition_day=lambda raw: str((keys.MODERATION.pk.read(raw["PK"]["S"]) or {}).get("date", "")),
    )

"""The event's work for later: whoever has come since is counted by their domain."""

from __future__ import annotations

from dashboard.due.registry import due, standing
from rooms.items import DomainCount
from rooms.queries import domains
from rooms.services import counting


@standing
def counting_of_people_by_domain() -> str | None:
    if domains.domain_count() is None and counting.begin():
        return "began to count people by their domain"
    return None


@due("domain count")
def count_domains(count: DomainCount) -> str:
    return f"counted {counting.count_on(count)} people by their domain"

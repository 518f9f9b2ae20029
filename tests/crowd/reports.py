"""What members of a crowd were told, compared with the audit trail."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import BUSINESS, at

STAFF = ("ana", "ines", "lola", "maria", "pedro", "zoe")
# The action in the audit trail, the booking, and who did it.
Success = tuple[str, str, str]


@dataclass
class CrowdReport:
    """What members of the crowd were told."""

    # Each reported success.
    done: list[Success] = field(default_factory=list)
    # What may have been done: the answer was lost, and the page was opened again.
    unclear: list[Success] = field(default_factory=list)
    refused: int = 0
    # Answers over HTTP that were lost, or that somebody did not wait for.
    repeated: int = 0

    def __add__(self, other: CrowdReport) -> CrowdReport:
        return CrowdReport(
            self.done + other.done,
            self.unclear + other.unclear,
            self.refused + other.refused,
            self.repeated + other.repeated,
        )

    def count(self, action: str) -> int:
        return sum(each[0] == action for each in self.done)


def random_start(chance: random.Random) -> str:
    """A start on the day of the crowd."""
    return to_wire(at(chance.randrange(9, 18), chance.choice((0, 15, 30, 45))))


def recorded_actions() -> Counter[Success]:
    """The changes of bookings in the audit trail."""
    found = read.page(keys.AUDIT.collection(tenant=BUSINESS), AuditEntry, limit=5000, consistent=True).items
    return Counter(
        (each.action, str(each.target_data["id"]).removeprefix("booking:"), str(each.person["email"]))
        for each in found
        if each.action.startswith("booking.")
    )


def check_applied_once(report: CrowdReport) -> None:
    """Check that each reported success was applied exactly once, and nothing that nobody asked for."""
    recorded, reported = recorded_actions(), Counter(report.done)
    assert reported - recorded == Counter(), "what was reported is in the audit trail"
    assert recorded - reported <= Counter(report.unclear), "what is in the audit trail was reported"

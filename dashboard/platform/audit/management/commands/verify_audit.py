"""Verify the audit trails against their seals."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from dashboard.core.names import printable, printable_value
from dashboard.platform.audit.seals import queries
from dashboard.platform.audit.seals.sealing_starts import SealingStarts
from dashboard.platform.audit.seals.trails import NO_END, PLATFORM, Trail, all_pages, app_trails, audit_trail
from dashboard.platform.audit.seals.verify import Inspection
from dashboard.table import keys
from dashboard.table.keypattern import BadKey


def day(text: str) -> str:
    """Parse a date. argparse shows the name of this function in its error message."""
    return date.fromisoformat(text).isoformat()


class Command(BaseCommand):
    help = "Verify the audit trails against their seals, and name what was changed, added or removed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--business", metavar="ID", help="only the trail of this business")
        parser.add_argument("--from", dest="since", type=day, metavar="DATE", help="from this day on")
        parser.add_argument("--to", dest="until", type=day, metavar="DATE", help="through this day")
        parser.add_argument(
            "--expect-head",
            dest="expected",
            action="append",
            metavar="HASH",
            default=[],
            help="a head noted earlier, which must still be in its chain; may be given more than once",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self.range = since, until = options["since"] or "", options["until"] or NO_END
        if options["expected"] and (since or until != NO_END):
            raise CommandError("A noted head can be anywhere in a chain: leave out --from and --to.")
        if since > until:
            raise CommandError("--from is after --to.")
        self.expected = {head.lower() for head in options["expected"]}
        # For one business, the platform's trail is read apart from the range.
        self.sealing_starts = SealingStarts(is_complete=bool(options["business"]) or (not since and until == NO_END))
        self.problems = 0
        with tqdm(unit=" days", disable=None, leave=False, file=self.stderr) as self.progress:
            for trail in self._trails(options["business"]):
                self._verify(trail)
        for head in sorted(self.expected):
            self._problem(
                f"The noted head {head} is in no chain: the entries that it covered were rewritten or removed"
            )
        if self.problems:
            raise CommandError(f"{self.problems} {'problem' if self.problems == 1 else 'problems'} found.")

    def _trails(self, business: str | None) -> Iterator[Trail]:
        """All trails. The platform's comes first because it records which others exist."""
        if business is not None:
            self.sealing_starts.read_platform_trail()
            yield self._trail_of_business(business)
            return
        yield audit_trail()
        known: set[str] = set()
        for business_item in all_pages(queries.businesses):
            parts = keys.TENANT.read(*business_item.key)
            if parts:
                known.add(str(parts["tenant"]))
                yield audit_trail(str(parts["tenant"]))
        # The trail of a deleted business still exists.
        for deleted in sorted(self.sealing_starts.businesses - known):
            yield audit_trail(deleted)
        for trail in app_trails():
            if self.sealing_starts.includes(trail) or queries.find_sealing(trail.sealing) or trail.has_entries():
                yield trail

    def _trail_of_business(self, business: str) -> Trail:
        try:
            trail = audit_trail(business)
            # Its trail may be known although the business was deleted, and the other way round.
            is_known = queries.find_business(business) is not None or queries.find_sealing(trail.sealing) is not None
            exists = is_known or self.sealing_starts.includes(trail)
        except BadKey:
            exists = False
        if not exists:
            raise CommandError(f"There is no business {business}.")
        return trail

    def _verify(self, trail: Trail) -> None:
        inspection = Inspection(trail, *self.range, on_seal=self._find_head, on_day=self._advance)
        if trail.kind == PLATFORM:
            inspection.on_entry = self.sealing_starts.add_entry
        self.progress.set_description(printable_value(trail.name))
        for finding in inspection.findings():
            self._problem(finding)
        for finding in self.sealing_starts.findings(trail, inspection.sealing, is_intact=not inspection.problems):
            self._problem(finding)
        sealing = inspection.sealing
        through, head = (sealing.through, sealing.hash) if sealing else (None, None)
        summary = f"{inspection.days:,} days, {inspection.entries:,} entries, sealed through {through or 'no day yet'}"
        self._print(f"{trail.name}: {summary}, head {head or '–'}")
        if inspection.old_keys:
            self._print(f"{trail.name}: {inspection.old_keys} seals bear an older key's signature; the chain vouches")
        self._report_unindexed(trail, inspection)

    def _report_unindexed(self, trail: Trail, inspection: Inspection) -> None:
        """Print notes. A missing index key is not a problem, because outside writers set none."""
        for line in inspection.unindexed_lines:
            self._print(f"Note: {line}")
        if inspection.unindexed:
            self._print(f"Note: {trail.name}: {inspection.unindexed:,} entries lack index keys: reindex adds them")

    def _find_head(self, head: str) -> None:
        self.expected.discard(head)

    def _advance(self) -> None:
        self.progress.update()

    def _problem(self, text: str) -> None:
        self.problems += 1
        self._print(text)

    def _print(self, text: str) -> None:
        self.progress.clear()
        self.stdout.write(printable(text))

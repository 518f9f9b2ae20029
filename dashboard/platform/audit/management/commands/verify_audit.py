"""Verify the audit trails against their seals."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from dashboard.core.names import found, printable
from dashboard.platform.audit.seals import queries
from dashboard.platform.audit.seals.beginnings import Beginnings
from dashboard.platform.audit.seals.trails import NO_END, PLATFORM, Trail, audit_trail, every, others
from dashboard.platform.audit.seals.verify import Inspection
from dashboard.table import keys
from dashboard.table.keypattern import BadKey


def day(text: str) -> str:
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
        self.expected = {each.lower() for each in options["expected"]}
        self.beginnings = Beginnings(whole=not options["business"] and not since and until == NO_END)
        self.problems = 0
        with tqdm(unit=" days", disable=None, leave=False, file=self.stderr) as self.progress:
            for trail in self._trails(options["business"]):
                self._verify(trail)
        for head in sorted(self.expected):
            self._problem(f"The noted head {head} is in no chain: what it stood for was rewritten or removed")
        if self.problems:
            raise CommandError(f"{self.problems} {'problem' if self.problems == 1 else 'problems'} found.")

    def _trails(self, business: str | None) -> Iterator[Trail]:
        """All trails: the platform's first, for it says which others there must be."""
        if business is not None:
            yield self._named(business)
            return
        yield audit_trail()
        known: set[str] = set()
        for each in every(queries.businesses):
            parts = keys.TENANT.read(*each.key)
            if parts:
                known.add(str(parts["tenant"]))
                yield audit_trail(str(parts["tenant"]))
        # A business may be gone; its trail is not.
        for deleted in sorted(self.beginnings.businesses - known):
            yield audit_trail(deleted)
        for trail in others():
            if self.beginnings.knows(trail) or queries.sealing(trail.sealing) or trail.has_entries():
                yield trail

    def _named(self, business: str) -> Trail:
        try:
            trail = audit_trail(business)
            there = queries.has_business(business) or queries.sealing(trail.sealing) is not None
        except BadKey:
            there = False
        if not there:
            raise CommandError(f"There is no business {business}.")
        return trail

    def _verify(self, trail: Trail) -> None:
        inspection = Inspection(trail, *self.range, on_seal=self._revision, on_day=self._done_day)
        if trail.kind == PLATFORM:
            inspection.on_entry = self.beginnings.note
        self.progress.set_description(found(trail.name))
        for finding in inspection.findings():
            self._problem(finding)
        for finding in self.beginnings.findings(trail, inspection.sealing, sound=not inspection.problems):
            self._problem(finding)
        sealing = inspection.sealing
        through, head = (sealing.through, sealing.hash) if sealing else (None, None)
        said = f"{inspection.days:,} days, {inspection.entries:,} entries, sealed through {through or 'no day yet'}"
        self._say(f"{trail.name}: {said}, head {head or '–'}")
        if inspection.old_keys:
            self._say(f"{trail.name}: {inspection.old_keys} seals bear an older key's signature; the chain vouches")
        self._note_unplaced(trail, inspection)

    def _note_unplaced(self, trail: Trail, inspection: Inspection) -> None:
        """No problem: other services write entries without index keys. But one of ours should have them."""
        for each in inspection.unplaced_names:
            self._say(f"Note: {each}")
        if inspection.unplaced:
            self._say(f"Note: {trail.name}: {inspection.unplaced:,} entries lack index keys: reindex adds them")

    def _revision(self, head: str) -> None:
        self.expected.discard(head)

    def _done_day(self) -> None:
        self.progress.update()

    def _problem(self, text: str) -> None:
        self.problems += 1
        self._say(text)

    def _say(self, text: str) -> None:
        self.progress.clear()
        self.stdout.write(printable(text))

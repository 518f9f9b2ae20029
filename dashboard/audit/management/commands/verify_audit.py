"""Verify the audit trails against their seals."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from dashboard.audit.seals import queries
from dashboard.audit.seals.services import BEGIN
from dashboard.audit.seals.trails import NO_END, Trail, audit_trail, every
from dashboard.audit.seals.verify import Inspection
from dashboard.names import found, printable
from dashboard.table import keys
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey
from dashboard.table.timestamps import to_wire


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
        # When each business's trail began to be sealed, as the platform's trail says; by the entry's key.
        self.begun: dict[str, dict[str, str]] = {}
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
        for tenant in sorted(self.begun.keys() - known):
            yield audit_trail(tenant)

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
        inspection = Inspection(trail, *self.range, on_seal=self._seen, on_day=self._done_day)
        if trail.kind != "business":
            inspection.on_entry = self._note_beginning
        self.progress.set_description(found(trail.name))
        for finding in inspection.findings():
            self._problem(finding)
        self._check_beginning(trail, inspection)
        sealing = inspection.sealing
        through, head = (sealing.through, sealing.hash) if sealing else (None, None)
        said = f"{inspection.days:,} days, {inspection.entries:,} entries, sealed through {through or 'no day yet'}"
        self._say(f"{trail.name}: {said}, head {head or '–'}")
        if inspection.old_keys:
            self._say(f"{trail.name}: {inspection.old_keys} seals bear an older key's signature; the chain vouches")

    def _note_beginning(self, raw: Raw) -> None:
        target = raw.get("target", {}).get("M", {})
        if raw.get("action") == {"S": BEGIN} and target.get("type") == {"S": "business"}:
            tenant = target.get("id", {}).get("S", "")
            self.begun.setdefault(tenant, {})[raw["SK"]["S"]] = raw.get("timestamp", {}).get("S", "")

    def _check_beginning(self, trail: Trail, inspection: Inspection) -> None:
        """A trail begins to be sealed once: whoever removed all its seals and had it begun anew shows here."""
        begun = sorted(self.begun.get(trail.name, {}).values()) if trail.kind == "business" else []
        sealing = inspection.sealing
        if begun and sealing is None and not inspection.problems:
            self._problem(f"{trail.name}: sealed since {begun[0]}, and no seal is left")
        elif len(begun) > 1:
            self._problem(f"{trail.name}: its sealing began again at {begun[-1]}, after {begun[0]}")
        elif begun and sealing and sealing.began_at and to_wire(sealing.began_at) != begun[0]:
            self._problem(f"{trail.name}: its sealing began at {begun[0]}, and SEALING says another time")

    def _seen(self, head: str) -> None:
        self.expected.discard(head)

    def _done_day(self) -> None:
        self.progress.update()

    def _problem(self, text: str) -> None:
        self.problems += 1
        self._say(text)

    def _say(self, text: str) -> None:
        self.progress.clear()
        self.stdout.write(printable(text))

"""Imports the items of a file in rounds. A round is sent after the previous one is confirmed.

If two lines have the same key, the later one counts; this holds with several threads, because rounds do not overlap.
The checkpoint is saved after each round. A continued import repeats at most one round, and a repeated put has no
effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from dashboard.core.names import printable_value
from dashboard.platform.transfer.batch_writes import BatchProblem, Entry, batches, put_batch
from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.platform.transfer.formats import Parsed, parse
from dashboard.platform.transfer.layouts import ImportCheck, find_layout
from dashboard.platform.transfer.source import BrokenFile, Source, SourceLine
from dashboard.platform.transfer.tally import ErrorFile, Round, Tally
from dashboard.platform.transfer.target import Target
from dashboard.platform.transfer.values import BadLine, check_item
from dashboard.table import keys, schema
from dashboard.table.index_keys import NotComputable, index_keys_of
from dashboard.table.items import Raw, key_of

ROUND_LINES = 1000
ROUND_BYTES = 4 * 1024 * 1024
THREADS = 4


@dataclass(frozen=True)
class Import:
    """The import of one file into one table."""

    source: Source
    target: Target
    checkpoint: Checkpoint
    as_is: bool = False
    threads: int = THREADS
    errors: ErrorFile | None = None
    # The table of another service that the file comes from.
    from_table: str = ""
    dry_run: bool = False
    checks: tuple[ImportCheck, ...] = ()
    on_round: Callable[[Tally], None] = lambda _: None

    def run(self, tally: Tally) -> Tally:
        """Import the lines after the position in the tally."""
        lines = self.source.lines(tally.line, tally.end)
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix="import")
        try:
            current = self._read(lines, tally.line, tally.end)
            while current is not None:
                entries = () if self.dry_run else current.entries.values()
                sent = [pool.submit(put_batch, self.target, batch) for batch in batches(entries)]
                # The next round is read while this one is being written.
                following = None if current.broken else self._read(lines, current.line, current.end)
                self._confirm(tally, current, [problem for each in sent for problem in each.result()])
                if current.broken:
                    raise current.broken
                current = following
        finally:
            pool.shutdown(cancel_futures=True)
        return tally

    def _confirm(self, tally: Tally, done: Round, refused: list[BatchProblem]) -> None:
        problems = tally.add(done, refused)
        if self.errors:
            tally.errors_end = self.errors.add(problems)
        if not self.dry_run:
            self.checkpoint.save(tally.state())
        self.on_round(tally)

    def _read(self, lines: Iterator[SourceLine], line: int, end: int) -> Round | None:
        """The next round of lines; None at the end of the file."""
        read = Round(line, end)
        try:
            for each in lines:
                read.line, read.end = each.number, each.end
                try:
                    self._take(read, each)
                except BadLine as error:
                    read.problems.append(BatchProblem(each.number, str(error)))
                if read.line - line >= ROUND_LINES or read.end - end >= ROUND_BYTES:
                    break
        except BrokenFile as error:
            read.broken = error
        return read if read.line > line or read.broken else None

    def _take(self, read: Round, line: SourceLine) -> None:
        if line.text is None:
            raise BadLine("the line is longer than any item")
        if not line.text.strip():
            return
        for raw in self._items(read, parse(line.text)):
            if not self.as_is:
                self._complete(read, raw)
            self._count(read, raw)
            read.items += 1
            read.entries[raw["PK"]["S"], raw["SK"]["S"]] = Entry(line.number, raw, len(line.text))

    def _items(self, read: Round, parsed: Parsed) -> list[Raw]:
        """The items that a line becomes, checked: in the layout of its table, or as it is."""
        table = self.from_table or parsed.table
        layout = find_layout(table) if table else None
        if layout is not None:
            source = check_item(parsed.item, {})
            return [check_item(raw, self.target.key_limits) for raw in layout.convert(source)]
        if table and schema.PK not in parsed.item:
            read.unknown[table] += 1  # Nothing says which key it would have.
            return []
        return [check_item(parsed.item, self.target.key_limits)]

    def _count(self, read: Round, raw: Raw) -> None:
        key = key_of(raw)
        kind = keys.kind_of(key)
        if kind is None:
            read.unknown[printable_value(keys.name_of_unknown_kind(key))] += 1
        else:
            read.kinds[kind] += 1
        for check in self.checks:
            check.add(raw)

    def _complete(self, read: Round, raw: dict[str, dict[str, object]]) -> None:
        """Add missing index keys; existing ones are kept."""
        try:
            found = index_keys_of(raw, self.target.indexes)
        except NotComputable:
            return
        if found is None:
            return
        adding, differs = found.missing()
        raw.update({name: value for name, value in adding.items() if value is not None})
        read.computed += bool(adding)
        read.differing += differs

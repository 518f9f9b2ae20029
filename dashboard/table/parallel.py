"""Runs reads in parallel threads, as one round trip."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar, overload

from django.utils import timezone, translation

from dashboard.table import oplog

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")

_threads = ThreadPoolExecutor(max_workers=24, thread_name_prefix="gather")


@overload
def gather(first: Callable[[], A], second: Callable[[], B], /) -> tuple[A, B]: ...
@overload
def gather(first: Callable[[], A], second: Callable[[], B], third: Callable[[], C], /) -> tuple[A, B, C]: ...
@overload
def gather(
    first: Callable[[], A], second: Callable[[], B], third: Callable[[], C], fourth: Callable[[], D], /
) -> tuple[A, B, C, D]: ...
@overload
def gather(
    first: Callable[[], A],
    second: Callable[[], B],
    third: Callable[[], C],
    fourth: Callable[[], D],
    fifth: Callable[[], E],
    /,
) -> tuple[A, B, C, D, E]: ...
@overload
def gather(
    first: Callable[[], A],
    second: Callable[[], B],
    third: Callable[[], C],
    fourth: Callable[[], D],
    fifth: Callable[[], E],
    sixth: Callable[[], F],
    /,
) -> tuple[A, B, C, D, E, F]: ...
def gather(*reads: Callable[[], Any]) -> tuple[Any, ...]:
    """Run two to six reads in parallel, as one round trip: `post, reasons = gather(load_post, load_reasons)`.

    Do not nest it. For a list of reads of one type use `gather_all`.
    """
    return tuple(gather_all(reads))


def gather_all(reads: Iterable[Callable[[], T]]) -> list[T]:
    """Run any number of reads of one type in parallel, as one round trip. Do not nest it."""
    all_reads = list(reads)
    if len(all_reads) == 1:
        return [all_reads[0]()]
    with oplog.parallel_sequences(len(all_reads)) as sequences:
        futures = [_submit(sequence, each) for sequence, each in zip(sequences, all_reads, strict=True)]
        return [future.result() for future in futures]


def in_background(work: Callable[[], T]) -> Future[T]:
    """Start `work` in another thread. The caller waits for the future when it needs the result."""
    return _submit(oplog.new_sequence(), work)


def _submit(sequence: oplog.CallSequence, work: Callable[[], T]) -> Future[T]:
    """Run `work` in another thread, with the language and the time zone of this one."""
    language, zone = translation.get_language(), timezone.get_current_timezone()

    def run() -> T:
        with translation.override(language), timezone.override(zone):
            return sequence.run(work)

    return _threads.submit(copy_context().run, run)

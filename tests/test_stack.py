"""With a deep stack, no call crosses the end of a stack chunk, at any depth."""

from __future__ import annotations

import resource

import pytest

from dashboard.core.stack import with_deep_stack

CALLS = 200


def leaf() -> None:
    pass


def count_page_faults(depth: int) -> int:
    """The number of page faults of many calls, `depth` frames deeper."""
    if depth:
        return count_page_faults(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(CALLS):
        leaf()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def max_page_faults() -> int:
    return max(count_page_faults(depth) for depth in range(400))


def test_no_depth_causes_a_page_fault_per_call() -> None:
    assert with_deep_stack(max_page_faults)() < CALLS / 2


def test_arguments_results_and_errors_are_passed_on() -> None:
    assert with_deep_stack(divmod)(7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        with_deep_stack(divmod)(7, 0)

"""Calls below a large frame cross no end of a chunk of the stack, however deep they are."""

from __future__ import annotations

import resource

import pytest

from dashboard.core.stack import with_deep_stack

CALLS = 200


def leaf() -> None:
    pass


def faults_of_calls(depth: int) -> int:
    """The page faults of many calls, `depth` frames further down."""
    if depth:
        return faults_of_calls(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(CALLS):
        leaf()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def most_faults() -> int:
    return max(faults_of_calls(depth) for depth in range(400))


def test_no_depth_costs_a_page_fault_a_call() -> None:
    assert with_deep_stack(most_faults)() < CALLS / 2


def test_arguments_results_and_errors_pass_through() -> None:
    assert with_deep_stack(divmod)(7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        with_deep_stack(divmod)(7, 0)

"""Tests of transfers count the items of the table: the rules of the apps, which write other items, are left out."""

from collections.abc import Iterator

import pytest

from tests.stream.helpers import without_rules


@pytest.fixture(autouse=True)
def _general_rule_only() -> Iterator[None]:
    with without_rules():
        yield

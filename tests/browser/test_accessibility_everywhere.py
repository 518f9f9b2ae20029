"""axe in the dark and on a phone: a page of every address. A file of its own, so that two workers share the walk."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Open
from tests.browser.test_accessibility import look_everywhere, one_of_each
from tests.ui.walk import World


@pytest.mark.parametrize(("size", "scheme"), [("wide", "dark"), ("phone", "light"), ("phone", "dark")])
def test_axe_finds_nothing_serious(open_as: Open, world: World, size: str, scheme: str) -> None:
    assert look_everywhere(open_as, world, size, scheme, one_of_each(world.html("admin"))) == []

"""Hundreds of small tests on two cores: nothing is read twice, nothing has a deadline."""

from collections.abc import Iterator
from functools import cache

import botocore.session
import pytest
from hypothesis import settings

settings.register_profile("table", deadline=None, database=None, print_blob=True)
settings.load_profile("table")


@pytest.fixture(scope="session", autouse=True)
def models_read_once() -> Iterator[None]:
    """botocore reads DynamoDB's description anew for every session: five sixths of making a client."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(botocore.session, "create_loader", cache(botocore.session.create_loader))
        yield

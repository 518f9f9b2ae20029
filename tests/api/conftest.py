import pytest

from tests.api.shop import make_shop


@pytest.fixture
def shop(table: str) -> None:
    """A business with the service `masaje` and the staff members `maria` and `pedro`, 9 to 18 every day in UTC."""
    make_shop()

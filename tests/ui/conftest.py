from tests.ui.walk import world

__all__ = ["world"]

from tests.ui.walk import own_engine, world

__all__ = ["own_engine", "world"]

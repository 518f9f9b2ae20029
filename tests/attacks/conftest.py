from tests.ui.world import world

__all__ = ["world"]

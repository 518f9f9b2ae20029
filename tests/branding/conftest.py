from tests.audit.conftest import as_owner, businesses

__all__ = ["as_owner", "businesses"]

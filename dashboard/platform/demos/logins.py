"""The accounts of the demo data. It does not import Django, because `make run` prints them before Django starts."""

DOMAIN = "trastienda.test"
PASSWORD = "trastienda-demo"
_NAMES = ("admin", "moderator", "staff", "owner", "owner2", "receptionist")
EMAILS = tuple(f"{name}@{DOMAIN}" for name in _NAMES)

"""Whom one can sign in as in demo data. No Django here: `make run` prints them before there is any."""

DOMAIN = "trastienda.test"
PASSWORD = "trastienda-demo"
EMAILS = tuple(f"{name}@{DOMAIN}" for name in ("admin", "moderator", "staff", "owner", "owner2"))

"""Who may write in the forum, by the domain of their address (`CONFIG#domains`)."""

from __future__ import annotations

from typing import Any

DOMAINS = "domains"


def may_write(email: str, whitelist: Any) -> bool:
    """Whether an address is of a domain that is let in; without a list everybody is."""
    domains = {str(each).strip().lower().removeprefix("@") for each in whitelist or () if str(each).strip()}
    return not domains or email.rpartition("@")[2].strip().lower() in domains

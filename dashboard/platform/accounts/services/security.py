"""What is asked of people when they sign in."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person, Security
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, unchanged

TARGET = "security"


@idempotent
def require_second_factor(roles: Iterable[Role], *, by: Person, revision: int, command: Command) -> Security:
    """Say which roles need a second factor. It holds at once, for open sessions too."""
    wanted = [str(role) for role in Role if role in set(roles)]
    if by.back_office_role in wanted and not by.has_second_factor:
        # They could open nothing else until they have one, not even to take this back.
        text = _("Set up your own second factor first: your role would need it at once.")
        raise Refused(text, field=str(by.back_office_role))
    found = queries.security()
    security = found or Security.at()
    before, after = {"roles": security.roles}, {"roles": wanted}
    if before == after:
        return unchanged(security, {"before": before}, command)
    security.second_factor_roles = wanted
    transaction = Transaction(command)
    if found is None:
        transaction.create(security)
    else:
        transaction.save(security, revision=revision)
    action = "security.second_factor"
    record(transaction, action, target=TARGET, kind="security", title=TARGET, before=before, after=after)
    return transaction.commit(security, {"before": before})

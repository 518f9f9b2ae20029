"""Changes of the domains that need confirmation: they exclude people or allow everyone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform.configs.changes import Changes, EntryChange
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import NeedsConfirmation
from dashboard.platform.event.domains import Whitelist
from rooms.domain_counts import DomainTotals
from rooms.queries.domains import find_domain_count

# Domains that are named in a sentence.
MAX_NAMES = 3


def required_confirmations(before: Body, after: Body, changes: Changes) -> list[NeedsConfirmation]:
    """The confirmations that a change needs."""
    before_list, after_list = (
        Whitelist.from_stored(before.get("whitelist")),
        Whitelist.from_stored(after.get("whitelist")),
    )
    if after_list.allows_everyone:
        return [] if before_list.allows_everyone else [_allows_everyone(before_list)]
    if before_list.allows_everyone:
        return [_first_domains(after_list, DomainTotals.from_item(find_domain_count()))]
    removed = [name for plain, name in before_list.names.items() if plain not in after_list.names]
    totals = DomainTotals.from_item(find_domain_count()) if removed else None
    people_by_domain = {name: totals.people_of(name) or 0 for name in removed} if totals else {}
    return _excluded_people({name: n for name, n in people_by_domain.items() if n})


def _allows_everyone(before_list: Whitelist) -> NeedsConfirmation:
    text = _("The list would be empty and everyone would be allowed.")
    label = _("allow everyone")
    return NeedsConfirmation(
        _token("open", before_list.names), EntryChange(True, None), label, text, _join_names(before_list.names.values())
    )


def _first_domains(after_list: Whitelist, totals: DomainTotals | None) -> NeedsConfirmation:
    names = _join_names(after_list.names.values())
    text = _("Everyone is allowed now. After this, only addresses of %(domains)s are allowed.") % {"domains": names}
    excluded = (
        sum(n for domain, n in totals.counts.items() if not after_list.allows(domain)) + totals.other_people
        if totals
        else 0
    )
    if totals and excluded:
        people_text = ngettext(
            "%(count)s of %(total)s person loses access.", "%(count)s of %(total)s people lose access.", totals.total
        )
        text += " " + people_text % {"count": f"{excluded:,}", "total": f"{totals.total:,}"}
    label = _("allow only %(domains)s") % {"domains": names}
    return NeedsConfirmation(
        _token("shut", after_list.names), EntryChange(None, True), label, text, f"{names} ({excluded})"
    )


def _excluded_people(people_by_domain: dict[str, int]) -> list[NeedsConfirmation]:
    if not people_by_domain:
        return []
    most_first = sorted(people_by_domain, key=lambda name: (-people_by_domain[name], name))
    count, names = sum(people_by_domain.values()), _join_names(most_first)
    people_text = ngettext(
        "%(count)s person of %(domains)s loses access.", "%(count)s people of %(domains)s lose access.", count
    )
    params = {"count": f"{count:,}", "domains": names}
    label = _("remove %(domains)s") % params
    return [
        NeedsConfirmation(
            _token("out", people_by_domain), EntryChange(True, None), label, people_text % params, f"{names} ({count})"
        )
    ]


def _join_names(names: Iterable[str]) -> str:
    """The first names, and the number of the others."""
    every = list(names)
    shown, more = ", ".join(every[:MAX_NAMES]), len(every) - MAX_NAMES
    return _("%(names)s and %(count)s more") % {"names": shown, "count": f"{more:,}"} if more > 0 else shown


def _token(kind: str, names: Iterable[str]) -> str:
    """A token for exactly these domains: if they change, the person is asked again."""
    return f"{kind}:{hashlib.sha256(' '.join(sorted(names)).encode()).hexdigest()[:16]}"

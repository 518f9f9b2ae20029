"""Changes of the domains that shut people out, or let everybody in: they are held until someone says it is meant."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform.configs.changes import Change, Changes
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import NeedsConfirmation
from dashboard.platform.event.domains import Whitelist
from rooms.domain_counts import Counted
from rooms.queries.domains import domain_count

# So many domains are named in a sentence.
NAMED = 3


def find_confirmations(before: Body, after: Body, changes: Changes) -> list[NeedsConfirmation]:
    """What somebody has to confirm: who loses access, and that the list says nothing any more."""
    was, now = Whitelist.of(before.get("whitelist")), Whitelist.of(after.get("whitelist"))
    if now.is_open:
        return [] if was.is_open else [_opens(was)]
    if was.is_open:
        return [_shuts(now, Counted.of(domain_count()))]
    gone = [name for plain, name in was.names.items() if plain not in now.names]
    counted = Counted.of(domain_count()) if gone else None
    losing = {name: counted.people(name) or 0 for name in gone} if counted else {}
    return _shuts_out({name: n for name, n in losing.items() if n})


def _opens(was: Whitelist) -> NeedsConfirmation:
    says = _("The list would be empty. Then everybody is let in, whatever their address.")
    label = _("let everybody in")
    return NeedsConfirmation(_token("open", was.names), Change(True, None), label, says, _named(was.names.values()))


def _shuts(now: Whitelist, counted: Counted | None) -> NeedsConfirmation:
    names = _named(now.names.values())
    says = _("Now everybody is let in. From then on only addresses of %(domains)s are.") % {"domains": names}
    out = sum(n for domain, n in counted.counts.items() if not now.lets_in(domain)) + counted.others if counted else 0
    if counted and out:
        lost = ngettext(
            "%(count)s of %(total)s person loses access.", "%(count)s of %(total)s people lose access.", counted.total
        )
        says += " " + lost % {"count": f"{out:,}", "total": f"{counted.total:,}"}
    label = _("let in only %(domains)s") % {"domains": names}
    return NeedsConfirmation(_token("shut", now.names), Change(None, True), label, says, f"{names} ({out})")


def _shuts_out(losing: dict[str, int]) -> list[NeedsConfirmation]:
    if not losing:
        return []
    most_first = sorted(losing, key=lambda name: (-losing[name], name))
    count, names = sum(losing.values()), _named(most_first)
    lost = ngettext(
        "%(count)s person of %(domains)s loses access.", "%(count)s people of %(domains)s lose access.", count
    )
    told = {"count": f"{count:,}", "domains": names}
    label = _("remove %(domains)s") % told
    return [NeedsConfirmation(_token("out", losing), Change(True, None), label, lost % told, f"{names} ({count})")]


def _named(names: Iterable[str]) -> str:
    """The first of them, and how many more there are."""
    every = list(names)
    shown, more = ", ".join(every[:NAMED]), len(every) - NAMED
    return _("%(names)s and %(count)s more") % {"names": shown, "count": f"{more:,}"} if more > 0 else shown


def _token(what: str, names: Iterable[str]) -> str:
    """Of these domains: where others come or go, somebody is asked anew."""
    return f"{what}:{hashlib.sha256(' '.join(sorted(names)).encode()).hexdigest()[:16]}"

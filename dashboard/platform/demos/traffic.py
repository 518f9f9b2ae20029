"""What simulated people do besides writing in the forum: apps register it in their module `traffic`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from django.utils.module_loading import autodiscover_modules


class OtherTraffic(Protocol):
    def play_event(self) -> bool:
        """One person does one thing; returns whether it was done."""
        ...


# Makes the traffic of people with these e-mail addresses; the seed makes it repeatable.
TrafficFactory = Callable[[list[str], int | None], OtherTraffic]
_FACTORIES: list[TrafficFactory] = []


def register_traffic(factory: TrafficFactory) -> None:
    _FACTORIES.append(factory)


def other_traffic(people: list[str], seed: int | None) -> list[OtherTraffic]:
    """The registered traffic of all apps."""
    autodiscover_modules("traffic")
    return [factory(people, seed) for factory in _FACTORIES]

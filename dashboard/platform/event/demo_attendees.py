"""The attendees of the demo event: they register, post in the forum and visit rooms."""

from __future__ import annotations

from dashboard.core.names import folded
from dashboard.platform.demos.logins import DOMAIN

_NAMES = (
    "Vale Suárez, Diego Ferrari, Noah Williams, Lucho Bravo, Irina Castel, Bruno Salas, Camila Ortiz, Pablo Quiroga, "
    "Zoe Clarke, Farid Haddad, Mateo Luna, Mei Tanaka, Ana Beltrán, Hannah Fischer, Tomás Rivas, Ximena Paz, "
    "Karim Benali, Julia Kowalska, Quentin Moreau, Rosa Iglesias, Nadia Petrova, Oriol Puig, Promo Ya"
)
# Full names by first name.
ATTENDEES = {folded(name).split()[0]: name for name in _NAMES.split(", ")}
ATTENDEES_DOMAIN = "festival.test"
# The domain of the people in simulated traffic.
SIMULATED_DOMAIN = "people.test"


def email_and_name(first_name: str) -> tuple[str, str]:
    """An attendee's e-mail address and name. Demo accounts have their name on their own item."""
    if first_name in ATTENDEES:
        return f"{first_name}@{ATTENDEES_DOMAIN}", ATTENDEES[first_name]
    return f"{first_name}@{DOMAIN}", ""

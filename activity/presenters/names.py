"""Labels of countries and of the steps of a visit, and numbers as text."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from activity.params import NO_COUNTRY
from activity.visits import VisitStep

# Countries are folded in the archive. These names have accents, which the folded form lacks.
_ACCENTED = {
    "brasil": "Brasil",
    "canada": "Canadá",
    "espana": "España",
    "haiti": "Haití",
    "mexico": "México",
    "panama": "Panamá",
    "peru": "Perú",
    "republica dominicana": "República Dominicana",
}
STEP_LABELS = {
    VisitStep.CAME: gettext_lazy("Came"),
    VisitStep.NOT_OPEN: gettext_lazy("Came before it opened"),
    VisitStep.ENTERED: gettext_lazy("Entered"),
    VisitStep.LEFT: gettext_lazy("Left early"),
    VisitStep.STAYED: gettext_lazy("Stayed"),
    VisitStep.UNFINISHED: gettext_lazy("Did not complete"),
    VisitStep.COMPLETED: pgettext_lazy("visits", "Completed"),
}


def country_label(country: str) -> str:
    """A country as in the archive for people: `El Salvador`."""
    if country == NO_COUNTRY:
        return _("Unknown country")
    return _ACCENTED.get(country) or country.title()


def whole(number: int) -> str:
    """A number with separators: `12,345`."""
    return number_format(number, decimal_pos=0, use_l10n=True, force_grouping=True)

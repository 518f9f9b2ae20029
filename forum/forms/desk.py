"""Forms of the desk: the parameters of its lists, and an action."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.web.forms import Form, LineField, RevisionField
from forum.actions import ACTIONS, Action
from forum.queries.posts import Order
from forum.services.decisions import MAX_REASON
from forum.statuses import BOTH_KINDS, KINDS, TABS

ORDERS = {
    Order.NEWEST: _("Newest first"),
    Order.OLDEST: _("Oldest first"),
    Order.LIKES: _("Most liked"),
    Order.COMMENTS: _("Most commented"),
}


class QueueParamsForm(Form):
    """The list, the kind and the order; an unknown order counts as the default."""

    show = forms.ChoiceField(choices=TABS.items(), required=False)
    kind = forms.ChoiceField(choices=[(BOTH_KINDS, ""), *KINDS.items()], required=False)
    order = forms.ChoiceField(choices=ORDERS.items(), required=False)
    q = LineField(max_length=100, required=False)


class DecisionForm(Form):
    """The id of a preset, or an own text, which has priority.

    A card has one form for all its buttons: `other` and `preset` are only for actions that need a reason.
    """

    reason = LineField(label=_("Reason"), max_length=MAX_REASON, required=False)
    other = LineField(label=_("Other reason…"), max_length=MAX_REASON, required=False)
    preset = LineField(label=_("Reason"), max_length=MAX_REASON, required=False)
    revision = RevisionField()

    def reason_for(self, action: Action) -> str:
        given: dict[str, Any] = self.cleaned_data
        reason = given["other"] or given["preset"] if ACTIONS[action].needs_reason else ""
        return str(given["reason"] or reason)

"""What is asked of the desk's lists, and what a decision says."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from dashboard.web.forms import Form, LineField, RevisionField
from forum.items import ACTIVE, BANNED, DELETED
from forum.queries.posts import Order
from forum.services.decisions import MAX_REASON
from forum.states import Action

REVIEW = "review"
SHOWS = {
    REVIEW: _("To review"),
    ACTIVE: pgettext_lazy("posts", "Active"),
    BANNED: pgettext_lazy("posts", "Banned"),
    DELETED: pgettext_lazy("posts", "Deleted"),
}
POSTS, COMMENTS = "posts", "comments"
KINDS = {POSTS: _("Posts"), COMMENTS: _("Comments")}
ORDERS = {
    Order.NEWEST: _("Newest first"),
    Order.OLDEST: _("Oldest first"),
    Order.LIKES: _("Most liked"),
    Order.COMMENTS: _("Most commented"),
}


class WishForm(Form):
    """Which list, of what, in which order; whatever is none of ours is the usual."""

    show = forms.ChoiceField(choices=SHOWS.items(), required=False)
    kind = forms.ChoiceField(choices=KINDS.items(), required=False)
    order = forms.ChoiceField(choices=ORDERS.items(), required=False)
    q = LineField(max_length=100, required=False)


class DecisionForm(Form):
    """A preset's id, or a reason of one's own, which counts before it.

    A card has one form for all its buttons: what stands beside Ban speaks of bans, `reason` of whatever is decided.
    """

    reason = LineField(label=_("Reason"), max_length=MAX_REASON, required=False)
    other = LineField(label=_("Other reason…"), max_length=MAX_REASON, required=False)
    preset = LineField(label=_("Reason"), max_length=MAX_REASON, required=False)
    revision = RevisionField()

    def why(self, action: Action) -> str:
        given: dict[str, Any] = self.cleaned_data
        beside = given["other"] or given["preset"] if action is Action.BAN else ""
        return str(given["reason"] or beside)

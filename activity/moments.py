"""The URL parameters of a point in time: the moment, the minutes around it and the filters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.urls import reverse

from activity.params import MAX_TEXT
from dashboard.web.local_times import LOCAL, read_moment

# As a field for date and time sends it.
MOMENT_FORMAT = LOCAL
# The minutes before and after the moment. The first is the default.
AROUND = (5, 1, 15, 30)


@dataclass(frozen=True)
class MomentParams:
    """The parameters, parsed. `errors` has a text for each that could not be used."""

    at: datetime
    around: int
    zone: ZoneInfo
    room: str = ""
    country: str = ""
    action: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, query: Mapping[str, Any], zone: ZoneInfo, now: datetime) -> MomentParams:
        errors: dict[str, str] = {}
        at, text = now, str(query.get("at") or "").strip()
        if text:
            try:
                at = read_moment(text, zone).utc
            except ValidationError as error:
                errors["at"] = " ".join(error.messages)
        given = str(query.get("around") or "")
        around = next((each for each in AROUND if str(each) == given), AROUND[0])
        room, country, action = (
            str(query.get(name) or "").strip()[:MAX_TEXT] for name in ("room", "country", "action")
        )
        return cls(at.replace(second=0, microsecond=0), around, zone, room, country, action, errors)

    @property
    def start(self) -> datetime:
        return self.at - timedelta(minutes=self.around)

    @property
    def end(self) -> datetime:
        return self.at + timedelta(minutes=self.around)

    @property
    def local(self) -> str:
        return self.at.astimezone(self.zone).strftime(MOMENT_FORMAT)

    def query(self, **changes: Any) -> str:
        filters = {"room": self.room, "country": self.country, "action": self.action}
        values = {"at": self.local, "around": self.around, **filters} | changes
        return "?" + urlencode({name: str(each) for name, each in values.items() if each not in {None, ""}})

    @property
    def url(self) -> str:
        return reverse("activity_moment") + self.query()

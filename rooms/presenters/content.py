"""Presenters of a room's content: one version, and the differences between two."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.web.fields import Field
from dashboard.web.local_times import moment_text
from rooms import vimeo
from rooms.fields import CONTENT_FIELDS
from rooms.items import RoomContent


@dataclass(frozen=True)
class VersionPresenter:
    """One version. Values of outside writers are converted into text."""

    item: RoomContent

    @property
    def number(self) -> int:
        return self.item.number

    @property
    def title(self) -> str:
        return self.item.title or _("Untitled")

    @property
    def type(self) -> str:
        """The label of the type; an unknown type as stored."""
        return self.text_of(CONTENT_FIELDS["type"])

    @property
    def address(self) -> str:
        return self.item.vimeo_url or ""

    @property
    def link(self) -> str:
        return self.address if vimeo.is_web_address(self.address) else ""

    @property
    def video(self) -> vimeo.Video | None:
        return vimeo.parse_video(self.address)

    @property
    def opening(self) -> str:
        """The time it was prepared for, in the time zone of the page."""
        return self.text_of(CONTENT_FIELDS["open_at"])

    def text_of(self, field: Field) -> str:
        """A field as text: the label of a choice, a time in the time zone of the page."""
        value = field.value_of(self.item)
        if isinstance(value, datetime):
            return moment_text(value, timezone.get_current_timezone_name())
        choices = dict(getattr(field.form_field, "choices", ()))
        return str(choices.get(value, value or ""))

    @property
    def author(self) -> str:
        return self.item.updated_by_name or self.item.updated_by or ""

    @property
    def created(self) -> datetime | None:
        return self.item.created_at or self.item.updated_at

    @property
    def made_from(self) -> int | None:
        number = self.item.made_from
        return int(number) if number is not None and number == int(number) else None

    @property
    def is_playing(self) -> bool:
        return self.item.is_playing

    @property
    def was_shown(self) -> bool:
        return self.item.shown_at is not None


@dataclass(frozen=True)
class VersionDifference:
    label: str
    this: str
    other: str

    @property
    def differs(self) -> bool:
        return self.this != self.other


def compare_versions(this: VersionPresenter, other: VersionPresenter) -> list[VersionDifference]:
    """The fields of two versions."""
    return [
        VersionDifference(str(field.form_field.label), this.text_of(field), other.text_of(field))
        for field in CONTENT_FIELDS
    ]

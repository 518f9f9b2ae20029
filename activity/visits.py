"""The steps of a visit to a room. Their exact meaning is in docs/activity-warehouse.md."""

from __future__ import annotations

from enum import StrEnum

# A person who spends this long in a room has stayed.
STAY_SECONDS = 300
# After each thing that people do in a room they count as present for so many minutes.
PRESENT_MINUTES = 5


class VisitStep(StrEnum):
    # Came to the room, whether it was open or not.
    CAME = "came"
    # Came only while it was not open yet.
    NOT_OPEN = "not_open"
    # Was in the open room.
    ENTERED = "entered"
    # Entered and left before having stayed.
    LEFT = "left"
    STAYED = "stayed"
    # Stayed, but did not complete the room.
    UNFINISHED = "unfinished"
    COMPLETED = "completed"

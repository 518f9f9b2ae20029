"""Due tasks of activity."""

from activity.archive import due as archive_due

__all__ = ["archive_due"]

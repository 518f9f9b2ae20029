"""Writes of the activity log."""

from activity.services.log import LogResult, Status, log

__all__ = ["LogResult", "Status", "log"]

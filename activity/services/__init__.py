"""Writes of the activity log."""

from activity.services.log import LogResult, LogStatus, log

__all__ = ["LogResult", "LogStatus", "log"]

"""Writes of the site of a business."""

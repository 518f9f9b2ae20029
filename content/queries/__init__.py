"""Queries for the site of a business."""

"""Queries of franchises, one module per resource."""

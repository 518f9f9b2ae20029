"""Configs: what the platform's apps read as one item, edited here with versions, merges and a way back."""

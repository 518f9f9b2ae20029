"""Changes of products, resources, contexts, signals, media and the shop of a site."""

from content.services.library.edits import edit, mark, undo
from content.services.library.lifecycle import create, remove, restore

__all__ = ["create", "edit", "mark", "remove", "restore", "undo"]

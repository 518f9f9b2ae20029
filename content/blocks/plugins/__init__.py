"""The plugin blocks of the website service, each declared once: for forms, labels, previews and comparisons."""

from __future__ import annotations

from content.blocks.plugins.headlines import HEADLINES
from content.blocks.plugins.interactive import INTERACTIVE
from content.blocks.plugins.lists import LISTS
from content.blocks.plugins.media import MEDIA
from content.blocks.plugins.plugin import Plugin, new_value

__all__ = ["PLUGINS", "Plugin", "new_value"]

# In the order of the menus.
PLUGINS = {plugin.type: plugin for plugin in (*HEADLINES, *LISTS, *MEDIA, *INTERACTIVE)}

"""Views of stores."""

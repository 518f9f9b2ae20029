"""The event on the screen."""

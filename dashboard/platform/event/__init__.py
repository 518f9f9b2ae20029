"""Code that the forum and the rooms of an event share."""

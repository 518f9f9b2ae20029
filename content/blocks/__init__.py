"""The blocks of a page: the document of the website service's editor, as plain Python values."""

"""Many decisions at once, as long work: what is chosen, how it is found, and how it is done and undone."""

"""500 clients while the engine is killed, frozen and replaced by a page: `make bench-load`."""

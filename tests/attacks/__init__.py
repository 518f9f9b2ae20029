"""The security guarantees, one file each: every test reproduces an attack or a failure."""

"""What `make run` and the tests need to run an engine on this machine; the app knows nothing of it."""

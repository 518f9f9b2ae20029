"""gunicorn's settings, for `make serve` and `make run`."""

worker_class = "dashboard.server.worker.Worker"
worker_connections = 1000
# Idle connections cost no thread. Longer than the pause between two clicks on a page.
keepalive = 15
# Files are written like other responses: sendfile would let a thread wait for the client.
sendfile = False
control_socket_disable = True
# gunicorn would believe these headers of everyone who connects from this machine, such as our own proxy, which may pass
# them on from its clients. Django reads `X-Forwarded-Proto` itself, and only if TRUSTED_PROXIES is set.
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""

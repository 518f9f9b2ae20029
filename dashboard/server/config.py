"""gunicorn's settings, for `make serve` and `make run`."""

worker_class = "dashboard.server.worker.Worker"
worker_connections = 1000
# Idle connections cost no thread. Longer than the pause between two clicks on a page.
keepalive = 15
# Files are written like other responses: sendfile would let a thread wait for the client.
sendfile = False
control_socket_disable = True

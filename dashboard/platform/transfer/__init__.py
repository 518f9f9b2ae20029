"""Import and export of items as files. Only commands use it, no request."""

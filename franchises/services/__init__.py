"""Services of franchises, one module per resource."""

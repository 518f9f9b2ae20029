"""The security guarantees of the product: each module attacks one of them (docs/security.md lists them)."""

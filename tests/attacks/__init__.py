"""The security guarantees of the product, one file for each: what an attacker tries, and what must not happen."""

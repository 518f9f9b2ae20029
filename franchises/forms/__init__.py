"""Forms of stores."""

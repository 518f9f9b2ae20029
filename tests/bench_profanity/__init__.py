"""How well and how fast the profanity filter finds, beside four others: `make bench DATA=<folder>`."""

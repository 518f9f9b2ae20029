"""Accuracy and speed of the profanity filter, compared with four others: `make bench DATA=<folder>`."""

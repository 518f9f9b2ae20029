"""The forum's configs: the profanity filter and the reasons that moderators choose from."""

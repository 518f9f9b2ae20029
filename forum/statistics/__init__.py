"""Statistics of moderation: actions per day and person, time to decision, and restored bans."""

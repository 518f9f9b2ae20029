"""What people do in the forum: writing, deciding."""

"""What a lead asks for: how much was decided, by whom, how soon, and how much of it came back."""

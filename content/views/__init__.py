"""The pages of a business's site in the back office."""
